import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { bareAddress } from '../../../ssh/address.ts'
import { timedOut } from '../../../ssh/opened-in-time.ts'
import { SystemFailure, type SystemLogin, type SystemTarget } from '../../account-system.ts'
import { authenticateMessage, channelBindings, NtlmError, negotiateMessage, readChallenge } from '../ntlm/messages.ts'
import { NtlmSealing } from '../ntlm/sealing.ts'
import { encryptedType, openEnvelope, sealEnvelope } from './encryption.ts'

/** Bytes of one answer. */
const longestAnswer = 2 * 1024 * 1024
/** How long one answer may take; WinRM itself ends a wait for output after 20 s. Milliseconds. */
const answerTimeout = 40_000

export interface Answer {
  status: number
  body: string
}

interface RawAnswer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

const usesTls = ({ settings, tls }: SystemTarget) => settings?.use_ssl === true || tls.enabled

async function tlsOver(stream: Duplex, { host, tls }: SystemTarget): Promise<TLSSocket> {
  const name = bareAddress(host)
  const socket = connectTls({
    socket: stream,
    host: name,
    ...(isIP(name) ? {} : { servername: name }),
    ca: tls.ca,
    cert: tls.certificate,
    key: tls.key,
    // Without anybody who vouches for it, the other side proves by NTLM that it knows the password.
    rejectUnauthorized: false,
  })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(timedOut('no TLS in time')), answerTimeout)
    const settle = (error?: Error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    }
    socket.once('secureConnect', () => settle())
    socket.once('error', settle)
    socket.once('close', () => settle(new Error('the connection was closed during the TLS handshake')))
  })
  return socket
}

/** The schemes that a target offers, with what it says to each. */
function schemesOf({ headers }: RawAnswer): Map<string, string> {
  const offers = (headers['www-authenticate'] ?? '').split(/,\s*/)
  return new Map(
    offers.map((offer) => {
      const [scheme = '', token = ''] = offer.trim().split(/\s+/)
      return [scheme.toLowerCase(), token]
    }),
  )
}

/**
 * One connection to WinRM on which somebody has signed in. Without TLS, or with a certificate that nobody vouches for,
 * every message is sealed with the key that NTLM has agreed on, and an answer that is not sealed with it is none.
 */
export class WinRmConnection {
  readonly #stream: Duplex
  readonly #agent: Agent
  readonly #target: SystemTarget
  #authorization: string | undefined
  #sealing: NtlmSealing | undefined

  private constructor(target: SystemTarget, stream: Duplex) {
    this.#target = target
    this.#stream = stream
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let isUsed = false
    stream.on('error', () => undefined)
    // NTLM signs in a connection, so there is no second one.
    Object.assign(this.#agent, {
      createConnection: () => {
        if (isUsed) throw new Error('the target closed the connection')
        isUsed = true
        return stream
      },
    })
  }

  /** @throws SystemFailure `auth_failed`, `unsupported` or `bad_answer` */
  static async open(target: SystemTarget, login: SystemLogin): Promise<WinRmConnection> {
    const dialed = await target.dial()
    const leave = () => dialed.destroy()
    target.signal.addEventListener('abort', leave, { once: true })
    dialed.once('close', () => target.signal.removeEventListener('abort', leave))
    try {
      const stream = usesTls(target) ? await tlsOver(dialed, target) : dialed
      const connection = new WinRmConnection(target, stream)
      await connection.#signIn(login, stream)
      return connection
    } catch (error) {
      dialed.destroy()
      if (error instanceof NtlmError) throw new SystemFailure('bad_answer', error.message, { cause: error })
      throw error
    }
  }

  async #signIn({ username, secret }: SystemLogin, stream: Duplex): Promise<void> {
    const socket = usesTls(this.#target) ? (stream as TLSSocket) : undefined
    const isTrusted = socket?.authorized === true || this.#target.tls.acceptInvalid === true
    const negotiate = negotiateMessage()
    let scheme = 'Negotiate'
    const hello = () => this.#send({ authorization: `${scheme} ${negotiate.toString('base64')}` })
    let schemes = schemesOf(await hello())
    if (!schemes.get('negotiate') && schemes.has('ntlm')) {
      scheme = 'NTLM'
      schemes = schemesOf(await hello())
    }
    const token = schemes.get(scheme.toLowerCase())
    if (token) {
      const challenge = readChallenge(Buffer.from(token, 'base64'))
      const bindings = socket && channelBindings(socket.getPeerCertificate().raw)
      const { message, sessionKey } = authenticateMessage({
        negotiate,
        challenge,
        username,
        password: secret,
        bindings,
      })
      const answer = await this.#send({ authorization: `${scheme} ${message.toString('base64')}` })
      if (answer.status === 401) throw new SystemFailure('auth_failed', 'WinRM refused the username or the password')
      if (!socket || !isTrusted) this.#sealing = new NtlmSealing(sessionKey)
    } else if (schemes.has('basic')) {
      if (!socket)
        throw new SystemFailure('unsupported', 'WinRM offers only Basic without TLS, which shows the password')
      if (!isTrusted) throw new Error(`the certificate of WinRM is not trusted (${socket.authorizationError})`)
      this.#authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
    } else {
      throw new SystemFailure('unsupported', 'the target offers neither NTLM nor Basic; is this port WinRM?')
    }
  }

  /** Sends one SOAP envelope. @throws SystemFailure `auth_failed` or `bad_answer` */
  async post(envelope: string): Promise<Answer> {
    const plain = Buffer.from(envelope)
    const sealing = this.#sealing
    const body = sealing ? sealEnvelope(sealing, plain) : plain
    const {
      status,
      headers,
      body: received,
    } = await this.#send({
      body,
      type: sealing ? encryptedType : 'application/soap+xml;charset=UTF-8',
      authorization: this.#authorization,
    })
    if (status === 401) throw new SystemFailure('auth_failed', 'WinRM refused the username or the password')
    if (!sealing) return { status, body: received.toString('utf8') }
    const opened = String(headers['content-type']).startsWith('multipart/encrypted')
      ? openEnvelope(sealing, received)
      : undefined
    if (!opened) throw new SystemFailure('bad_answer', 'the answer was not sealed by the system that was signed in to')
    return { status, body: opened.toString('utf8') }
  }

  close(): void {
    this.#agent.destroy()
    this.#stream.destroy()
  }

  #send({ body, type, authorization }: { body?: Buffer; type?: string; authorization?: string | undefined }) {
    const { host, port, signal } = this.#target
    return new Promise<RawAnswer>((resolve, reject) => {
      const outgoing = httpRequest(
        {
          agent: this.#agent,
          host: bareAddress(host),
          port,
          method: 'POST',
          path: '/wsman',
          signal,
          headers: {
            'content-length': body?.length ?? 0,
            'user-agent': 'Castellan',
            ...(type && { 'content-type': type }),
            ...(authorization && { authorization }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          let length = 0
          incoming.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            length += chunk.length
            if (length > longestAnswer)
              outgoing.destroy(new SystemFailure('bad_answer', 'the answer of WinRM is too long'))
          })
          incoming.once('end', () => {
            clearTimeout(timer)
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) })
          })
          incoming.once('error', fail)
        },
      )
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(signal.aborted ? signal.reason : error)
      }
      const timer = setTimeout(() => outgoing.destroy(timedOut('no answer of WinRM in time')), answerTimeout)
      outgoing.once('error', fail)
      outgoing.end(body)
    })
  }
}
