import { type Language, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import ssh2 from 'ssh2'
import type { Broker } from '../../brokering/broker.ts'
import type { Grant } from '../../brokering/catalog.ts'
import { redeemTokenByValue } from '../../brokering/grants.ts'
import { refusalOf } from '../../brokering/session-denied.ts'
import { type User, userOf } from '../../brokering/user.ts'
import { beginSignIn, type SignIn, type SignInStep } from '../../brokering/user-sign-in.ts'
import { log } from '../../log.ts'
import { type LoginName, parseLoginName } from './login-name.ts'

/** The signed-in user and the parsed login name. A token includes its grant. */
export interface Arrival {
  user: User
  name: LoginName
  grant?: Grant
}

/** Authentication attempts per connection. */
const attemptLimit = 8
/** Polling interval for the review of a waiting login. Milliseconds. */
const reviewPoll = 5000
const tokenMethods = ['ssh_client', 'ssh_guide', 'sftp_client']

/** Handles the authentication of one SSH connection; all of its state ends with the connection. */
export class Authentication {
  private readonly broker: Broker
  private readonly remoteAddr: string
  private readonly language: Language
  private readonly onArrival: (arrival: Arrival) => void
  private signIn: SignIn | undefined
  private username: string | undefined
  private step: SignInStep | undefined
  private attempts = 0
  private busy = false
  private isGone = false
  /** Why the last attempt could not be checked, until the client was informed. */
  private outage: string | undefined

  constructor(
    broker: Broker,
    origin: { remoteAddr: string; language: Language },
    onArrival: (arrival: Arrival) => void,
  ) {
    this.broker = broker
    this.remoteAddr = origin.remoteAddr
    this.language = origin.language
    this.onArrival = onArrival
  }

  /** Handles one request. Resolves to false when the connection has no attempts left. */
  async handle(context: ssh2.AuthContext): Promise<boolean> {
    if (this.busy) {
      context.reject([])
      return true
    }
    this.busy = true
    try {
      if (context.method !== 'none') this.attempts += 1
      if (this.attempts > attemptLimit) return false
      // A changed username starts over: completed factors belong to the previous one.
      if (this.username !== undefined && this.username !== context.username) {
        this.username = undefined
        this.step = undefined
        this.signIn = undefined
      }
      await this.dispatch(context)
    } catch (error) {
      log.warn({ err: error, remote: this.remoteAddr }, 'sign-in failed')
      this.outage = refusalOf(error).say(this.language)
      context.reject(['keyboard-interactive'])
    } finally {
      this.busy = false
    }
    return true
  }

  /** The connection was closed: stops waiting for a review. */
  close(): void {
    this.isGone = true
  }

  private async dispatch(context: ssh2.AuthContext): Promise<void> {
    switch (context.method) {
      case 'password':
        return this.password(context)
      case 'publickey':
        return this.publicKey(context)
      case 'keyboard-interactive':
        return this.interactive(context)
      default:
        return context.reject(this.offered())
    }
  }

  private offered(): ssh2.AuthenticationType[] {
    if (this.step?.kind === 'mfa' || this.step?.kind === 'review') return ['keyboard-interactive']
    const config = this.broker.config()
    return [
      ...(config.TERMINAL_PUBLIC_KEY_AUTH ? (['publickey'] as const) : []),
      ...(config.TERMINAL_PASSWORD_AUTH ? (['password'] as const) : []),
    ]
  }

  private async password(context: ssh2.PasswordAuthContext): Promise<void> {
    const name = parseLoginName(context.username)
    if (name.kind === 'token') {
      const grant = await redeemTokenByValue(this.broker, name.token, context.password, tokenMethods)
      if (!grant) return context.reject(['password'])
      const origin = { language: this.language, remoteAddr: this.remoteAddr, loginFrom: 'ST' } as const
      this.onArrival({ user: userOf(grant.user, origin), name, grant })
      return context.accept()
    }
    if (!this.broker.config().TERMINAL_PASSWORD_AUTH) return context.reject(this.offered())
    this.signIn ??= beginSignIn(this.broker, this.remoteAddr, this.language)
    return this.goOn(context, name, await this.signIn.withPassword(name.user, context.password))
  }

  private async publicKey(context: ssh2.PublicKeyAuthContext): Promise<void> {
    const name = parseLoginName(context.username)
    if (name.kind === 'token' || !this.broker.config().TERMINAL_PUBLIC_KEY_AUTH) return context.reject(this.offered())
    const key = ssh2.utils.parseKey(context.key.data)
    if (key instanceof Error) return context.reject(this.offered())
    // Of RSA and DSA with SHA-1. Clients that can do better are told so, and offer the same key again.
    if (context.key.algo === 'ssh-dss' || (context.key.algo === 'ssh-rsa' && !context.hashAlgo))
      return context.reject(this.offered())
    if (!context.signature || !context.blob) {
      // The client only queries whether this key would be accepted; the answer is always yes, so that existing keys are
      // not revealed, and it is not counted as an attempt.
      this.attempts -= 1
      return context.accept()
    }
    const parsed = Array.isArray(key) ? key[0] : key
    if (parsed?.verify(context.blob, context.signature, context.hashAlgo) !== true)
      return context.reject(this.offered())
    this.signIn ??= beginSignIn(this.broker, this.remoteAddr, this.language)
    const line = `${parsed.type} ${context.key.data.toString('base64')}`
    return this.goOn(context, name, await this.signIn.withPublicKey(name.user, line))
  }

  private async goOn(context: ssh2.AuthContext, name: LoginName, step: SignInStep): Promise<void> {
    this.step = step
    this.username = context.username
    if (step.kind === 'done') {
      const origin = { language: this.language, remoteAddr: this.remoteAddr, loginFrom: 'ST' } as const
      this.onArrival({ user: userOf(step.user, origin), name })
      return context.accept()
    }
    if (step.kind === 'failed') {
      log.info({ remote: this.remoteAddr, code: step.code }, 'sign-in rejected')
      this.step = undefined
      return context.reject(this.offered())
    }
    return context.reject(['keyboard-interactive'], true)
  }

  private async interactive(context: ssh2.KeyboardAuthContext): Promise<void> {
    const name = parseLoginName(context.username)
    const { signIn, outage } = this
    if (outage !== undefined) {
      // Before sign-in, a client can only be shown a text by a prompt without questions.
      this.outage = undefined
      await new Promise<void>((resolve) => context.prompt([], '', outage, () => resolve()))
      return context.reject(this.offered())
    }
    if (!signIn || this.username !== context.username || name.kind === 'token') return context.reject(this.offered())
    if (this.step?.kind === 'mfa') {
      const passed = await this.askFactor(context, signIn, this.step)
      if (!passed) return context.reject(['keyboard-interactive'])
      this.step = await signIn.next()
    }
    if (this.step?.kind === 'review') {
      if (!(await this.askReview(context, signIn))) {
        this.step = undefined
        return context.reject(this.offered())
      }
      this.step = await signIn.next()
    }
    return this.goOn(context, name, this.step ?? { kind: 'failed', code: 'session_empty', message: '' })
  }

  private async askFactor(
    context: ssh2.KeyboardAuthContext,
    signIn: SignIn,
    step: SignInStep & { kind: 'mfa' },
  ): Promise<boolean> {
    const [first] = step.choices
    if (first === undefined) return false
    let factor = first
    if (step.choices.length > 1) {
      const list = step.choices.map((choice, at) => `${at + 1}. ${choice.toUpperCase()}`).join('\n')
      const [answer] = await this.prompt(context, `${say(gatewayMessages.mfaChoice, this.language)}\n${list}\n> `, true)
      const chosen = step.choices[Number(answer) - 1]
      if (!chosen) return false
      factor = chosen
    }
    if (factor === 'sms') await signIn.chooseFactor(factor)
    const values = { factor: factor.toUpperCase() }
    const [code] = await this.prompt(context, say(gatewayMessages.mfaCode, this.language, values), false)
    if (!code) return false
    const refusal = await signIn.verifyCode(factor, code.trim())
    return refusal === undefined
  }

  private async askReview(context: ssh2.KeyboardAuthContext, signIn: SignIn): Promise<boolean> {
    const [answer] = await this.prompt(context, say(gatewayMessages.loginReview, this.language), true)
    if (/^n/i.test(answer ?? '')) {
      await signIn.cancelReview()
      return false
    }
    while (!this.isGone) {
      const state = await signIn.reviewState()
      if (state !== 'waiting') return state === 'approved'
      await new Promise((resolve) => setTimeout(resolve, reviewPoll))
    }
    return false
  }

  private prompt(context: ssh2.KeyboardAuthContext, prompt: string, echo: boolean): Promise<string[]> {
    return new Promise((resolve) => context.prompt([{ prompt, echo }], (answers) => resolve(answers ?? [])))
  }
}
