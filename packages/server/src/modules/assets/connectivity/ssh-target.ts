import { type Socket, connect as tcpConnect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectError } from '@castellan/contract/connect-reasons'
import ssh2 from 'ssh2'
import { fingerprintOf } from '../../../kernel/fingerprint.ts'
import type { LoginAccount } from '../account-port.ts'

/** How long one step of a connection may take. Milliseconds. */
const patience = 10_000

export interface ShownHostKey {
  algorithm: string
  /** `SHA256:` and unpadded base64. */
  fingerprint: string
  /** The key blob, base64. */
  public_key: string
}

/** Says whether a target's key may be trusted; a rejection ends the connection before a credential is sent. */
export type HostKeyJudge = (shown: ShownHostKey) => Promise<void>

const timedOut = (what: string): ConnectError => Object.assign(new Error(what), { code: 'ETIMEDOUT' })

/** Opens a TCP connection; rejects with the system's reason or after ten seconds. */
export function openTcp(host: string, port: number, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tcpConnect({ host, port, timeout: patience, ...(signal ? { signal } : {}) })
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
    socket.once('timeout', () => socket.destroy(timedOut(`no answer from ${host}:${port} within ${patience / 1000} s`)))
    socket.once('error', reject)
  })
}

function shownKey(blob: Buffer): ShownHostKey {
  const length = blob.readUInt32BE(0)
  return {
    algorithm: blob.subarray(4, 4 + length).toString('ascii'),
    fingerprint: fingerprintOf(blob),
    public_key: blob.toString('base64'),
  }
}

/** Signs in over an open byte stream. The caller ends the client; `signal` ends it at whatever step it is. */
export function signIn(
  stream: Duplex,
  account: LoginAccount,
  judge: HostKeyJudge,
  signal?: AbortSignal,
): Promise<ssh2.Client> {
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client()
    const leave = () => stream.destroy()
    signal?.addEventListener('abort', leave)
    client.once('close', () => signal?.removeEventListener('abort', leave))
    let refusal: unknown
    client.once('ready', () => resolve(client))
    client.on('error', (error) => reject(refusal ?? error))
    client.once('close', () => reject(refusal ?? new Error('the connection was closed during sign-in')))
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.map(() => (account.secretType === 'password' ? account.secret : ''))),
    )
    client.connect({
      sock: stream,
      username: account.username,
      readyTimeout: patience * 2,
      tryKeyboard: account.secretType === 'password',
      ...(account.secretType === 'ssh_key' ? { privateKey: account.secret } : { password: account.secret }),
      hostVerifier: (blob: Buffer, verify: (valid: boolean) => void) => {
        judge(shownKey(blob)).then(
          () => verify(true),
          (error) => {
            refusal = error
            verify(false)
          },
        )
      },
    })
  })
}

/** A byte stream from a signed-in gateway to another target. */
export function openThrough(gateway: ssh2.Client, host: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    gateway.forwardOut('127.0.0.1', 0, host, port, (error, channel) => (error ? reject(error) : resolve(channel)))
  })
}

/** What a command printed on its standard output; bounded, because a target may print without end. */
export function outputOf(client: ssh2.Client, command: string, limit = 65_536): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut('the command did not end in time')), patience * 2)
    client.exec(command, (error, channel) => {
      if (error) {
        clearTimeout(timer)
        reject(error)
        return
      }
      let output = ''
      channel.on('data', (chunk: Buffer) => {
        if (output.length < limit) output += chunk.toString('utf8')
      })
      channel.stderr.resume()
      channel.once('close', () => {
        clearTimeout(timer)
        resolve(output.slice(0, limit))
      })
    })
  })
}
