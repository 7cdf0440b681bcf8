import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { saslprep } from '@mongodb-js/saslprep'
import { SystemFailure } from '../account-system.ts'

const derive = promisify(pbkdf2)

/**
 * As PostgreSQL does it: a password that SASLprep does not allow is used as it is. Some clients change it all the same,
 * so where that makes a difference, nobody could rely on it.
 * @throws SystemFailure `secret_rejected`
 */
function prepared(password: string): string {
  try {
    return saslprep(password)
  } catch {
    if (password.normalize('NFKC') !== password)
      throw new SystemFailure('secret_rejected', 'clients disagree about a character of the password')
    return password
  }
}

/**
 * What a server stores for a password under SCRAM-SHA-256. It accepts it in place of the password, which then appears
 * neither on the wire nor in its log.
 */
export async function scramVerifier(password: string, iterations: number): Promise<string> {
  const salt = randomBytes(16)
  const salted = await derive(prepared(password), salt, iterations, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

/** The same of servers that are set to MD5, or older than SCRAM. */
export const md5Verifier = (password: string, username: string): string =>
  `md5${createHash('md5').update(password).update(username).digest('hex')}`
