export { mongodb as system } from './mongodb.ts'
