export { postgresql as system } from './postgresql.ts'
