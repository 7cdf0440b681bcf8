export { oracle as system } from './oracle.ts'
