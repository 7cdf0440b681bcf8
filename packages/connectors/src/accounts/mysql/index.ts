export { mysql as system } from './mysql.ts'
