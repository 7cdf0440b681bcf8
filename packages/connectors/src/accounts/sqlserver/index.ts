export { sqlserver as system } from './sqlserver.ts'
