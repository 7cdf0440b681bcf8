import { setImmediate } from 'node:timers/promises'
import { type Message, say } from '@castellan/contract/messages'
import { permsMessages } from '@castellan/contract/messages/perms'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../../kernel/lists/paging.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type PlacementIndex, placements } from '../../assets/index.ts'
import { type GrantScope, scopeCounter } from '../coverage.ts'
import { reachesBy } from '../named-things.ts'
import { usersOf } from '../named-users.ts'
import type { StoredPermission } from '../permission-fields.ts'
import { permissions } from '../valid-permissions.ts'
import { type Examined, type FindingKind, findingKinds, shadowOf, usedOf } from './findings-rules.ts'

const day = 86_400_000
/** Unused for this long, a permission is reported. Days. */
const usedWithin = 90
/** Number of permissions processed before yielding to other requests. */
const atOnce = 50

const labels: Record<FindingKind, Message> = {
  gives_nothing: permsMessages.finding_gives_nothing,
  expired: permsMessages.finding_expired,
  shadowed: permsMessages.finding_shadowed,
  wider: permsMessages.finding_wider,
}

interface Finding {
  kind: FindingKind
  one: Named
  reason: string
  /** The permission that grants at least the same. */
  by?: Named | undefined
  used?: { users: number; assets: number }
}

type Named = Examined & { name: string }

async function examined(ctx: Context, index: PlacementIndex): Promise<Named[]> {
  const all = permissions(ctx.rawDb).selectAll('p').$castTo<StoredPermission>().orderBy('p.name').orderBy('p.id')
  const rows = await (ctx.isRootOrg ? all : all.where('p.org_id', '=', ctx.orgId)).execute()
  const ids = rows.map(({ id }) => id)
  const users = await usersOf(ctx, ids)
  const reaches = await reachesBy(ctx, index, ids)
  const amountOf = scopeCounter(index)
  const found: Named[] = []
  for (const [at, row] of rows.entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate()
    const reach = reaches.get(row.id) as GrantScope
    found.push({ ...plain(row), users: users.get(row.id) ?? new Set(), reach, assets: amountOf(reach) })
  }
  return found
}

const plain = (row: StoredPermission) => ({
  id: row.id,
  name: row.name,
  accounts: JSON.parse(row.accounts) as string[],
  protocols: JSON.parse(row.protocols) as string[],
  actions: Number(row.actions),
  is_active: Boolean(row.is_active),
  date_start: Number(row.date_start),
  date_expired: Number(row.date_expired),
  date_created: Number(row.date_created),
})

/** Assets that users connected to recently, by user: indexes. */
async function usedLately(ctx: Context, index: PlacementIndex): Promise<Map<string, number[]>> {
  const all = ctx.acrossOrganizations
    .selectFrom('terminal_session')
    .select(['user_id', 'asset_id'])
    .distinct()
    .where('date_start', '>', ctx.now - usedWithin * day)
  const rows = await (ctx.isRootOrg ? all : all.where('org_id', '=', ctx.orgId)).execute()
  const used = new Map<string, number[]>()
  for (const { user_id, asset_id } of rows) {
    const at = index.assetAt(asset_id)
    if (at !== undefined) addTo(used, user_id, at)
  }
  return used
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Why a permission grants nothing; undefined when it does. */
function nothingIn(one: Examined): Message | undefined {
  if (one.users.size === 0) return permsMessages.finding_nobody
  if (one.assets === 0) return permsMessages.finding_no_assets
  if (one.accounts.every((alias) => alias === '@SPEC')) return permsMessages.finding_no_accounts
  if (one.protocols.length === 0) return permsMessages.finding_no_protocols
  return one.actions === 0 ? permsMessages.finding_no_actions : undefined
}

async function findingsIn(ctx: Context): Promise<Finding[]> {
  const index = await placements(ctx)
  const all = await examined(ctx, index)
  const used = await usedLately(ctx, index)
  const valid = new Set(all.filter((one) => one.is_active && one.date_start < ctx.now && one.date_expired > ctx.now))
  const byUser = new Map<string, Named[]>()
  for (const one of valid) for (const user of one.users) addTo(byUser, user, one)
  const found: Finding[] = []
  const tell = (kind: FindingKind, one: Named, message: Message, values = {}, more: Partial<Finding> = {}) =>
    found.push({ kind, one, reason: say(message, ctx.language, values), ...more })
  for (const [at, one] of all.entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate()
    if (one.date_expired <= ctx.now) {
      tell('expired', one, permsMessages.finding_expired_reason)
      continue
    }
    const nothing = nothingIn(one)
    if (nothing) tell('gives_nothing', one, nothing)
    if (nothing || !valid.has(one)) continue
    const by = shadowOf(one, companions(one, byUser)) as Named | undefined
    if (by) tell('shadowed', one, permsMessages.finding_shadowed_reason, { name: by.name }, { by })
    if (Math.max(one.date_start, one.date_created) >= ctx.now - usedWithin * day) continue
    const use = usedOf(one, used)
    if (use.assets * 2 < one.assets)
      tell(
        'wider',
        one,
        permsMessages.finding_wider_reason,
        { days: usedWithin, used: use.assets, assets: one.assets, people: use.users, all: one.users.size },
        { used: use },
      )
  }
  return found.sort((a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind))
}

/** Valid permissions that could cover one: those of its user with the fewest. */
function companions(one: Examined, byUser: ReadonlyMap<string, Named[]>): readonly Named[] {
  let fewest: readonly Named[] | undefined
  for (const user of one.users) {
    const some = byUser.get(user) ?? []
    if (!fewest || some.length < fewest.length) fewest = some
  }
  return fewest ?? []
}

async function findings({ ctx, request }: Handling): Promise<unknown> {
  const { kind, search } = request.query
  const term = search?.toLowerCase()
  const found = (await findingsIn(ctx)).filter(
    (one) => (!kind || one.kind === kind) && (!term || one.one.name.toLowerCase().includes(term)),
  )
  return pagedReply(
    ctx,
    request,
    listOf(
      found.map(({ kind: value, one, reason, by, used }) => ({
        id: `${value}:${one.id}`,
        kind: { value, label: labels[value][ctx.language] },
        permission: { id: one.id, name: one.name },
        reason,
        by: by ? { id: by.id, name: by.name } : null,
        users: one.users.size,
        assets: one.assets,
        used_users: used?.users ?? null,
        used_assets: used?.assets ?? null,
        date_expired: new Date(one.date_expired).toISOString(),
      })),
    ),
  )
}

export const findingsRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/perms/findings/',
  requires: 'perms.view_assetpermission',
  summary:
    'Permissions to review: they grant nothing, have expired, are covered by others, or are wider than their use',
  handle: findings,
})
