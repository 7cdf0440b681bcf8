/** What a provider gave for a sign-in: tokens, the names of its session, and until when it has to be asked again. */
import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import type { Context } from '../../kernel/module/context.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { hashed } from '../../kernel/security/random.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import type { ProviderAnswer, ProviderIdentity, RedirectBackend } from '../../kernel/security/sign-in.ts'
import { confirmIdentity, identitiesOf, type UserRow, user } from '../users/index.ts'
import { providerOf } from './provider-age.ts'
import { loginsEnded, providerMark, type Session } from './session.ts'
import { SignInDenied } from './sign-in-denied.ts'
import { providerSessionTable, sessionTable } from './tables.ts'

const place = 'authentication_providersession.at_provider'
/** In the session of a sign-in that is under way: what the provider said. */
const pendingMark = 'provider_answer'

/** What a provider said in a sign-in that is not finished yet. */
interface Pending {
  readonly backend: string
  readonly provider: string
  readonly identity?: ProviderIdentity
  readonly atProvider: string
  readonly names: readonly string[]
  readonly renewAt: number | null
  readonly askableUntil: number | null
}

const nameOf = (backend: string, name: string) => hashed(`${backend} ${name}`)

/** Keeps the answer of a provider until the sign-in is finished; forgets that of an earlier one. */
export function keepAtProvider(
  ctx: Context,
  session: Session,
  backend: RedirectBackend | undefined,
  answer: ProviderAnswer,
): void {
  session.delete(pendingMark)
  if (!backend) return
  const pending: Pending = {
    backend: backend.name,
    provider: providerOf(backend),
    ...(answer.identity && { identity: answer.identity }),
    atProvider: ctx.services.vault.seal(answer.atProvider ?? '', place).stored(),
    names: (answer.providerSession ?? []).map((name) => nameOf(backend.name, name)),
    renewAt: answer.renewAt ?? null,
    askableUntil: answer.askableUntil ?? null,
  }
  session.set(pendingMark, pending)
}

/**
 * @throws SignInDenied if the provider knows the user as somebody else: a name that was given to another person there,
 * or a sign-in without the id that the user is bound to
 */
export async function demandSameIdentity(
  ctx: Context,
  row: UserRow,
  provider: string,
  identity: ProviderIdentity | undefined,
): Promise<void> {
  const bound = (await identitiesOf(ctx, row.id)).find((one) => one.provider === provider)?.identity
  if (!bound || (bound.issuer === identity?.issuer && bound.subject === identity.subject)) return
  // The user in question is in the log, for the administrators who may unbind it.
  await ctx.transaction((inside) =>
    recordAction(inside.inOrg(defaultOrgId), user, 'notice', row, {
      provider,
      identity: identity?.subject ?? '',
      bound_to: bound.subject,
    }),
  )
  throw new SignInDenied('provider_identity_other')
}

/** The sign-in of a provider is finished: the user is bound to its identity, and its tokens are kept. */
export async function settleAtProvider(ctx: Context, session: Session, row: UserRow): Promise<void> {
  const pending = session.get<Pending>(pendingMark)
  session.delete(pendingMark, providerMark)
  if (!pending) return
  const id = randomUUID()
  await demandSameIdentity(ctx, row, pending.provider, pending.identity)
  await ctx.transaction(async (inside) => {
    await confirmIdentity(inside, row.id, pending.provider, pending.identity)
    await inside.rawDb
      .insertInto(providerSessionTable.name)
      .values({
        id,
        user_id: row.id,
        backend: pending.backend,
        provider: pending.provider,
        at_provider: pending.atProvider,
        names: JSON.stringify(pending.names),
        date_renewal: pending.renewAt,
        date_askable: pending.askableUntil,
        date_created: ctx.now,
      })
      .execute()
  })
  session.set(providerMark, id)
}

/** Ends the sign-ins, and their browser sessions, that a backend opened under a name of its provider. */
export async function endProviderSessions(ctx: Context, backend: string, name: string): Promise<void> {
  await ctx.transaction(async (inside) => {
    const ended = await inside.rawDb
      .deleteFrom(providerSessionTable.name)
      .where('backend', '=', backend)
      .where('names', 'like', `%"${nameOf(backend, name)}"%`)
      .returning(['id', 'user_id'])
      .execute()
    for (const { id, user_id } of ended)
      await inside.rawDb
        .deleteFrom(sessionTable.name)
        .where('user_id', '=', user_id)
        .where('data', 'like', `%"${providerMark}":"${id}"%`)
        .execute()
    const userIds = [...new Set(ended.map(({ user_id: id }) => String(id)))]
    if (userIds.length > 0) await inside.publish(loginsEnded, { userIds })
  })
}

/** What the backend of a browser session kept for its provider; empty where there is none. */
export async function atProviderOf(ctx: Context, session: Session): Promise<string> {
  const id = session.get<string>(providerMark)
  const row =
    id &&
    (await ctx.services.database.reader
      .selectFrom(providerSessionTable.name)
      .select('at_provider')
      .where('id', '=', id)
      .executeTakeFirst())
  return row ? ctx.services.vault.open(new Sealed(String(row.at_provider), place)) : ''
}

export const sealedForProvider = (ctx: Context, atProvider: string): string =>
  ctx.services.vault.seal(atProvider, place).stored()

export const openedForProvider = (ctx: Context, stored: unknown): string =>
  ctx.services.vault.open(new Sealed(String(stored), place))
