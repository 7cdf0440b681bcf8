import { setImmediate } from 'node:timers/promises'
import { batches } from '../../../db/batches.ts'
import type { Field, StoredRow } from '../../../kernel/fields/field.ts'
import { boolean, linksOf, uuid } from '../../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, type Problem } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { getById } from '../../../kernel/resource/repository.ts'
import { type PlacementIndex, placements } from '../../assets/index.ts'
import { BitSet } from '../bit-set.ts'
import { assetsInScope, scopeOf } from '../coverage.ts'
import { reachBy } from '../named-things.ts'
import { membersOf } from '../named-users.ts'
import { assetPermission } from '../permission.ts'
import { type Ids, permissions, validNow } from '../valid-permissions.ts'

/** Maximum number of users named; all are counted. */
const mostNamed = 20
/** Number of users processed before yielding to other requests. */
const atOnce = 100

const lists = ['users', 'user_groups', 'assets', 'nodes'] as const
type Links = Record<(typeof lists)[number], readonly string[]>

/** The fields of a permission that determine its scope. */
interface Draft extends Links {
  is_active: boolean
  date_expired: number
}

/** The request: a permission's fields, all optional, and the id of the stored one that is changed or deleted. */
const fields: Readonly<Record<string, Field>> = {
  ...Object.fromEntries(
    [...lists, 'is_active', 'date_expired'].map((name) => [
      name,
      { ...(assetPermission.fields as Record<string, Field>)[name], required: false, default: undefined },
    ]),
  ),
  id: uuid(),
  deleted: boolean({ default: false }),
} as Record<string, Field>

