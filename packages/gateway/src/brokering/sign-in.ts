import type { Language } from '@castellan/contract/messages'
import type { ServerHttp } from '../server-client/http.ts'
import { ServerUnreachable } from '../server-client/http.ts'
import type { UserProfile } from '../server-client/wire.ts'
import { serviceMark } from './ciphers.ts'

export type SignInStep =
  | { kind: 'done'; user: UserProfile }
  | { kind: 'mfa'; choices: string[]; message: string }
  | { kind: 'review'; message: string }
  | { kind: 'failed'; code: string; message: string }

interface TokenAnswer {
  token?: string
  user?: UserProfile
  error?: string
  msg?: string
  data?: { choices?: string[] }
}

/**
 * One sign-in over one connection: its cookies exist only here, so an incomplete sign-in belongs to this connection
 * only.
 */
export class SignIn {
  private readonly http: ServerHttp
  private readonly remoteAddr: string
  private readonly language: Language
  private readonly jar = new Map<string, string>()

  constructor(http: ServerHttp, remoteAddr: string, language: Language) {
    this.http = http
    this.remoteAddr = remoteAddr
    this.language = language
  }

  withPassword(username: string, password: string): Promise<SignInStep> {
    return this.step({ username, password, remote_addr: this.remoteAddr })
  }

  /**
   * `publicKey` in the form of an authorized_keys line; the caller has verified that the client holds the private key.
   */
  withPublicKey(username: string, publicKey: string): Promise<SignInStep> {
    return this.step({ username, password: '', public_key: publicKey, remote_addr: this.remoteAddr })
  }

  /** Requests a code, for factors that send one. */
  async chooseFactor(type: string): Promise<void> {
    await this.post('/api/v1/authentication/mfa/select/', { type })
  }

  /** Undefined when the code was right, otherwise the server's error. */
  async verifyCode(type: string, code: string): Promise<string | undefined> {
    const answer = await this.post('/api/v1/authentication/mfa/challenge/', { type, code })
    if (answer.status === 200) return undefined
    return (answer.body as TokenAnswer | undefined)?.msg ?? 'MFA'
  }

  /** Continues after a factor or a review. */
  next(): Promise<SignInStep> {
    return this.step({ remote_addr: this.remoteAddr })
  }

  async reviewState(): Promise<'approved' | 'waiting' | 'refused'> {
    const answer = await this.send('GET', '/api/v1/authentication/login-confirm-ticket/status/')
    const body = answer.body as TokenAnswer | undefined
    if (body?.msg === 'ok' && !body.error) return 'approved'
    return body?.error === 'login_confirm_wait' ? 'waiting' : 'refused'
  }

  async cancelReview(): Promise<void> {
    await this.send('DELETE', '/api/v1/authentication/login-confirm-ticket/status/')
  }

  private async step(body: Record<string, unknown>): Promise<SignInStep> {
    const answer = await this.post('/api/v1/authentication/tokens/', body)
    const fields = (answer.body ?? {}) as TokenAnswer
    const message = fields.msg ?? ''
    if (answer.status === 201 && fields.user) return { kind: 'done', user: fields.user }
    if (answer.status === 200 && fields.error === 'mfa_required') {
      return { kind: 'mfa', choices: fields.data?.choices ?? [], message }
    }
    if (answer.status === 200 && fields.error === 'login_confirm_wait') return { kind: 'review', message }
    if (answer.status >= 500) throw new ServerUnreachable(`sign-in: status ${answer.status}`)
    return { kind: 'failed', code: fields.error ?? String(answer.status), message }
  }

  private post(path: string, body: unknown) {
    return this.send('POST', path, body)
  }

  private async send(method: string, path: string, body?: unknown) {
    const key = this.http.key
    if (!key) throw new ServerUnreachable('not registered')
    const answer = await this.http.send(method, path, {
      signed: false,
      ...(body === undefined ? {} : { body }),
      headers: {
        'x-jms-login-type': 'T',
        'x-jms-svc': serviceMark(key, this.http.now),
        'x-forwarded-for': this.remoteAddr,
        'accept-language': this.language,
        ...(this.jar.size > 0 ? { cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      },
    })
    for (const line of answer.setCookie) this.keep(line)
    return answer
  }

  private keep(line: string): void {
    const pair = line.split(';', 1)[0] as string
    const at = pair.indexOf('=')
    if (at < 1) return
    const name = pair.slice(0, at).trim()
    const value = pair.slice(at + 1).trim()
    if (value === '' || /;\s*max-age=0\b/i.test(line)) this.jar.delete(name)
    else this.jar.set(name, value)
  }
}
