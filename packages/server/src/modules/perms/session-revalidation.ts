import { setImmediate } from 'node:timers/promises'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { permsMessages } from '@castellan/contract/messages/perms'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { batches } from '../../db/batches.ts'
import { coalesced } from '../../db/coalesced.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import { type Context, type Services, systemContext } from '../../kernel/module/context.ts'
import { on } from '../../kernel/module/hooks.ts'
import { type RecordedChange, rowsChanged } from '../../kernel/resource/changes.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { signInsRevoked, unconfirmedOf } from '../authentication/index.ts'
import { terminateSessions } from '../terminal/index.ts'
import { membersLeft } from '../users/index.ts'
import { protocolPasses } from './effective.ts'
import { type Access, accessTo } from './granted/permed-account.ts'
import type { Subject } from './subject.ts'

/** A change that may end access: of some users, on some assets, or of any. */
export interface Concerned {
  users: string[]
  assets: string[]
  all: boolean
}
export const accessChanged = defineEvent<Concerned>('perms.access.changed')

const anybody: Concerned = { users: [], assets: [], all: true }

/** Changes within this time are evaluated together. Milliseconds. */
const debounceMs = 200
/** Interval at which running sessions are checked without a change, in case an event was missed. Milliseconds. */
const revalidateEveryMs = 15_000
/** Pairs of user and asset evaluated before yielding to other work. */
const yieldEvery = 16
/** Delay after the expiry of a permission or a user before the affected sessions are checked. Milliseconds. */
const graceMs = 50

/**
 * Columns and relations by table whose change can end access. A secret, a comment or a stamp cannot, so rotating thousands
 * of secrets looks at no session.
 */
const accessRelevant: Readonly<Record<string, ReadonlySet<string>>> = {
  perms_assetpermission: new Set([
    ...['users', 'user_groups', 'assets', 'nodes', 'accounts', 'protocols', 'actions'],
    ...['is_active', 'date_start', 'date_expired'],
  ]),
  users_user: new Set(['username', 'is_active', 'date_expired', 'groups']),
  users_usergroup: new Set(['users']),
  assets_asset: new Set(['is_active', 'nodes']),
  assets_node: new Set(['key', 'parent_key']),
  accounts_account: new Set(['name', 'username', 'asset_id', 'is_active']),
}

/** Relations that are resources of their own: each row gives access by itself. */
const isRelation = ({ key }: Resource) =>
  key === 'users.usergrouprelation' || (key.startsWith('perms.') && key !== 'perms.assetpermission')

/** Whether a change can end what some user may do. What is added can only give more. */
function canEndAccess({ resource, action, before, after }: RecordedChange): boolean {
  if (action !== 'update' && action !== 'delete') return false
  if (isRelation(resource)) return true
  const relevant = accessRelevant[resource.table]
  if (!relevant) return false
  return action === 'delete' || [...Object.keys(before), ...Object.keys(after)].some((column) => relevant.has(column))
}

/** Whom and what changes of rows may concern; undefined when access does not depend on them. */
function concernedBy(changes: readonly RecordedChange[]): Concerned | undefined {
  const concerned: Concerned = { users: [], assets: [], all: false }
  for (const change of changes.filter(canEndAccess)) {
    const { table } = change.resource
    if (table === 'users_user') concerned.users.push(change.id)
    else if (table === 'assets_asset') concerned.assets.push(change.id)
    else concerned.all = true
  }
  return concerned.all || concerned.users.length + concerned.assets.length > 0 ? concerned : undefined
}

/** A running session. */
interface Running {
  id: string
  user_id: string
  asset_id: string
  account_id: string
  protocol: string
}

type KnownUser = Subject & { is_active: boolean; date_expired: number | null }
interface KnownAsset {
  id: string
  is_active: boolean
}

/** Whether a running session is no longer permitted. `stored`: ids of accounts that are stored for assets. */
function forbidden(session: Running, access: Access | undefined, stored: ReadonlySet<string>): boolean {
  if (!access || !protocolPasses(access.rules, session.protocol)) return true
  const allowed = access.accounts.filter((one) => one.actions !== 0)
  if (allowed.some((one) => one.account?.id === session.account_id)) return false
  // A virtual account has another id each time: some virtual account must still be permitted.
  return stored.has(session.account_id) || !allowed.some((one) => one.account === undefined)
}

