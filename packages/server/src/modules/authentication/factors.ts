import { roleIds } from '@castellan/contract/ids'
import type { Context, SessionHandle } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'
import { identityCatalogue, type SecondFactor } from '../../kernel/security/sign-in.ts'
import { signInSecurity, type UserRow } from '../users/index.ts'
import { subjectOf, tryGuessable } from './limits.ts'
import type { Session } from './session.ts'
import { SignInDenied } from './sign-in-denied.ts'

export type { UserRow }

export interface Factors {
  /** A second factor is required at sign-in. */
  enabled: boolean
  /** Required by a setting or an administrator; the user cannot disable it. */
  forced: boolean
  /** Factors the user can use now. */
  active: string[]
}

async function administersAnOrg(ctx: Context, userId: string): Promise<boolean> {
  const row = await ctx.services.database.reader
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('user_id', '=', userId)
    .where('role_id', 'in', [roleIds.systemAdmin, roleIds.orgAdmin])
    .executeTakeFirst()
  return row !== undefined
}

const demandMark = 'auth_demanded_factor'

/** The source of a user wants this factor before the sign-in under way can go on. */
export function demandFactor(
  session: SessionHandle,
  userId: string,
  { factor, kept }: { factor: string; kept: string },
) {
  session.set(demandMark, { factor, userId })
  // A factor that was passed before, in the same browser, is not the answer.
  session.delete('auth_mfa')
  keepForFactor(session, factor, kept)
}

/** The first step of this sign-in is not finished, although it was accepted so far. */
export const isUnfinished = (session: SessionHandle, row: UserRow): boolean =>
  demandedFactor(session, row) !== undefined

/** Ends the demand: with the sign-in, or when another one begins. */
export const forgetDemand = (session: SessionHandle): void => session.delete(demandMark)

function demandedFactor(session: SessionHandle | undefined, row: UserRow): SecondFactor | undefined {
  const demand = session?.get<{ factor: string; userId: string }>(demandMark)
  return demand?.userId === row.id ? identityCatalogue.factor(demand.factor) : undefined
}

/** The second factors of a user: required, enforced, available. */
export async function factorsOf(ctx: Context, row: UserRow): Promise<Factors> {
  const demanded = demandedFactor(ctx.session, row)
  if (demanded) return { enabled: true, forced: true, active: [demanded.name] }
  const policy = Number(signInSecurity.of(ctx).SECURITY_MFA_AUTH ?? 0)
  const level = Number(row.mfa_level)
  const forced = policy === 1 || level === 2 || (policy === 2 && (await administersAnOrg(ctx, row.id)))
  const active = await identityCatalogue.activeFactors(ctx, row)
  return { enabled: forced || level > 0, forced, active: active.map(({ name }) => name) }
}

/** Every factor the installation offers; those unavailable to the user are disabled. */
export function offeredFactors(ctx: Context, factors: Factors) {
  const offered = identityCatalogue.factors(ctx)
  const others = factors.active.flatMap((name) => identityCatalogue.factor(name) ?? [])
  return [...new Set([...others, ...offered])].map(({ name, label, placeholder }) => ({
    name,
    disabled: !factors.active.includes(name),
    display_name: label[ctx.language],
    placeholder: placeholder[ctx.language],
  }))
}

/** The factor with a name, if the user can use it. */
export async function activeFactor(ctx: Context, row: UserRow, name: string): Promise<SecondFactor | undefined> {
  const demanded = demandedFactor(ctx.session, row)
  const active = demanded ? [demanded] : await identityCatalogue.activeFactors(ctx, row)
  return active.find((factor) => factor.name === name)
}

/** The factor meant where none is named. */
export const firstFactor = async (ctx: Context, row: UserRow): Promise<string> =>
  (await factorsOf(ctx, row)).active[0] ?? ''

const keptMark = (factor: string) => `auth_factor_${factor}`

/** Keeps something in the session for the next check of a factor, such as the challenge that a key has to sign. */
export const keepForFactor = (session: SessionHandle, factor: string, value: string): void =>
  session.set(keptMark(factor), value)

/** Checks a code without counting failures: for confirmations by a signed-in user. */
export async function codeIsRight(ctx: Context, row: UserRow, type: string, code: string): Promise<boolean> {
  const factor = await activeFactor(ctx, row, type)
  if (!factor) return false
  const kept = ctx.session?.get<string>(keptMark(type)) ?? ''
  ctx.session?.delete(keptMark(type))
  return factor.check(ctx.withoutSession(), row, code, kept)
}

/** An installation may trust the second factor of its identity providers, and of systems that get links for users. */
function leavesFactorToProvider(ctx: Context, session: Session): boolean {
  if (signInSecurity.of(ctx).SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY) return false
  const name = session.get<string>('auth_backend')
  return identityCatalogue.backends.some(
    (backend) => ['redirect', 'token'].includes(backend.kind) && backend.name === name,
  )
}

/**
 * For whom a factor counts as passed, as long as the session lasts: not after the password, the authenticator app or the
 * telephone of the user is another one.
 */
const markOf = ({ id, password_hash, otp_secret, phone }: UserRow): string =>
  hashed(JSON.stringify([id, password_hash, otp_secret?.stored() ?? '', phone]))

/**
 * Decides for every sign-in whether the second factor is done. Marks the session on success; throws the error that
 * names the missing step.
 */
export async function passSecondFactor(
  ctx: Context,
  session: Session,
  row: UserRow,
  sent?: { type: string; code: string },
): Promise<void> {
  const factors = await factorsOf(ctx, row)
  if (!factors.enabled || leavesFactorToProvider(ctx, session)) return
  if (session.get('auth_mfa') && session.get('auth_mfa_mark') === markOf(row)) return
  if (!sent) {
    throw new SignInDenied(
      'mfa_required',
      {},
      { status: 200, logged: false, data: { choices: factors.active, url: '/api/v1/authentication/mfa/challenge/' } },
    )
  }
  await tryGuessable(ctx, 'mfa', subjectOf(row, row.username), () => codeIsRight(ctx, row, sent.type, sent.code))
  session.set('auth_mfa', true)
  session.set('auth_mfa_mark', markOf(row))
  session.set('auth_mfa_type', sent.type)
  session.set('auth_mfa_time', ctx.now)
}
