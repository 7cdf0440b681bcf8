import type { authBackends } from '@castellan/contract/choices/authentication'
import type { Message } from '@castellan/contract/messages'
import type { RequestParts } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import type { Sealed } from './secrets.ts'

/** What backends and factors see of a user. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly phone: string | null
  readonly source: string
  readonly is_service_account: boolean
  readonly password_hash: string | null
  readonly public_key: string | null
  readonly otp_secret: Sealed | null
}

/** The result of a backend: a username and the source that vouches for it. The authentication module decides the rest. */
export interface Identified {
  /** As users have it: `local`, `ldap` … */
  readonly source: string
  readonly username: string
  /** Attributes from the source; applied to users of this source. */
  readonly attributes?: {
    readonly name?: string
    readonly email?: string
    readonly phone?: string
    readonly comment?: string
  }
  /** Does not create a user who is not known yet. */
  readonly creates?: false
  /** Attributes are for a new user only; a known one keeps what was entered here. */
  readonly updates?: false
  /** The source demands a further answer: this factor has to pass, and no other; `kept` is for its check. */
  readonly unfinished?: { readonly factor: string; readonly kept: string }
}

interface Declared {
  /** As sessions and the addresses of redirects have it. */
  readonly name: string
  /** On the sign-in page. */
  readonly label: Message
  isEnabled(ctx: Context): boolean
}

interface Backend extends Declared {
  /** In the login log. */
  readonly loggedAs: keyof typeof authBackends
}

/** Checks a typed name and password. Backends are asked in the order of their modules until one accepts. */
export interface PasswordBackend extends Backend {
  readonly kind: 'password'
  /** The password is ours: it grows old, and may have to be changed. */
  readonly keepsPassword?: true
  /** `account`: the user with the typed name. Must take as long when there is none. */
  authenticate(
    ctx: Context,
    typed: { readonly username: string; readonly password: string; readonly account: Account | undefined },
  ): Promise<Identified | undefined>
}

/** For a key whose possession a trusted component has verified. */
export interface KeyBackend extends Backend {
  readonly kind: 'key'
  authenticate(
    ctx: Context,
    shown: { readonly publicKey: string; readonly account: Account | undefined },
  ): Promise<Identified | undefined>
}

/** Addresses of one sign-in at a provider. */
export interface Departure {
  /** Where the provider sends the browser back. */
  readonly callbackUrl: string
  /** Random and valid once; the provider must return it. */
  readonly state: string
}

/** A user at a provider, by an id that stays when names and addresses change: who issued it, and the id. */
export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
}

/** Whom a provider named, and what its sign-out needs. */
export interface ProviderAnswer extends Identified {
  /** A user is bound to it at the first sign-in, and is nobody else's afterwards. Absent where a provider has none. */
  readonly identity?: ProviderIdentity
  /** Kept, encrypted, in the session that is opened: tokens, or the provider's own session. */
  readonly atProvider?: string
  /** By which names the provider may end the session later: its session, or the user. */
  readonly providerSession?: readonly string[]
  /** When the provider is to be asked whether it still knows the user. Milliseconds since 1970. */
  readonly renewAt?: number
  /** Until when it can be asked, where it says so: afterwards its refusal tells nothing. Milliseconds since 1970. */
  readonly askableUntil?: number
}

/** What the provider of a session says later: new tokens, nothing new for the moment, or that the user is gone. */
export type Renewal =
  | { readonly atProvider: string; readonly renewAt?: number; readonly askableUntil?: number }
  | 'unreachable'
  | 'ended'

/** Where a browser is sent: redirected, or with `form`, which it posts there. */
export interface ProviderAddress {
  readonly url: string
  readonly form?: Readonly<Record<string, string>>
}

/**
 * The browser goes to a provider and comes back to `/core/auth/<path>/callback/`. State, its expiry, its single use and
 * the browser it belongs to are checked before `authenticate` is asked.
 */
