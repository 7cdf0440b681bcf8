/** Sign-ins that continue at another site: what waits here until the browser comes back. */
import type { Context } from '../../../kernel/module/context.ts'
import { hashed, randomText } from '../../../kernel/security/random.ts'
import { beginSession } from '../pages.ts'
import type { Session } from '../session.ts'
import { SignInDenied } from '../sign-in-denied.ts'

/** Time for the sign-in at the other site. Seconds. */
const tripAge = 900
/** Names the browser in its session, so that a state that leaked is of no use in another browser. */
const browserMark = 'auth_browser'

/** What the browser left for. */
export interface Trip {
  /** Name of the backend; a response of another provider is not accepted. */
  readonly backend: string
  readonly purpose: 'sign-in' | 'bind'
  /** Data that the backend needs when the browser returns: a nonce, a code verifier. */
  readonly kept: string
  /** Validated local path after the sign-in, or empty. */
  readonly next: string
  /** The signed-in user who binds an account. */
  readonly userId?: string
}

interface KeptTrip extends Trip {
  readonly browser: string
}

const keyOf = (state: string) => `sign-in:trip:${hashed(state)}`
const formKeyOf = (state: string) => `sign-in:returned-form:${hashed(state)}`

export const newState = (): string => randomText(32)

/** Keeps a trip under its state, for this browser. */
export async function beginTrip(ctx: Context, session: Session, state: string, trip: Trip): Promise<void> {
  beginSession(ctx, session)
  const browser = session.get<string>(browserMark) ?? randomText(32)
  session.set(browserMark, browser)
  const kept: KeptTrip = { ...trip, browser: hashed(browser) }
  await ctx.kv.set(keyOf(state), kept, tripAge)
}

/**
 * Ends the trip with a state. Every state ends once, in the browser that began it.
 * @throws SignInDenied for an unknown, used or expired state, one of another browser, or of another backend or purpose
 */
export async function endTrip(
  ctx: Context,
  session: Session,
  state: string | undefined,
  { backend, purpose }: Pick<Trip, 'backend' | 'purpose'>,
): Promise<Trip> {
  // A response that this browser did not request would sign it in as another user.
  const over = () => new SignInDenied('session_empty', {}, { logged: false })
  const browser = session.get<string>(browserMark)
  if (!state || !browser) throw over()
  // Another browser must not end the trip of the one that began it.
  const found = await ctx.kv.get<KeptTrip>(keyOf(state))
  if (found?.backend !== backend || found.purpose !== purpose || found.browser !== hashed(browser)) throw over()
  const trip = await ctx.kv.take<KeptTrip>(keyOf(state))
  if (!trip) throw over()
  return trip
}

/** Characters of a posted response; a SAML response with a chain of certificates has about 20,000. */
const longestForm = 256 * 1024

/**
 * Keeps a form that a provider had the browser post. Browsers send no session cookie with a form of another site, so
 * the request that uses it is the redirect after it. Only kept for a trip that is under way.
 * @returns whether it was kept
 */
export async function keepForm(
  ctx: Context,
  state: string | undefined,
  form: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (!state || JSON.stringify(form).length > longestForm) return false
  if (!(await ctx.kv.get(keyOf(state)))) return false
  await ctx.kv.set(formKeyOf(state), form, 60)
  return true
}

export const takeForm = (ctx: Context, state: string | undefined): Promise<Record<string, string> | undefined> =>
  state ? ctx.kv.take<Record<string, string>>(formKeyOf(state)) : Promise.resolve(undefined)