/** Throws 400 when a named object does not exist in the caller's organization. */
async function resolved(ctx: Context, values: StoredRow): Promise<void> {
  const problems: Record<string, Problem> = {}
  for (const name of lists)
    if (values[name] !== undefined)
      await fields[name]?.resolve?.(ctx, [values[name]], (_index, problem) => {
        problems[name] = problem
      })
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

async function stored(ctx: Context, id: string): Promise<Draft> {
  const row = await getById(ctx, assetPermission, id)
  const of = async (name: (typeof lists)[number]) => {
    const join = assetPermission.joins.find((one) => one.field === name)
    const columns = Object.keys(join?.columns ?? {})
    const to = columns.find((column) => column !== 'id' && column !== 'assetpermission_id') ?? ''
    const links = await linksOf(ctx, { table: join?.name ?? '', from: 'assetpermission_id', to }, [id])
    return links.map((link) => link[to] as string)
  }
  return {
    users: await of('users'),
    user_groups: await of('user_groups'),
    assets: await of('assets'),
    nodes: await of('nodes'),
    is_active: row.is_active,
    date_expired: row.date_expired,
  }
}

interface Side {
  users: ReadonlySet<string>
  assets: BitSet
}

/** The users and assets of a draft; one that has not started yet counts as if it had. */
async function sideOf(ctx: Context, index: PlacementIndex, draft: Draft | undefined): Promise<Side> {
  if (!draft?.is_active || draft.date_expired <= ctx.now)
    return { users: new Set(), assets: new BitSet(index.assetCount) }
  const users = new Set([...draft.users, ...(await membersOf(ctx, draft.user_groups))])
  const reach = scopeOf(
    index,
    draft.nodes.flatMap((id) => index.nodeAt(id) ?? []),
    draft.assets.flatMap((id) => index.assetAt(id) ?? []),
  )
  return { users, assets: BitSet.fromMarks(assetsInScope(reach).at) }
}

/** Other valid permissions that name some users: ids by user. */
async function otherPermissions(ctx: Context, users: readonly string[], except: string) {
  const found = new Map<string, Set<string>>()
  const valid = permissions(ctx.rawDb).select('p.id').where(validNow(ctx.now)).where('p.id', '!=', except)
  const here = (ctx.isRootOrg ? valid : valid.where('p.org_id', '=', ctx.orgId)) as Ids
  for (const some of batches(users)) {
    const direct = ctx.rawDb
      .selectFrom('perms_assetpermission_users')
      .select(['assetpermission_id as permission', 'user_id'])
      .where('user_id', 'in', some)
      .where('assetpermission_id', 'in', here)
    const byGroup = ctx.rawDb
      .selectFrom('users_user_groups as m')
      .innerJoin('perms_assetpermission_user_groups as g', 'g.usergroup_id', 'm.usergroup_id')
      .select(['g.assetpermission_id as permission', 'm.user_id'])
      .where('m.user_id', 'in', some)
      .where('g.assetpermission_id', 'in', here)
    for (const { permission, user_id } of [...(await direct.execute()), ...(await byGroup.execute())]) {
      const known = found.get(user_id)
      if (known) known.add(permission)
      else found.set(user_id, new Set([permission]))
    }
  }
  return found
}

class PairCounter {
  readonly users: { id: string; assets: number }[] = []
  readonly assets: BitSet
  pairs = 0

  constructor(size: number) {
    this.assets = new BitSet(size)
  }

  take(id: string, assets: BitSet): void {
    const count = assets.size
    if (count === 0) return
    this.pairs += count
    this.users.push({ id, assets: count })
    this.assets.unite(assets)
  }
}

async function shown(ctx: Context, index: PlacementIndex, counts: PairCounter) {
  const listed = counts.users.toSorted((a, b) => b.assets - a.assets).slice(0, mostNamed)
  const things = [...first(counts.assets.members(), mostNamed)].map((at) => index.assetId(at))
  const rows = async (table: string, columns: string[], ids: readonly string[]) =>
    ids.length === 0
      ? []
      : ctx.acrossOrganizations.selectFrom(table).select(columns).where('id', 'in', ids).orderBy('name').execute()
  const names = new Map(
    (
      await rows(
        'users_user',
        ['id', 'name', 'username'],
        listed.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  return {
    pairs: counts.pairs,
    users: {
      count: counts.users.length,
      items: listed.flatMap(({ id, assets }) => (names.has(id) ? [{ ...names.get(id), assets }] : [])),
    },
    assets: { count: counts.assets.size, items: await rows('assets_asset', ['id', 'name', 'address'], things) },
  }
}

function* first<T>(all: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const one of all) {
    if (count++ === most) return
    yield one
  }
}

/**
 * Who would gain and lose which assets by a permission as sent, compared with the present state and all their other
 * permissions. Cost: affected users times assets of the permission, divided by 32.
 */
async function effect({ ctx, request }: Handling): Promise<unknown> {
  const { id, deleted, ...sent } = readBody<Partial<Draft> & { id?: string | null; deleted?: boolean }>(
    ctx,
    fields,
    request.body,
  )
  await resolved(ctx, sent)
  const old = id ? await stored(ctx, id) : undefined
  const draft: Draft = {
    users: [],
    user_groups: [],
    assets: [],
    nodes: [],
    is_active: true,
    date_expired: Number.MAX_SAFE_INTEGER,
    ...old,
    ...sent,
  }
  const index = await placements(ctx)
  const before = await sideOf(ctx, index, old)
  const after = await sideOf(ctx, index, deleted ? undefined : draft)
  const everybody = [...new Set([...before.users, ...after.users])]
  const others = await otherPermissions(ctx, everybody, id ?? '')
  const given = new Map<string, BitSet>()
  for (const other of new Set([...others.values()].flatMap((ids) => [...ids]))) {
    given.set(other, BitSet.fromMarks(assetsInScope(await reachBy(ctx, index, [other])).at))
  }
  const [gain, lose] = [new PairCounter(index.assetCount), new PairCounter(index.assetCount)]
  const nothing = new BitSet(index.assetCount)
  for (const [at, user] of everybody.entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate()
    const elsewhere = new BitSet(index.assetCount)
    for (const other of others.get(user) ?? []) elsewhere.unite(given.get(other) ?? nothing)
    const had = before.users.has(user) ? before.assets : nothing
    const has = after.users.has(user) ? after.assets : nothing
    gain.take(user, has.without(had).without(elsewhere))
    lose.take(user, had.without(has).without(elsewhere))
  }
  return {
    users: after.users.size,
    assets: after.assets.size,
    gain: await shown(ctx, index, gain),
    lose: await shown(ctx, index, lose),
  }
}

export const effectRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/perms/effect/',
  requires: 'perms.view_assetpermission',
  summary: 'Who would gain or lose access by a permission, before it is saved',
  // Read-only: no need to block writers.
  transaction: 'none',
  handle: effect,
})
