import type { authBackends } from '@castellan/contract/choices/authentication'
import type { Message } from '@castellan/contract/messages'
import type { Context } from './context.ts'
import type { RequestParts } from './route.ts'
import type { Sealed } from './secrets.ts'

/** What backends and factors may know of somebody. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly source: string
  readonly is_service_account: boolean
  readonly password_hash: string | null
  readonly public_key: string | null
  readonly otp_secret: Sealed | null
}

/** All that a backend can say: who it is, and which source vouches for it. Everything else the authentication module decides. */
export interface Identified {
  /** As users have it: `local`, `ldap` … */
  readonly source: string
  readonly username: string
  /** What the source knows of the person; taken over for people of this source. */
  readonly attributes?: { readonly name?: string; readonly email?: string }
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

/** Somebody typed a name and a password. Backends are asked in the order of their modules until one knows the person. */
export interface PasswordBackend extends Backend {
  readonly kind: 'password'
  /** The password is ours: it grows old, and may have to be changed. */
  readonly keepsPassword?: true
  /** `account`: whom the typed name belongs to. The work must take as long when it belongs to nobody. */
  authenticate(
    ctx: Context,
    typed: { readonly username: string; readonly password: string; readonly account: Account | undefined },
  ): Promise<Identified | undefined>
}

/** A trusted component has verified that somebody owns a key. */
export interface KeyBackend extends Backend {
  readonly kind: 'key'
  authenticate(
    ctx: Context,
    shown: { readonly publicKey: string; readonly account: Account | undefined },
  ): Promise<Identified | undefined>
}

/** The browser goes to a provider and comes back to `/core/auth/<name>/callback/`. */
export interface RedirectBackend extends Backend {
  readonly kind: 'redirect'
  /** Where the browser goes, and what `authenticate` needs to know when it comes back (a nonce, say): it is given once. */
  start(ctx: Context, callbackUrl: string): Promise<{ readonly url: string; readonly kept?: string }>
  authenticate(
    ctx: Context,
    back: { readonly request: RequestParts; readonly callbackUrl: string; readonly kept: string },
  ): Promise<Identified | undefined>
}

/** One way to prove who one is. */
export type SignInBackend = PasswordBackend | KeyBackend | RedirectBackend

/** One way to prove it a second time. */
export interface SecondFactor extends Declared {
  readonly placeholder: Message
  /** The person can use it now. */
  isActive(account: Account): boolean
  /** Sends a code, where one must be asked for first. */
  challenge?(ctx: Context, account: Account): Promise<void>
  check(ctx: Context, account: Account, code: string): Promise<boolean>
  /** Takes it from somebody who lost it. */
  reset?(ctx: Context, account: { readonly id: string }): Promise<void>
  /** Pages where people switch it on and off by themselves. */
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

  /** Takes every second factor from somebody. */
  async resetFactors(ctx: Context, account: { readonly id: string }): Promise<void> {
    for (const factor of this.#factors) await factor.reset?.(ctx, account)
  }
}

/** Filled by `connectModules`. */
export const identityCatalogue = new IdentityCatalogue()
