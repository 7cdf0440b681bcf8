import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { timedOut } from '../../ssh/opened-in-time.ts'
import {
  type AccountSystem,
  SystemFailure,
  type SystemFailureCode,
  type SystemLogin,
  type SystemTarget,
} from '../account-system.ts'
import { authenticateMessage, NtlmError, negotiateMessage, readChallenge } from '../windows/ntlm/messages.ts'
import { NtlmSealing } from '../windows/ntlm/sealing.ts'
import { elementLength } from './der.ts'
import { bindingOf, decodeTsRequest, encodeTsRequest, publicKeyOf, type TsRequest } from './ts-request.ts'

/** How long the whole sign-in may take. Milliseconds. */
const signInTimeout = 30_000
const longestMessage = 64 * 1024
/** The version of CredSSP with the repair of CVE-2018-0886, and the first one that has it. */
const newestVersion = 6
const versionWithNonce = 5

/** Why Windows refuses a login (MS-ERREF 2.3). */
const refusals: Readonly<Record<number, [SystemFailureCode, string]>> = {
  3221225581: ['auth_failed', 'Windows refused the username or the password'],
  3221225572: ['auth_failed', 'Windows has no such user'],
  3221225578: ['auth_failed', 'Windows refused the password'],
  3221225585: ['secret_expired', 'the password is expired'],
  3221226020: ['secret_expired', 'the password has to be changed at the next sign-in'],
  3221225586: ['denied', 'the account is disabled'],
  3221226036: ['denied', 'the account is locked out'],
  3221225875: ['denied', 'the account is expired'],
  3221225582: ['denied', 'a rule of Windows restricts the account'],
  3221225583: ['denied', 'the account may not sign in at this time'],
  3221225819: ['denied', 'the account may not sign in remotely'],
}

/** Reads messages whose length stands in their beginning. Fails when the stream ends. */
function messagesOf(stream: Duplex) {
  let received = Buffer.alloc(0)
  let failure: Error | undefined
  let wake = () => {}
  const end = (error?: Error) => {
    failure ??= error ?? new Error('the target closed the connection during sign-in')
    wake()
  }
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    if (received.length > longestMessage) stream.destroy(new SystemFailure('bad_answer', 'the answer is too long'))
    wake()
  }
  stream.on('data', onData)
  stream.on('error', end)
  stream.once('close', () => end())
  return {
    async next(lengthOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
      for (;;) {
        const length = lengthOf(received)
        if (length !== undefined && length > longestMessage)
          throw new SystemFailure('bad_answer', 'the answer is too long')
        if (length !== undefined && length <= received.length) {
          const message = received.subarray(0, length)
          received = received.subarray(length)
          return message
        }
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    /** Leaves the stream to somebody else. */
    release: () => stream.removeListener('data', onData).pause(),
  }
}

/** Asks for sign-in before the session (MS-RDPBCGR 2.2.1.1). */
async function demandNetworkLevelAuthentication(stream: Duplex): Promise<void> {
  const messages = messagesOf(stream)
  // TPKT, connection request, and the kinds of security: TLS with CredSSP.
  stream.write(Buffer.from('030000130ee000000000000100080003000000', 'hex'))
  const answer = await messages.next((bytes) => {
    if (bytes.length > 0 && bytes[0] !== 3) throw new SystemFailure('bad_answer', 'the target does not speak RDP')
    return bytes.length < 4 ? undefined : Math.max(bytes.readUInt16BE(2), 4)
  })
  messages.release()
  if (answer.length < 11 || answer[5] !== 0xd0) throw new SystemFailure('bad_answer', 'the target does not speak RDP')
  const isAccepted = answer.length >= 19 && answer[11] === 2 && (answer.readUInt32LE(15) & 2) !== 0
  if (!isAccepted)
    throw new SystemFailure(
      'unsupported',
      'the target does not offer network level authentication, so nothing can be verified',
    )
}

async function startTls(stream: Duplex): Promise<TLSSocket> {
  // The certificate is bound to the proof of the password below, which nobody in between can give.
  const socket = connectTls({ socket: stream, rejectUnauthorized: false, minVersion: 'TLSv1.2' })
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed during the TLS handshake')))
  })
  return socket
}

/**
 * Proves the password by CredSSP and stops before the password itself would be sent.
 * @throws SystemFailure
 */
async function signIn(socket: TLSSocket, { username, secret }: SystemLogin): Promise<void> {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) throw new SystemFailure('bad_answer', 'the target has no certificate')
  const publicKey = publicKeyOf(certificate)
  const messages = messagesOf(socket)
  const ask = async (request: TsRequest) => {
    socket.write(encodeTsRequest(request))
    return decodeTsRequest(await messages.next(elementLength))
  }
  const negotiate = negotiateMessage()
  const first = await ask({ version: newestVersion, token: negotiate })
  if (!first.token) throw new SystemFailure('bad_answer', 'the target did not answer the sign-in')
  const challenge = readChallenge(first.token)
  const { message, sessionKey } = authenticateMessage({ negotiate, challenge, username, password: secret })
  const sealing = new NtlmSealing(sessionKey)
  const nonce = randomBytes(32)
  const hasNonce = first.version >= versionWithNonce
  const { signature, sealed } = sealing.seal(hasNonce ? bindingOf('Client-To-Server', nonce, publicKey) : publicKey)
  const answer = await ask({
    version: newestVersion,
    token: message,
    publicKey: Buffer.concat([signature, sealed]),
    nonce: hasNonce ? nonce : undefined,
  })
  if (answer.errorCode !== undefined) {
    const [code, detail] = refusals[answer.errorCode] ?? [
      'denied',
      `Windows refused with 0x${answer.errorCode.toString(16)}`,
    ]
    throw new SystemFailure(code, detail)
  }
  const proof = answer.publicKey ?? Buffer.alloc(0)
  const opened = sealing.open({ signature: proof.subarray(0, 16), sealed: proof.subarray(16) })
  const expected = hasNonce ? bindingOf('Server-To-Client', nonce, publicKey) : increased(publicKey)
  if (!opened?.equals(expected))
    throw new SystemFailure('bad_answer', 'the target did not prove that it knows the password')
}

/** Before version 5 the target answers with the key, whose first byte is one more. */
function increased(publicKey: Buffer): Buffer {
  const copy = Buffer.from(publicKey)
  copy[0] = ((copy[0] ?? 0) + 1) & 0xff
  return copy
}

async function probe(target: SystemTarget, login: SystemLogin): Promise<void> {
  const { signal } = target
  signal.throwIfAborted()
  const stream = await target.dial()
  const leave = () => stream.destroy(signal.reason instanceof Error ? signal.reason : undefined)
  signal.addEventListener('abort', leave, { once: true })
  const timer = setTimeout(() => stream.destroy(timedOut('no sign-in in time')), signInTimeout)
  stream.on('error', () => undefined)
  try {
    await demandNetworkLevelAuthentication(stream)
    await signIn(await startTls(stream), login)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    stream.destroy()
  }
}

/** Windows over RDP: whether a password signs in. */
export const rdp: AccountSystem = {
  async verify(target, login) {
    if (login.secretType !== 'password') throw new SystemFailure('unsupported', 'RDP signs in with passwords only')
    try {
      await probe(target, login)
    } catch (error) {
      target.signal.throwIfAborted()
      if (error instanceof NtlmError) throw new SystemFailure('bad_answer', error.message, { cause: error })
      throw error
    }
  },

  async change() {
    throw new SystemFailure('unsupported', 'RDP changes no passwords')
  },
}