interface Verdict {
  ids: string[]
  reason: string
}

/** The users, assets and accounts of running sessions, by id; loaded together. */
interface Known {
  users: ReadonlyMap<string, KnownUser>
  assets: ReadonlyMap<string, KnownAsset>
  accounts: ReadonlySet<string>
  /** Users whom their providers have to confirm again. */
  unconfirmed: ReadonlySet<string>
}

/** Loads rows by id, one statement per batch. */
async function rowsById<R extends { id: string }>(
  ctx: Context,
  table: string,
  columns: (keyof R & string)[],
  ids: readonly string[],
): Promise<Map<string, R>> {
  const found = new Map<string, R>()
  const all = [...new Set(ids)]
  for (const some of batches(all)) {
    const query = ctx.acrossOrganizations.selectFrom(table).select(columns as string[])
    const rows = await query.where('id', 'in', some).$castTo<R>().execute()
    for (const row of rows) found.set(row.id, row)
    await setImmediate()
  }
  return found
}

async function knownOf(ctx: Context, sessions: readonly Running[]): Promise<Known> {
  const ids = (column: 'user_id' | 'asset_id' | 'account_id') => sessions.flatMap((row) => row[column] || [])
  return {
    users: await rowsById<KnownUser>(
      ctx,
      'users_user',
      ['id', 'name', 'username', 'is_active', 'date_expired'],
      ids('user_id'),
    ),
    unconfirmed: await unconfirmedOf(ctx, [...new Set(ids('user_id'))]),
    assets: await rowsById<KnownAsset>(ctx, 'assets_asset', ['id', 'is_active'], ids('asset_id')),
    accounts: new Set((await rowsById<{ id: string }>(ctx, 'accounts_account', ['id'], ids('account_id'))).keys()),
  }
}

/** Which running sessions of one user on one asset must end, and why. */
async function verdictOn(
  ctx: Context,
  sessions: readonly [Running, ...Running[]],
  known: Known,
  { users, assets }: Concerned,
): Promise<Verdict> {
  const [first] = sessions
  const ids = sessions.map(({ id }) => id)
  const reason = say(permsMessages.permission_ended, ctx.language)
  // Components may report users and assets we never had; those that were deleted are in the event.
  const user = known.users.get(first.user_id)
  if (!user) return { ids: users.includes(first.user_id) ? ids : [], reason }
  const isExpired = user.date_expired !== null && Number(user.date_expired) < ctx.now
  if (!user.is_active || isExpired || known.unconfirmed.has(user.id))
    return { ids, reason: say(signInErrors.user_invalid, ctx.language) }
  const asset = known.assets.get(first.asset_id)
  if (!asset) return { ids: assets.includes(first.asset_id) ? ids : [], reason }
  if (!asset.is_active) return { ids, reason: say(errors.asset_inactive, ctx.language) }
  const access = await accessTo(ctx, user, first.asset_id)
  return { ids: sessions.filter((one) => forbidden(one, access, known.accounts)).map(({ id }) => id), reason }
}

/** Running sessions of the users and assets in question. */
async function running(ctx: Context, { users, assets, all }: Concerned): Promise<Running[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('terminal_session as s')
    .select(['s.id', 's.user_id', 's.asset_id', 's.account_id', 's.protocol'])
    .where('s.is_finished', '=', false)
    // Excludes sessions that already have an order to end.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('terminal_task as k')
            .select('k.id')
            .whereRef('k.args', '=', 's.id')
            .where('k.name', '=', 'kill_session')
            .where('k.is_finished', '=', false),
        ),
      ),
    )
    .execute()
  if (all) return rows
  const [ofUsers, onAssets] = [new Set(users), new Set(assets)]
  return rows.filter(({ user_id, asset_id }) => ofUsers.has(user_id) || onAssets.has(asset_id))
}

/**
 * Ends running sessions whose user, asset, account or protocol is no longer permitted. The cost depends on the number
 * of running sessions, not of permissions. Returns the number of sessions ordered to end.
 */
