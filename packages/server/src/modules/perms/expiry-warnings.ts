import { roleIds } from '@castellan/contract/ids'
import { permsMessages } from '@castellan/contract/messages/perms'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import type { Context } from '../../kernel/module/context.ts'
import { placements } from '../assets/index.ts'
import { type Notice, notifyUsers } from '../notifications/index.ts'
import { siteUrl } from '../settings/index.ts'
import { assetSetPage, assetsInScope } from './coverage.ts'
import { reachBy } from './named-things.ts'
import { usersOf } from './named-users.ts'
import { permissions } from './valid-permissions.ts'

const day = 86_400_000
/** Warns of permissions that expire within this many days. */
const ahead = 3
/** Maximum number of assets named in a message; the rest are counted. */
const mostNamed = 20

interface Expiring {
  id: string
  name: string
  org_id: string
  date_expired: number
}

/** Groups expiring permissions by whole days left and by the result of `by`. */
function grouped<T>(
  rows: readonly Expiring[],
  now: number,
  by: (row: Expiring) => readonly T[],
): Map<number, Map<T, Expiring[]>> {
  const days = new Map<number, Map<T, Expiring[]>>()
  for (const row of rows) {
    const left = Math.floor((Number(row.date_expired) - now) / day)
    const bucket = days.get(left) ?? new Map<T, Expiring[]>()
    days.set(left, bucket)
    for (const key of by(row)) bucket.set(key, [...(bucket.get(key) ?? []), row])
  }
  return days
}

const subjectOf = (left: number, soon: 'assets' | 'permissions') =>
  soon === 'assets'
    ? left === 0
      ? permsMessages.expiry_assets_today
      : permsMessages.expiry_assets
    : left === 0
      ? permsMessages.expiry_permissions_today
      : permsMessages.expiry_permissions

async function assetNames(ctx: Context, ids: readonly string[]): Promise<string> {
  const index = await placements(ctx)
  const reach = await reachBy(ctx, index, ids)
  const marks = assetsInScope(reach)
  const page = assetSetPage(index, marks, { offset: 0, limit: mostNamed })
  if (page.length === 0) return ''
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select(['name', 'address'])
    .where('id', 'in', page)
    .orderBy('name')
    .execute()
  const more = marks.count - rows.length
  return [...rows.map(({ name, address }) => `${name}(${address})`), ...(more > 0 ? [`… +${more}`] : [])].join('\n')
}

/** One transaction per notice, so that computing the next one does not block other writers. */
const tell = (ctx: Context, users: readonly string[], notice: Notice) =>
  ctx.transaction((inside) => notifyUsers(inside, users, notice))

/** Tells users which assets they will lose; users with the same assets share a message. */
async function tellUsers(ctx: Context, rows: readonly Expiring[]): Promise<void> {
  const users = await usersOf(
    ctx,
    rows.map(({ id }) => id),
  )
  for (const [days, byUser] of grouped(rows, ctx.now, (row) => [...(users.get(row.id) ?? [])])) {
    const same = Map.groupBy(byUser, ([, mine]) =>
      mine
        .map(({ id }) => id)
        .sort()
        .join(),
    )
    for (const [ids, some] of same) {
      const assets = await assetNames(ctx, ids.split(','))
      if (assets === '') continue
      const to = some.map(([user]) => user)
      await tell(ctx, to, {
        subject: subjectOf(days, 'assets'),
        body: permsMessages.expiry_assets_body,
        values: { days, assets },
      })
    }
  }
}

/** An organization's administrators; the first administrator if there is none. */
async function adminsOf(ctx: Context, orgId: string): Promise<string[]> {
  const bound = await ctx.rawDb
    .selectFrom('rbac_rolebinding')
    .select('user_id')
    .where('role_id', '=', roleIds.orgAdmin)
    .where('org_id', '=', orgId)
    .execute()
  if (bound.length > 0) return [...new Set(bound.map(({ user_id }) => user_id as string))]
  const first = await ctx.rawDb.selectFrom('users_user').select('id').where('username', '=', 'admin').execute()
  return first.map(({ id }) => id)
}

/** Tells administrators which permissions of their organizations expire. */
async function tellAdmins(ctx: Context, rows: readonly Expiring[]): Promise<void> {
  const site = siteUrl(ctx)
  for (const [days, byOrg] of grouped(rows, ctx.now, (row) => [String(row.org_id)]))
    for (const [org, some] of byOrg) {
      const lines = some.map(({ id, name }) => `${name}: ${site}/ui/#/console/perms/asset-permissions/${id}?oid=${org}`)
      await tell(ctx, await adminsOf(ctx, org), {
        subject: subjectOf(days, 'permissions'),
        body: permsMessages.expiry_permissions_body,
        values: { days, permissions: lines.join('\n') },
        link: `${site}/ui/#/console/perms/asset-permissions?oid=${org}`,
      })
    }
}

/** Warns of permissions that expire within three days, in all organizations. */
export async function warnOfExpiry(ctx: Context): Promise<void> {
  const rows = await permissions(ctx.rawDb)
    .select(['p.id', 'p.name', 'p.org_id', 'p.date_expired'])
    .where('p.date_expired', '>=', ctx.now)
    .where('p.date_expired', '<=', ctx.now + ahead * day)
    .orderBy('p.name')
    .execute()
  await tellUsers(ctx, rows)
  await tellAdmins(ctx, rows)
}

export const expiryWarnings = defineJob<object>({
  name: 'perms.expiry_warnings',
  // A warning that is missing today comes tomorrow; one that comes twice to everybody annoys everybody.
  delivery: 'at-most-once',
  schedule: '0 10 * * *',
  run: warnOfExpiry,
})
