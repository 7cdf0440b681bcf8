import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client, Page } from '@castellan/testing/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRow, insertRows } from '../../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { asset, node, rootNodes } from '../../assets/index.ts'
import { userGroup } from '../../users/index.ts'
import { assetPermission } from '../permission.ts'
import { walking } from './granted-assets.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const day = 86_400_000
/** A generated site; numbers are indexes of the preceding lists. */
interface Site {
  /** Parent of each node: -1 is the root. */
  nodes: number[]
  /** Nodes of each asset: -1 is the root. */
  assets: number[][]
  inGroup: boolean
  permissions: {
    nodes: number[]
    assets: number[]
    byGroup: boolean
    to: 'me' | 'other'
    state: 'valid' | 'off' | 'over' | 'early'
  }[]
}

const site: fc.Arbitrary<Site> = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))
  .chain(([nodes, assets]) =>
    fc.record({
      nodes: fc.tuple(...Array.from({ length: nodes }, (_none, index) => fc.integer({ min: -1, max: index - 1 }))),
      assets: fc.tuple(
        ...Array.from({ length: assets }, () =>
          fc.uniqueArray(fc.integer({ min: -1, max: nodes - 1 }), { minLength: 1, maxLength: 3 }),
        ),
      ),
      inGroup: fc.boolean(),
      permissions: fc.array(
        fc.record({
          nodes:
            nodes > 0 ? fc.uniqueArray(fc.integer({ min: -1, max: nodes - 1 }), { maxLength: 2 }) : fc.constant([]),
          assets:
            assets > 0 ? fc.uniqueArray(fc.integer({ min: 0, max: assets - 1 }), { maxLength: 3 }) : fc.constant([]),
          byGroup: fc.boolean(),
          to: fc.constantFrom('me', 'me', 'me', 'other'),
          state: fc.constantFrom('valid', 'valid', 'valid', 'off', 'over', 'early'),
        }),
        { maxLength: 4 },
      ),
    }),
  ) as fc.Arbitrary<Site>

interface Built {
  /** Keys of the nodes, the root's at -1. */
  keys: Map<number, string>
  assetIds: string[]
  me: Client
}

let count = 0
async function build(drawn: Site): Promise<Built> {
  count += 1
  const orgId = await server.organization(`site ${count}`)
  const ctx = server.context(orgId)
  const [me, other] = [
    await server.person(`me${count}`, { system: [roleIds.user], org: [roleIds.orgUser], orgId }),
    await server.person(`other${count}`, { system: [roleIds.user], org: [roleIds.orgUser], orgId }),
  ]
  const group = await insertRow(ctx, userGroup, { name: 'g' })
  if (drawn.inGroup)
    await ctx.rawDb.insertInto('users_user_groups').values({ user_id: me, usergroup_id: group.id }).execute()
  const top = {
    key: String(100 + count),
    value: `site ${count}`,
    full_value: `/site ${count}`,
    parent_key: '',
    child_mark: 0,
  }
  const root = (await rootNodes(ctx))[0] ?? (await insertRow(ctx, node, top))
  const keys = new Map([[-1, root.key]])
  const ids = new Map([[-1, root.id]])
  for (const [index, parent] of drawn.nodes.entries()) {
    const above = keys.get(parent) ?? ''
    const key = `${above}:${index}`
    const row = await insertRow(ctx, node, {
      key,
      value: `n${index}`,
      full_value: `/${key}`,
      parent_key: above,
      child_mark: 0,
    })
    keys.set(index, key)
    ids.set(index, row.id)
  }
  const assetRows = await insertRows(
    ctx,
    asset,
    drawn.assets.map((_nodes, index) => ({
      name: `a${index}`,
      address: `10.0.0.${index}`,
      platform_id: 1,
      category: 'host',
      type: 'linux',
    })),
  )
  for (const [index, nodes] of drawn.assets.entries())
    await ctx.rawDb
      .insertInto('assets_asset_nodes')
      .values(nodes.map((one) => ({ asset_id: assetRows[index]?.id, node_id: ids.get(one) })))
      .execute()
  const now = Date.now()
  for (const [index, one] of drawn.permissions.entries()) {
    const row = await insertRow(ctx, assetPermission, {
      name: `p${index}`,
      accounts: ['@ALL', '@INPUT'],
      is_active: one.state !== 'off',
      date_start: one.state === 'early' ? now + day : now - 2 * day,
      date_expired: one.state === 'over' ? now - day : now + 2 * day,
    })
    const link = (table: string, column: string, values: readonly unknown[]) =>
      values.length > 0
        ? ctx.rawDb
            .insertInto(`perms_assetpermission_${table}`)
            .values(values.map((value) => ({ assetpermission_id: row.id, [column]: value })))
            .execute()
        : undefined
    if (one.byGroup) await link('user_groups', 'usergroup_id', one.to === 'me' ? [group.id] : [])
    else await link('users', 'user_id', [one.to === 'me' ? me : other])
    await link(
      'nodes',
      'node_id',
      one.nodes.map((place) => ids.get(place)),
    )
    await link(
      'assets',
      'asset_id',
      one.assets.map((place) => assetRows[place]?.id),
    )
  }
  return { keys, assetIds: assetRows.map(({ id }) => id), me: await server.as(me, orgId) }
}

