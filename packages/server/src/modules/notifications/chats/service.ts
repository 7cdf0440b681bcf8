/** What the chat services have in common: calls that answer JSON with a code, and a token of the application. */
import { createHash } from 'node:crypto'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { askProvider } from '../../../kernel/security/outgoing-request.ts'
import { type ServiceValues, storedValues } from '../entered-values.ts'
import { chatAddresses, type dingtalk, type feishu, type wecom } from '../settings.ts'

export type ChatName = 'wecom' | 'dingtalk' | 'feishu'

/** Whom a service named. */
export interface ChatPerson {
  /** As the service addresses its messages. */
  readonly id: string
  readonly name?: string
  readonly email?: string
  readonly phone?: string
}

export interface ChatMessage {
  readonly subject: string
  readonly markdown: string
}

export interface ChatService {
  readonly name: ChatName
  readonly settings: typeof wecom | typeof dingtalk | typeof feishu
  /** Where a browser signs in; `inApp`: one of the service's own application, which needs no code to scan. */
  signInUrl(values: ServiceValues, back: { callbackUrl: string; state: string }, inApp: boolean): string
  /** Who belongs to the code that a browser came back with; undefined for somebody outside the company. */
  personOf(app: ChatApp, code: string): Promise<ChatPerson | undefined>
  /** Sends to people of the service. @throws ChatRefused */
  send(app: ChatApp, ids: readonly string[], message: ChatMessage): Promise<void>
  /** Codes of an answer to `send` that only mean that the receiver is not known. */
  readonly unknownReceiver: ReadonlySet<string>
}

/** The service refused a call; the text is its reason. */
export class ChatRefused extends Error {
  readonly code: string

  constructor(code: string, reason: string) {
    super(`${code} ${reason}`.trim().slice(0, 300))
    this.code = code
  }
}

interface Call {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Calls a service, with POST if there is a body. @throws ChatRefused for an answer that is no success */
export async function callChat(base: string, path: string, { query, headers, body }: Call = {}) {
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  const answer = await askProvider(url.href, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  let found: Record<string, unknown>
  try {
    found = objectOf(JSON.parse(text))
  } catch {
    throw new ChatRefused(String(answer.status), 'The answer is no JSON.')
  }
  // `errcode` and `errmsg` of WeCom and DingTalk, `code` and `msg` of Feishu; new calls of DingTalk have a status.
  const code = found.errcode ?? found.code ?? (answer.ok ? 0 : answer.status)
  if (String(code) !== '0') {
    const reason = [found.errmsg, found.msg, found.message, found.error_description].find(
      (one) => typeof one === 'string',
    )
    throw new ChatRefused(String(code), String(reason ?? ''))
  }
  return found
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** Codes of answers to a call with a token that is not valid any more. */
const tokenIsOver = new Set(['40014', '42001', '99991661', '99991663', '99991664', '99991668'])
/** A token is renewed this long before its end. Milliseconds. */
const margin = 120_000

const tokens = perInstallation(() => new Map<string, { until: number; token: Promise<string> }>())

/** The application of this installation at a service: its settings, and calls with its token. */
export class ChatApp {
  readonly values: ServiceValues
  readonly #known: Map<string, { until: number; token: Promise<string> }>
  readonly #key: string
  readonly #renew: () => Promise<{ token: string; seconds: number }>

  constructor(
    ctx: Context,
    values: ServiceValues,
    renew: (values: ServiceValues) => Promise<{ token: string; seconds: number }>,
  ) {
    this.values = values
    this.#known = tokens(ctx.services)
    // Another secret has another token; the secret itself is not kept as a key.
    this.#key = createHash('sha256').update(JSON.stringify(values)).digest('hex')
    this.#renew = () => renew(values)
  }

  #token(): Promise<string> {
    const found = this.#known.get(this.#key)
    if (found && found.until > Date.now()) return found.token
    const kept = { until: Date.now() + margin, token: Promise.resolve('') }
    kept.token = this.#renew().then(({ token, seconds }) => {
      kept.until = Date.now() + seconds * 1000 - margin
      return token
    })
    // Only the settings in force are needed, of at most three services.
    if (this.#known.size > 8) this.#known.clear()
    this.#known.set(this.#key, kept)
    kept.token.catch(() => this.#known.delete(this.#key))
    return kept.token
  }

  /** A call with the token; with a new one if the service says that it is over. */
  async withToken<T>(call: (token: string) => Promise<T>): Promise<T> {
    const token = await this.#token()
    try {
      return await call(token)
    } catch (error) {
      if (!(error instanceof ChatRefused) || !tokenIsOver.has(error.code)) throw error
      this.#known.delete(this.#key)
      return call(await this.#token())
    }
  }
}

export const chatValues = (ctx: Context, { settings }: ChatService): ServiceValues =>
  storedValues(ctx, settings, chatAddresses)