export async function revalidate(ctx: Context, concerned: Concerned = anybody): Promise<number> {
  // Sessions that components report without a user or an asset of ours are not evaluated.
  const judged = (await running(ctx, concerned)).filter(({ user_id, asset_id }) => user_id && asset_id)
  const known = await knownOf(ctx, judged)
  let ended = 0
  let seen = 0
  for (const sessions of Map.groupBy(judged, ({ user_id, asset_id }) => `${user_id} ${asset_id}`).values()) {
    // Yields so that requests are answered in between.
    if (++seen % yieldEvery === 0) await setImmediate()
    const { ids, reason } = await verdictOn(ctx, sessions as [Running, ...Running[]], known, concerned)
    for (const some of batches(ids))
      ended += await ctx.transaction((inside) =>
        terminateSessions(inside, (query) => query.where('t.id', 'in', some), reason),
      )
  }
  return ended
}

/** Whoever leaves an organization loses what its permissions gave them by name. */
const removeMembers = on(membersLeft, async (ctx, { userIds, orgId }) => {
  for (const some of batches(userIds))
    await ctx.rawDb
      .deleteFrom('perms_assetpermission_users')
      .where('user_id', 'in', some)
      .where(
        'assetpermission_id',
        'in',
        ctx.rawDb.selectFrom('perms_assetpermission').select('id').where('org_id', '=', orgId),
      )
      .execute()
  await ctx.publish(accessChanged, { users: [...userIds], assets: [], all: false })
})

/** The next time, before the next regular check, at which a permission or a user expires. Unix milliseconds. */
async function nextEnd(ctx: Context): Promise<number | undefined> {
  const { reader } = ctx.services.database
  const soonest = (table: string) =>
    reader
      .selectFrom(table)
      .select((eb) => eb.fn.min('date_expired').as('end'))
      .where('date_expired', '>', ctx.now)
      .where('date_expired', '<', ctx.now + revalidateEveryMs)
      .where('is_active', '=', true)
  const connected = reader.selectFrom('terminal_session').select('user_id').where('is_finished', '=', false)
  const ends = [
    await soonest('perms_assetpermission').executeTakeFirst(),
    await soonest('users_user').where('id', 'in', connected).executeTakeFirst(),
  ].flatMap((row) => (row?.end ? [Number(row.end)] : []))
  return ends.length > 0 ? Math.min(...ends) : undefined
}

export const accessListeners = [
  removeMembers,
  on(signInsRevoked, (ctx, userIds) => ctx.publish(accessChanged, { users: [...userIds], assets: [], all: false })),
  on(rowsChanged, async (ctx, changes) => {
    const concerned = concernedBy(changes)
    if (concerned) await ctx.publish(accessChanged, concerned)
  }),
]

/**
 * Every program publishes changes; the one that answers calls acts on them, because without it nothing changes. One pass
 * over the sessions is in progress at a time, and at most one is queued, which takes all changes that came meanwhile.
 */
export function watchAccess(services: Services, role: 'api' | 'worker' | 'all'): void {
  if (role === 'worker') return
  let waiting: Concerned[] = []
  let atEnd: NodeJS.Timeout | undefined
  const pass = coalesced(async () => {
    const changes = waiting
    waiting = []
    const ctx = systemContext(services)
    if (changes.length > 0)
      await revalidate(ctx, {
        users: changes.flatMap(({ users }) => users),
        assets: changes.flatMap(({ assets }) => assets),
        all: changes.some(({ all }) => all),
      })
    // No change is published when time passes: a pass runs when the next permission or user expires.
    const end = await nextEnd(ctx)
    clearTimeout(atEnd)
    if (end !== undefined) atEnd = setTimeout(() => look(anybody), end - Date.now() + graceMs).unref()
  })
  const start = () =>
    void pass().catch((error) => services.log.error({ err: error }, 'running sessions could not be revalidated'))
  const look = (concerned: Concerned) => {
    waiting.push(concerned)
    start()
  }
  let debounced = false
  services.events.on(accessChanged, (concerned) => {
    waiting.push(concerned)
    if (debounced) return
    debounced = true
    setTimeout(() => {
      debounced = false
      start()
    }, debounceMs)
  })
  setInterval(() => look(anybody), revalidateEveryMs).unref()
}
