export { decrypted } from '../../kernel/encrypted.ts'
