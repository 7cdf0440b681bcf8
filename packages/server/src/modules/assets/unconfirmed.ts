import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'
import { gatewayPlatformId } from './platforms/platform.ts'

/**
 * What somebody who may not see secrets has decided, and nobody who may has confirmed: where an asset is and how it is
 * reached (`destination`), or in which nodes it is (`placement`). The same for what decides about assets elsewhere, such
 * as the cloud account they come from. Secrets that were stored before, or come later, are not opened for it.
 */
export const unconfirmedTable: TableShape = {
  name: 'assets_unconfirmed',
  columns: {
    subject_id: { type: 'uuid' },
    what: { type: 'text' },
    decision: { type: 'uuid' },
    user_id: { type: 'uuid' },
    user_name: { type: 'text' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['subject_id', 'what'],
  unique: [],
  indexes: [],
}

type Decided = 'destination' | 'placement'

/** A decision that nobody who may see secrets has confirmed. */
export interface Unconfirmed {
  /** Another one for every decision, so that whoever entrusts a secret to a destination does so to this one only. */
  readonly decision: string
  readonly user_id: string
  /** Of the user, for the text of a refusal. */
  readonly user_name: string
}

/** Whether the caller may decide where stored secrets are sent. System work may: people decided about it. */
export const mayDecideDestinations = (ctx: Context): boolean => !ctx.caller || ctx.can('accounts.view_accountsecret')

async function forget(ctx: Context, ids: readonly unknown[], what: Decided): Promise<void> {
  for (const some of batches(ids))
    await ctx.acrossOrganizations
      .deleteFrom(unconfirmedTable.name)
      .where('subject_id', 'in', some)
      .where('what', '=', what)
      .execute()
}

/** Marks subjects as decided by somebody who may not see secrets. */
export async function markUnconfirmed(
  ctx: Context,
  ids: readonly unknown[],
  what: Decided,
  by: Omit<Unconfirmed, 'decision'>,
): Promise<void> {
  const all = [...new Set(ids)]
  await forget(ctx, all, what)
  for (const some of batches(all, 100))
    await ctx.acrossOrganizations
      .insertInto(unconfirmedTable.name)
      .values(
        some.map((subject_id) => ({
          ...{ subject_id, what, decision: crypto.randomUUID(), date_created: ctx.now },
          ...{ user_id: by.user_id, user_name: by.user_name },
        })),
      )
      .execute()
}

/** Remembers a decision of the caller about subjects, if the caller is one whose decisions have to be confirmed. */
export async function noteDecision(ctx: Context, ids: readonly unknown[], what: Decided): Promise<void> {
  if (ids.length === 0 || !ctx.caller || mayDecideDestinations(ctx)) return
  const { id, name, username } = ctx.caller
  await markUnconfirmed(ctx, ids, what, { user_id: id, user_name: `${name}(${username})` })
}

/** Takes the caller's decision as the confirmation of what others decided before; the system confirms nothing. */
export async function confirmDecisions(ctx: Context, ids: readonly unknown[], what: Decided): Promise<void> {
  if (ids.length > 0 && ctx.caller && mayDecideDestinations(ctx)) await forget(ctx, ids, what)
}

/** What is not confirmed of these subjects themselves. */
export async function unconfirmedOf(
  ctx: Context,
  ids: readonly unknown[],
  what: Decided,
): Promise<Map<string, Unconfirmed>> {
  const found = new Map<string, Unconfirmed>()
  for (const some of batches([...new Set(ids)]))
    for (const { subject_id, decision, user_id, user_name } of await ctx.acrossOrganizations
      .selectFrom(unconfirmedTable.name)
      .select(['subject_id', 'decision', 'user_id', 'user_name'])
      .where('what', '=', what)
      .where('subject_id', 'in', some)
      .execute())
      found.set(String(subject_id), {
        decision: String(decision),
        user_id: String(user_id),
        user_name: String(user_name),
      })
  return found
}

/** What is not confirmed of the way to assets: of themselves, and of the gateways of their domains. By asset. */
export async function unconfirmedDestinations(
  ctx: Context,
  assetIds: readonly string[],
): Promise<Map<string, Unconfirmed[]>> {
  const own = await unconfirmedOf(ctx, assetIds, 'destination')
  const found = new Map<string, Unconfirmed[]>([...own].map(([id, one]) => [id, [one]]))
  const platform = await gatewayPlatformId(ctx)
  for (const some of batches([...new Set(assetIds)]))
    for (const { asset_id, decision, user_id, user_name } of await ctx.acrossOrganizations
      .selectFrom('assets_asset as a')
      .innerJoin('assets_asset as g', 'g.domain_id', 'a.domain_id')
      .innerJoin(`${unconfirmedTable.name} as u`, 'u.subject_id', 'g.id')
      .select(['a.id as asset_id', 'u.decision', 'u.user_id', 'u.user_name'])
      .where('a.id', 'in', some)
      .where('u.what', '=', 'destination')
      .where('g.platform_id', '=', platform)
      .whereRef('g.id', '!=', 'a.id')
      .execute()) {
      const list = found.get(String(asset_id)) ?? []
      list.push({ decision: String(decision), user_id: String(user_id), user_name: String(user_name) })
      found.set(String(asset_id), list)
    }
  return found
}

/** Removes what is remembered of deleted assets. */
export async function forgetUnconfirmed(ctx: Context, ids: readonly unknown[]): Promise<void> {
  await forget(ctx, ids, 'destination')
  await forget(ctx, ids, 'placement')
}
