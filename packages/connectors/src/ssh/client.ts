import type { Duplex } from 'node:stream'
import type { ConnectError } from '@castellan/contract/connect-reasons'
import ssh2 from 'ssh2'
import { targetAlgorithms } from './algorithms.ts'
import { type HostKeyVerifier, shownHostKey } from './host-key.ts'
import { timedOut } from './opened-in-time.ts'

export interface SshCredential {
  username: string
  /** `ssh_key`, else the secret is a password. */
  secretType: string
  secret: string
  passphrase?: string | null | undefined
}

export interface SshConnection {
  /** A byte stream to the target's SSH port: a socket, or a channel of a gateway. */
  stream: Duplex
  credential: SshCredential
  verifyHostKey: HostKeyVerifier
  /** Ends the connection at whatever step it is. */
  signal?: AbortSignal | undefined
  /** How long a target may take until the user is signed in. Milliseconds. */
  readyTimeout?: number | undefined
}

const longestSignIn = 20_000
/** ssh2 does not count the time in which it waits for the decision about the host key. Milliseconds. */
const verifyingTimeout = 5000

/** A private key that cannot be read is, for the user, a credential that does not work. */
const unreadableKey = (error: unknown): ConnectError =>
  Object.assign(error instanceof Error ? error : new Error(String(error)), { level: 'client-authentication' })

/** What PAM asks in any language that distributions bring, once an expired password has been given. */
const asksForNewPassword =
  /\b(?:new|retype|re-enter|current)\b.*password|change your password|password (?:has|is) expired|新.*密码|新しい.*パスワード/is

const expiredPassword = (): ConnectError =>
  Object.assign(new Error('the password is expired and has to be changed'), { level: 'password-expired' })

/**
 * Signs in to a target by SSH. The credential is sent only after `verifyHostKey` has resolved; its rejection is what this
 * rejects with. Other rejections are `ConnectError`s. The caller ends the client.
 */
export function connectSsh(connection: SshConnection): Promise<ssh2.Client> {
  const { stream, credential, verifyHostKey, signal, readyTimeout = longestSignIn } = connection
  const isKey = credential.secretType === 'ssh_key'
  const { secret, passphrase } = credential
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client()
    let refusal: unknown
    const leave = () => stream.destroy()
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      client.removeListener('error', settle)
      client.removeListener('close', onClose)
      if (!error) {
        client.setNoDelay(true)
        resolve(client)
        return
      }
      client.destroy()
      stream.destroy()
      reject(refusal ?? error)
    }
    const onClose = () => settle(new Error('the connection was closed during sign-in'))
    const timer = setTimeout(() => settle(timedOut('no sign-in in time')), readyTimeout + verifyingTimeout)
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave, { once: true })
    client.once('close', () => signal?.removeEventListener('abort', leave))
    client.once('ready', () => settle())
    client.once('error', settle)
    // An error after the sign-in ends the connection, which the caller sees as its close; it must not end the program.
    client.on('error', () => undefined)
    client.once('close', onClose)
    client.on('keyboard-interactive', (name, instructions, _language, prompts, answer) => {
      if (asksForNewPassword.test([name, instructions, ...prompts.map(({ prompt }) => prompt)].join('\n')))
        return settle(expiredPassword())
      // Only a prompt for hidden input is a password; there is no answer for anything else.
      answer(prompts.map(({ echo }) => (!isKey && echo === false ? secret : '')))
    })
    client.on('change password', () => settle(expiredPassword()))
    try {
      client.connect({
        sock: stream,
        username: credential.username,
        ...(isKey
          ? { privateKey: secret, ...(passphrase ? { passphrase } : {}) }
          : { password: secret, tryKeyboard: true }),
        algorithms: targetAlgorithms,
        readyTimeout,
        keepaliveInterval: 30_000,
        keepaliveCountMax: 4,
        hostVerifier: (blob: Buffer, verify: (valid: boolean) => void) => {
          verifyHostKey(shownHostKey(blob)).then(
            () => verify(true),
            (error: unknown) => {
              refusal = error
              verify(false)
            },
          )
        },
      })
    } catch (error) {
      settle(unreadableKey(error))
    }
  })
}
