import type { ConnectError } from '@castellan/contract/connect-reasons'
import type ssh2 from 'ssh2'
import { connectSsh } from '../ssh/client.ts'
import { SystemFailure, type SystemLogin, type SystemTarget } from './account-system.ts'

/** Characters of a target's words that a failure shows. */
const longestDetail = 300

/** What a target said, as one bounded line without control characters and without any of these secrets. */
export function detailOf(said: string, secrets: readonly string[]): string {
  let text = said
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '***')
  // A secret that only half arrived is not found above, so a private key never appears by its beginning either.
  text = text.replace(/-----BEGIN.*/s, '***')
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, longestDetail)
}

function signInFailure(error: unknown): unknown {
  const { level, message } = error as ConnectError
  if (level === 'password-expired') return new SystemFailure('secret_expired', message, { cause: error })
  if (level === 'client-authentication') return new SystemFailure('auth_failed', message, { cause: error })
  return error
}

/**
 * Signs in by SSH, and ends the connection when `work` has ended.
 * @throws SystemFailure `auth_failed` or `secret_expired`
 */
export async function inSshSession<T>(
  target: SystemTarget,
  login: SystemLogin,
  work: (client: ssh2.Client) => Promise<T>,
): Promise<T> {
  const { signal, verifyHostKey, readyTimeout } = target
  signal.throwIfAborted()
  const stream = await target.dial().catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  // What runs on the target ends with its connection.
  const stop = () => void stream.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const connection = { stream, credential: login, verifyHostKey, signal, readyTimeout }
    const client = await connectSsh(connection).catch((error: unknown) => {
      throw signInFailure(error)
    })
    try {
      return await work(client)
    } finally {
      client.end()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}
