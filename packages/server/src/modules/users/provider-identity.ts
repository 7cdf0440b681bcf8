/** As whom the identity providers know users, and when they last vouched for them. */
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { ProviderIdentity } from '../../kernel/security/sign-in.ts'

/**
 * One row for a user and a provider. Names and addresses of a provider can be given to somebody else there; its issuer
 * and subject cannot.
 */
export const providerIdentityTable: TableShape = {
  name: 'users_provideridentity',
  columns: {
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    provider: { type: 'text' },
    /** Null for providers without a lasting id, and after an administrator unbound the user. */
    issuer: { type: 'text', nullable: true },
    subject: { type: 'text', nullable: true },
    /** The last sign-in there, or the last time the provider answered that it still knows the user. */
    date_confirmed: { type: 'timestamp' },
    /** Since when the provider knows the user no longer. */
    date_ended: { type: 'timestamp', nullable: true },
  },
  primaryKey: ['user_id', 'provider'],
  unique: [['provider', 'issuer', 'subject']],
  indexes: [],
}

export interface KnownIdentity {
  readonly provider: string
  readonly identity: ProviderIdentity | undefined
  readonly dateConfirmed: number
}

const rows = (ctx: Context) => ctx.rawDb.selectFrom(providerIdentityTable.name).selectAll()

/** The user who is bound to an identity. */
export async function userIdByIdentity(
  ctx: Context,
  provider: string,
  { issuer, subject }: ProviderIdentity,
): Promise<string | undefined> {
  const found = await rows(ctx)
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return found && String(found.user_id)
}

/** What is known of a user at every provider. */
export async function identitiesOf(ctx: Context, userId: string): Promise<KnownIdentity[]> {
  const found = await rows(ctx).where('user_id', '=', userId).orderBy('provider').execute()
  return found.map(({ provider, issuer, subject, date_confirmed }) => ({
    provider: String(provider),
    identity: issuer === null || subject === null ? undefined : { issuer: String(issuer), subject: String(subject) },
    dateConfirmed: Number(date_confirmed),
  }))
}

/** Whose user somebody is, and when the provider last vouched for the user. */
export interface Confirmation {
  readonly source: string
  readonly date_joined: number
  readonly date_confirmed: number | null
  readonly date_ended: number | null
}

/** For a query of users `u`: what their sources said of them. */
export const confirmationColumns = (ctx: Context) =>
  (['date_confirmed', 'date_ended'] as const).map((column) =>
    ctx.rawDb
      .selectFrom('users_provideridentity as p')
      .select(`p.${column} as value`)
      .whereRef('p.user_id', '=', ctx.rawDb.dynamic.ref('u.id'))
      .whereRef('p.provider', '=', ctx.rawDb.dynamic.ref('u.source'))
      .as(column),
  )

/** The same of many users. */
export async function confirmationsOf(
  ctx: Context,
  userIds: readonly string[],
): Promise<(Confirmation & { readonly id: string })[]> {
  const found: (Confirmation & { readonly id: string })[] = []
  for (const some of batches(userIds))
    found.push(
      ...(await ctx.services.database.reader
        .selectFrom('users_user as u')
        .select(['u.id', 'u.source', 'u.date_joined', ...confirmationColumns(ctx)])
        .where('u.id', 'in', some)
        .$castTo<Confirmation & { id: string }>()
        .execute()),
    )
  return found
}

/** When a provider last vouched for a user; undefined if it does not any more. */
export async function confirmedAt(ctx: Context, userId: string, provider: string): Promise<number | undefined> {
  const found = await rows(ctx).where('user_id', '=', userId).where('provider', '=', provider).executeTakeFirst()
  return found && found.date_ended === null ? Number(found.date_confirmed) : undefined
}

/**
 * Notes that a provider vouched for a user, and binds the user to the identity if none is bound yet.
 * @throws the constraint's error if another user was bound to the identity in the meantime
 */
export const confirmIdentity = (
  ctx: Context,
  userId: string,
  provider: string,
  identity?: ProviderIdentity,
): Promise<void> =>
  ctx.transaction(async (inside) => {
    const known = await rows(inside).where('user_id', '=', userId).where('provider', '=', provider).executeTakeFirst()
    const values = {
      ...(identity && (known?.subject ?? null) === null && { issuer: identity.issuer, subject: identity.subject }),
      date_confirmed: ctx.now,
      date_ended: null,
    }
    if (known)
      await inside.rawDb
        .updateTable(providerIdentityTable.name)
        .set(values)
        .where('user_id', '=', userId)
        .where('provider', '=', provider)
        .execute()
    else
      await inside.rawDb
        .insertInto(providerIdentityTable.name)
        .values({ user_id: userId, provider, issuer: null, subject: null, ...values })
        .execute()
  })

/** Notes that a provider knows a user no longer: nothing that came from it is good until the next sign-in there. */
export async function endIdentity(ctx: Context, userId: string, provider: string): Promise<void> {
  await ctx.rawDb
    .updateTable(providerIdentityTable.name)
    .set({ date_ended: ctx.now })
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .execute()
}

/** Unbinds a user from the identities of all providers; the next sign-in at each binds again. */
export async function unbindIdentities(ctx: Context, userId: string): Promise<void> {
  await ctx.rawDb
    .updateTable(providerIdentityTable.name)
    .set({ issuer: null, subject: null })
    .where('user_id', '=', userId)
    .execute()
}
