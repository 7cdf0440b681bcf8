import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAll, scoped } from '../../kernel/resource/repository.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { type Rule, type RuleAttribute, ruleNarrows, ruleSelects } from '../../kernel/rules/index.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { asset } from '../assets/index.ts'
import { user } from '../users/index.ts'

/** Texts whose order, case, length or characters databases and languages treat differently. */
const texts = ['alice', 'ALICE', 'Älice', 'a%b', 'a_b', '10', '9', '😀x', '｡x', 'x\\', "o'neil", '10.0.0.5', '10.0.1.7']
const ids: Record<string, string[]> = { groups: [], nodes: [], labels: [] }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const create = (path: string, body: Record<string, unknown>) => server.admin.collection(path).create(body)
  for (const name of ['one', 'two', 'three']) {
    ids.groups?.push((await create('users/groups', { name })).id)
    ids.labels?.push((await create('assets/labels', { name, value: 'v' })).id)
    const parent = ids.nodes?.at(-1)
    const path = parent ? `assets/nodes/${parent}/children` : 'assets/nodes'
    ids.nodes?.push((await create(path, { value: name, full_value: `/${name}` })).id)
  }
  const some = (all: readonly string[] = [], index: number) => all.filter((_one, at) => (index >> at) % 2 === 1)
  for (const [index, text] of texts.entries()) {
    const links = { groups: some(ids.groups, index), is_active: index % 3 > 0, mfa_level: index % 3 }
    const org_roles = index % 2 ? [roleIds.orgUser, roleIds.orgAdmin] : [roleIds.orgUser]
    const person = { name: text, username: `u${index}`, email: `u${index}@example.com`, org_roles }
    const { id } = await create('users/users', { ...person, ...links, comment: index % 4 ? text : null })
    expect(id).toBeTruthy()
    await create('assets/hosts', {
      ...{ name: text, address: `10.0.${index % 2}.${index}`, platform: index % 2 ? 1 : 5, comment: text },
      ...{ nodes: some(ids.nodes, index), labels: some(ids.labels, index), is_active: index % 3 > 0 },
      protocols: index % 2 ? [{ name: 'ssh', port: 22 }] : [{ name: 'rdp', port: 3389 }],
    })
  }
})
afterAll(() => server.close())

const matches = [
  ...['exact', 'not', 'in', 'contains', 'startswith', 'endswith', 'regex'],
  ...['gte', 'lte', 'gt', 'lt', 'ip_in', 'm2m', 'm2m_all', 'later'],
]
const values = () => [
  ...texts,
  ...[
    '',
    '*',
    'x',
    'A',
    'i',
    '^a',
    '(',
    '[0-9]+$',
    '10.0.0.0/24',
    '10.0.0.1-10.0.0.9',
    '1',
    '2',
    'true',
    'ssh',
    'linux',
  ],
  ...['2020-01-01', '2999-01-01', 'host', roleIds.orgAdmin, roleIds.user, ...Object.values(ids).flat()],
  ...[0, 1, 2, 5, 1.5, 1e30, true, false],
]

const universe: readonly [string, Resource, readonly string[]][] = [
  [
    'users/users',
    user,
    [
      ...['name', 'username', 'email', 'comment', 'is_active', 'mfa_level', 'source', 'date_joined', 'id'],
      ...['groups', 'org_roles', 'system_roles', 'password_hash', 'nosuch'],
    ],
  ],
  [
    'assets/assets',
    asset,
    [
      ...['name', 'address', 'comment', 'is_active', 'platform', 'category', 'type', 'domain', 'id'],
      ...['nodes', 'labels', 'protocols', 'spec', 'nosuch'],
    ],
  ],
]

/** Values that select something now and then: those of the rows, whole, in part, and in the other case. */
const taken = (rows: readonly object[], name: string): (string | number | boolean)[] =>
  [...new Set(rows.map((row) => (row as Record<string, unknown>)[name]))].flatMap(
    (value): (string | number | boolean)[] =>
      typeof value === 'string' && value !== ''
        ? [
            value,
            [...value].slice(0, 2).join(''),
            [...value].slice(-2).join(''),
            value.toUpperCase(),
            value.toLowerCase(),
          ]
        : typeof value === 'number' || typeof value === 'boolean'
          ? [value]
          : [],
  )

describe.each(universe)('rules by attributes of %s', (path, resource, names) => {
  it('enforce exactly what their preview shows', async () => {
    const ctx = server.context(defaultOrgId)
    const rows = await findAll(ctx, resource)
    expect(rows.length).toBeGreaterThanOrEqual(texts.length)
    const attribute = fc.constantFrom(...names).chain((name) => {
      const value = fc.constantFrom(...values(), ...taken(rows, name), ...taken(rows, name), ...(ids[name] ?? []))
      const either = fc.oneof({ arbitrary: value, weight: 2 }, fc.array(value, { minLength: 1, maxLength: 3 }))
      return fc.record({ name: fc.constant(name), match: fc.constantFrom(...matches), value: either })
    })
    let selected = 0
    const agree = async (attrs: RuleAttribute[]) => {
      const rule: Rule = { type: 'attrs', attrs }
      const query = await ruleNarrows(ctx, resource, scoped(ctx, resource), rule)
      const preview = (await query.execute()).map(({ id }) => String(id))
      const enforced: string[] = []
      for (const row of rows) if (await ruleSelects(ctx, resource, rule, row)) enforced.push(row.id)
      if (enforced.length < rows.length) selected += enforced.length
      expect(enforced.toSorted()).toEqual(preview.toSorted())
    }
    await fc.assert(fc.asyncProperty(fc.array(attribute, { minLength: 1, maxLength: 2 }), agree), { numRuns: 800 })
    // The property says nothing if nothing is ever selected.
    expect(selected).toBeGreaterThan(100)
  })

  it('are previewed by the list', async () => {
    const attrs = [{ name: 'name', match: 'startswith', value: 'a' }]
    const attr_rules = Buffer.from(JSON.stringify({ type: 'attrs', attrs })).toString('base64')
    const found = await server.admin.collection(path).all({ fields: 'name', attr_rules })
    expect(found.map(({ name }) => name).toSorted()).toEqual(['a%b', 'a_b', 'alice'])
  })
})