export interface RedirectBackend extends Backend {
  readonly kind: 'redirect'
  /** Below `/core/auth/`, of one or two segments; the name if absent. */
  readonly path?: string
  /** The source of the users that it creates; the name if absent. */
  readonly source?: string
  /** The sign-in page redirects to it by itself. */
  readonly automatic?: true
  /** Without a button on the sign-in page: another program leads to it. */
  readonly isHidden?: true
  /** On the button of the sign-in page; the label if absent. */
  button?(ctx: Context): { readonly label?: string; readonly logo?: string }
  /** Where the provider returns the state, if not as the parameter `state`. */
  readonly stateParameter?: string
  /** Where to send the browser, and data for `authenticate` when it returns (a nonce, for example), valid once. */
  start(ctx: Context, departure: Departure): Promise<ProviderAddress & { readonly kept?: string }>
  authenticate(
    ctx: Context,
    back: Departure & { readonly request: RequestParts; readonly kept: string },
  ): Promise<ProviderAnswer | undefined>
  /** Asks the provider whether it still knows the user of a session that it opened. */
  renew?(ctx: Context, atProvider: string): Promise<Renewal>
  /**
   * The name of its session (`providerSession`) that the provider ends by a form that it posts to the callback itself,
   * without a browser; undefined for other forms.
   * @throws Error for one that cannot be read
   */
  endedBy?(form: Readonly<Record<string, string>>): string | undefined
  /** Where a browser that signs out here is sent to sign out at the provider too. */
  signOut?(
    ctx: Context,
    session: { readonly atProvider: string; readonly returnUrl: string },
  ): Promise<ProviderAddress | undefined>
}

/** A browser signs a challenge that this session was given, with a key of its own. */
export interface AssertionBackend extends Backend {
  readonly kind: 'assertion'
  /** `challenge` is valid once. */
  authenticate(
    ctx: Context,
    shown: { readonly request: RequestParts; readonly challenge: string; readonly assertion: unknown },
  ): Promise<Identified | undefined>
}

/** For a token that this installation issued to somebody else, who gave it to the user. */
export interface TokenBackend extends Backend {
  readonly kind: 'token'
  authenticate(ctx: Context, shown: { readonly token: string }): Promise<Identified | undefined>
}

/** One way to prove who one is. */
export type SignInBackend = PasswordBackend | KeyBackend | RedirectBackend | AssertionBackend | TokenBackend

/** One way to prove it a second time. */
export interface SecondFactor extends Declared {
  readonly placeholder: Message
  /** The user can use it now. */
  isActive(account: Account, ctx: Context): boolean | Promise<boolean>
  /** Sends a code, where one must be asked for first. */
  challenge?(ctx: Context, account: Account): Promise<void>
  /** `kept`: what this factor left in the session (`keepForFactor`), valid once. */
  check(ctx: Context, account: Account, code: string, kept: string): Promise<boolean>
  /** Removes it from a user who lost it. */
  reset?(ctx: Context, account: { readonly id: string }): Promise<void>
  /** Pages where users enable and disable it. */
  readonly enrolPath?: string
  readonly removePath?: string
}

export interface IdentityParts {
  readonly backends?: readonly SignInBackend[]
  readonly factors?: readonly SecondFactor[]
}

function demandUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`Two modules declare the ${what} ${twice}.`)
}

/** Every sign-in backend and second factor of the installation's modules. */
export class IdentityCatalogue {
  #backends: readonly SignInBackend[] = []
  #factors: readonly SecondFactor[] = []

  connect(parts: readonly IdentityParts[]): void {
    const backends = parts.flatMap((part) => part.backends ?? [])
    const factors = parts.flatMap((part) => part.factors ?? [])
    for (const [what, all] of [['sign-in backend', backends] as const, ['second factor', factors] as const])
      demandUnique(
        what,
        all.map(({ name }) => name),
      )
    this.#backends = backends
    this.#factors = factors
  }

  get backends(): readonly SignInBackend[] {
    return this.#backends
  }

  /** Those of a kind that the settings switch on. */
  enabled<K extends SignInBackend['kind']>(ctx: Context, kind: K): Extract<SignInBackend, { kind: K }>[] {
    return this.#backends.filter(
      (backend): backend is Extract<SignInBackend, { kind: K }> => backend.kind === kind && backend.isEnabled(ctx),
    )
  }

  /** Factors that the settings switch on. */
  factors(ctx: Context): readonly SecondFactor[] {
    return this.#factors.filter((factor) => factor.isEnabled(ctx))
  }

  /** A factor, whether or not the settings switch it on for everybody. */
  factor(name: string): SecondFactor | undefined {
    return this.#factors.find((factor) => factor.name === name)
  }

  /** The factors that a user can use now. */
  async activeFactors(ctx: Context, account: Account): Promise<SecondFactor[]> {
    const active: SecondFactor[] = []
    for (const factor of this.factors(ctx)) if (await factor.isActive(account, ctx)) active.push(factor)
    return active
  }

  /** Removes every second factor of a user. */
  async resetFactors(ctx: Context, account: { readonly id: string }): Promise<void> {
    for (const factor of this.#factors) await factor.reset?.(ctx, account)
  }
}

/** Filled by `connectModules`. */
export const identityCatalogue = new IdentityCatalogue()