/** The user's expected access, by brute force. */
function model(drawn: Site, keys: Map<number, string>) {
  const mine = drawn.permissions.filter(
    (one) => one.state === 'valid' && one.to === 'me' && (!one.byGroup || drawn.inGroup),
  )
  const named = mine.flatMap((one) => one.nodes.map((place) => keys.get(place) ?? ''))
  const under = (key: string) => named.some((top) => key === top || key.startsWith(`${top}:`))
  const direct = new Set(mine.flatMap((one) => one.assets))
  const granted = new Set<number>()
  /** The nodes in which each asset is shown. */
  const seen: [number, string][] = []
  for (const [index, nodes] of drawn.assets.entries())
    for (const place of nodes) {
      const key = keys.get(place) ?? ''
      if (under(key) || direct.has(index)) {
        granted.add(index)
        seen.push([index, key])
      }
    }
  const tree = new Map<string, number>()
  for (const key of keys.values()) {
    const leads = named.some((top) => top === key || top.startsWith(`${key}:`))
    const inside = new Set(seen.filter(([, at]) => at === key || at.startsWith(`${key}:`)).map(([index]) => index))
    if (under(key) || leads || inside.size > 0) tree.set(key, inside.size)
  }
  return { granted, direct, tree, seen }
}

const api = '/api/v1/perms/users/self/'
const real = (rows: AnyRow[]) => rows.filter(({ key }) => /^\d/.test(String(key)))
const amounts = (rows: AnyRow[]) => new Map(real(rows).map((row) => [String(row.key), Number(row.assets_amount)]))

describe('the assets of a user', () => {
  it('equal the brute-force model in every list and tree', async () => {
    await fc.assert(
      fc.asyncProperty(site, async (drawn) => {
        const { keys, assetIds, me } = await build(drawn)
        // Both query strategies are tested, whatever the size.
        walking.from = walking.from === 1 ? 2000 : 1
        const wanted = model(drawn, keys)
        const get = (path: string) => me.request<AnyRow[]>('GET', `${api}${path}`)

        const listed = await get('assets/')
        expect(new Set(listed.map(({ id }) => assetIds.indexOf(id)))).toEqual(wanted.granted)
        expect(listed.length).toBe(wanted.granted.size)
        const page = await me.request<{ count: number }>('GET', `${api}assets/?limit=1`)
        expect(page.count).toBe(wanted.granted.size)
        const named = await get('assets/?fields=name,nosuch&fields_size=mini')
        expect(named).toEqual(listed.map(({ name }) => ({ name })))
        expect(new Set((await get('nodes/ungrouped/assets/')).map(({ id }) => assetIds.indexOf(id)))).toEqual(
          wanted.direct,
        )

        expect(amounts(await get('nodes/'))).toEqual(wanted.tree)
        const nodes = await get('nodes/')
        for (const offset of [0, 1, 3]) {
          const part = await me.request<Page<AnyRow>>('GET', `${api}nodes/?limit=2&offset=${offset}`)
          expect([part.count, part.results]).toEqual([nodes.length, nodes.slice(offset, offset + 2)])
        }
        const walked = new Map<string, number>()
        const open = amounts(await get('nodes/children/'))
        for (const [key, amount] of open) walked.set(key, amount)
        for (const key of wanted.tree.keys())
          for (const [child, amount] of amounts(await get(`nodes/children/?key=${key}`))) walked.set(child, amount)
        expect(walked).toEqual(wanted.tree)

        const everything = await get('nodes/all-with-assets/tree/')
        const leaves = everything.filter((item) => (item.meta as AnyRow).type === 'asset')
        expect(new Set(leaves.map(({ id, pId }) => `${assetIds.indexOf(id)} ${pId}`))).toEqual(
          new Set(wanted.seen.map(([index, key]) => `${index} ${key}`)),
        )
        for (const key of wanted.tree.keys()) {
          const level = await get(`nodes/children-with-assets/tree/?key=${key}`)
          const here = level
            .filter((item) => (item.meta as AnyRow).type === 'asset')
            .map(({ id }) => assetIds.indexOf(id))
          expect(new Set(here)).toEqual(new Set(wanted.seen.filter(([, at]) => at === key).map(([index]) => index)))
        }
        for (const [index, id] of assetIds.entries()) {
          const detail = await get(`assets/${id}/`).then(
            (body) => (body as unknown as AnyRow).id,
            () => undefined,
          )
          expect(detail).toBe(wanted.granted.has(index) ? id : undefined)
        }
      }),
      { numRuns: 25 },
    )
  })
})
