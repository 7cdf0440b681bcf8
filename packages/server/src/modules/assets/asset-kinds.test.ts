import { randomUUID } from 'node:crypto'
import { type AssetCategory, assetCategories } from '@castellan/contract/asset-types'
import type { ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRow } from '../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { asset } from './asset.ts'
import { assetKinds } from './asset-kinds.ts'
import { openedDetails, shownDetails } from './custom-info.ts'
import { platform } from './platforms/platform.ts'
import { insertProtocols } from './platforms/platform-protocols.ts'

/** An answer of the server, whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: fields differ by category
type Values = Record<string, any>

let server: TestServer
const platforms = {} as Record<AssetCategory, number>

/** A custom platform, as an applet's package brings it. */
async function customPlatform(): Promise<number> {
  const custom_fields = [
    { name: 'region', label: 'Region', type: 'choice', choices: ['north', 'south'], default: 'north', help_text: '' },
    { name: 'token', label: 'Token', type: 'password', choices: [], default: '', help_text: 'From the vendor' },
    { name: 'retries', label: 'Retries', type: 'int', choices: [], default: '', help_text: '' },
  ]
  return server.context().transaction(async (ctx) => {
    const row = await insertRow(ctx, platform, {
      name: 'CRM',
      category: 'custom',
      type: 'crm',
      automation: {},
      custom_fields,
    })
    await insertProtocols(ctx, Number(row.id), [{ name: 'crm', port: 9000, primary: true }])
    return Number(row.id)
  })
}

beforeAll(async () => {
  server = await startServer()
  await customPlatform()
  for (const category of assetCategories) {
    const [first] = await api<Values[]>('GET', `platforms/?category=${category}`)
    platforms[category] = Number(first?.id)
  }
})
afterAll(() => server.close())

const api = <T = Values>(method: string, path: string, body?: unknown) =>
  server.admin.request<T>(method, `/api/v1/assets/${path}`, body)
const refusal = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body }),
    ({ status, body }: ApiError) => ({ status, body }),
  )

interface Sample {
  values: Values
  changed: Values
  info: Values
}

/** Values of the fields only a category has, another one for each, and what every collection shows of them. */
const samples: Record<AssetCategory, Sample> = {
  host: { values: {}, changed: {}, info: {} },
  device: { values: {}, changed: {}, info: {} },
  database: {
    values: { db_name: 'orders', use_ssl: true, ca_cert: 'CA', client_cert: 'CERT', allow_invalid_cert: true },
    changed: { db_name: 'stock' },
    info: { db_name: 'stock', use_ssl: true, allow_invalid_cert: true },
  },
  cloud: { values: {}, changed: {}, info: {} },
  web: {
    values: { autofill: 'script', script: [{ step: 1, command: 'click', target: 'id=go', value: '' }] },
    changed: { username_selector: 'id=who' },
    info: {
      autofill: { value: 'script', label: 'Script' },
      username_selector: 'id=who',
      password_selector: 'name=password',
      submit_selector: 'id=login_button',
      script: [{ step: 1, command: 'click', target: 'id=go', value: '' }],
    },
  },
  gpt: { values: { proxy: 'http://proxy:3128' }, changed: { proxy: '' }, info: { proxy: '' } },
  custom: { values: { custom_info: { region: 'north' } }, changed: { custom_info: { region: 'south' } }, info: {} },
}

const bodyOf = (category: AssetCategory, more: Values = {}) => ({
  name: `${category}-${randomUUID().slice(0, 8)}`,
  address: 'https://asset.example',
  platform: platforms[category],
  ...samples[category].values,
  ...more,
})
const make = (category: AssetCategory, more?: Values) =>
  api('POST', `${assetKinds[category].path}/`, bodyOf(category, more))
const otherThan = (category: AssetCategory): AssetCategory => (category === 'gpt' ? 'web' : 'gpt')
const plain = (row: Values, names: Iterable<string>) =>
  Object.fromEntries([...names].map((name) => [name, row[name]?.value ?? row[name]]))
const fieldsOf = async (path: string, method: string) =>
  (await api<{ actions: Record<string, Record<string, Values>> }>('OPTIONS', path)).actions[method] ?? {}

/** What any category may have of its own, with the one that has it. */
const owners = new Map(
  assetCategories.flatMap((kind) => Object.keys(assetKinds[kind].fields).map((name) => [name, kind])),
)

describe.each(assetCategories)('assets of the category %s', (category) => {
  const { path, fields } = assetKinds[category]
  const { values, changed, info } = samples[category]

  it('are created, changed and listed with the fields of their own', async () => {
    const made = await make(category)
    expect(plain(made, Object.keys(values))).toEqual(values)
    expect(made.category.value).toBe(category)
    await api('PATCH', `${path}/${made.id}/`, { comment: 'untouched' })
    await api('PATCH', `${path}/${made.id}/`, changed)
    const listed = await api<Values[]>('GET', `${path}/?id=${made.id}`)
    expect(listed.map((row) => plain(row, Object.keys({ ...values, ...changed })))).toEqual([{ ...values, ...changed }])
    expect(listed[0]).toMatchObject({ comment: 'untouched', spec_info: info })
    // The collection of all shows what `spec_info` says of them, and no field of one category.
    const [common] = await api<Values[]>('GET', `assets/?id=${made.id}`)
    expect(common?.spec_info).toEqual(info)
    expect(Object.keys(common ?? {}).filter((name) => owners.has(name))).toEqual([])
    const { accounts: _accounts, ...detail } = await api('GET', `assets/${made.id}/`)
    expect(detail).toEqual(common)
  })

  it('are described with the fields of their own and of no other', async () => {
    const named = Object.keys(await fieldsOf(`${path}/?platform=${platforms[category]}`, 'POST'))
    expect(named.filter((name) => owners.has(name)).sort()).toEqual(Object.keys(fields).sort())
    const titles = (await (await file(`${path}/?format=csv&template=import`)).text()).toLowerCase()
    const labels = await fieldsOf(`${path}/`, 'POST')
    for (const name of Object.keys(fields)) expect(titles).toContain(String(labels[name]?.label).toLowerCase())
  })

  it('are read from a file with these fields, and foreign columns are passed over', async () => {
    const foreign = [...owners].filter(([, owner]) => owner !== category).map(([name]) => name)
    const cells: Values = { ...bodyOf(category), platform: String(platforms[category]) }
    for (const name of foreign) cells[name] = 'foreign'
    const { data } = await read(path, cells)
    expect(data).toHaveLength(1)
    expect(Object.keys(data[0] ?? {}).filter((name) => foreign.includes(name))).toEqual([])
    const [offered] = await api<Values[]>('GET', `platforms/?id=${platforms[category]}`)
    const protocols = ((offered?.protocols ?? []) as Values[]).map(({ name, port }) => ({ name, port }))
    const [made] = await api<Values[]>('POST', `${path}/`, [{ ...data[0], protocols }])
    expect(plain(made ?? {}, Object.keys(values))).toEqual(values)
  })

  it('take nothing of another category', async () => {
    const foreign = [...owners].filter(([, owner]) => owner !== category)
    const sent = Object.fromEntries(foreign.flatMap(([, owner]) => Object.entries(samples[owner].values)))
    const made = await make(category, { ...sent, ...values, spec: { db_name: 'x' }, category: otherThan(category) })
    const row = await server
      .context()
      .acrossOrganizations.selectFrom('assets_asset')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    const stored = typeof row.spec === 'string' ? JSON.parse(row.spec) : row.spec
    expect([row.category, Object.keys(stored).filter((name) => owners.get(name) !== category)]).toEqual([category, []])
    expect(row.client_key).toBeNull()
  })

  it('keep their category, whichever way a platform of another is given', async () => {
    const other = otherThan(category)
    const { id, name } = await make(category)
    const refused = { status: 400, body: { platform: [expect.stringContaining('another category')] } }
    const platform = platforms[other]
    expect(await refusal(make(category, { platform }))).toEqual(refused)
    expect(await refusal(api('POST', `${path}/`, [bodyOf(category, { platform })]))).toEqual({
      status: 400,
      body: [expect.objectContaining(refused.body)],
    })
    for (const at of [path, 'assets']) {
      expect(await refusal(api('PATCH', `${at}/${id}/`, { platform }))).toEqual(refused)
      expect(await refusal(api('PUT', `${at}/${id}/`, bodyOf(category, { name, platform })))).toEqual(refused)
    }
    await api('PATCH', `${path}/${id}/`, { category: other, type: 'chatgpt' })
    expect(await api('GET', `assets/${id}/`)).toMatchObject({ category: { value: category } })
  })

  it('are found in their own collection alone', async () => {
    const { id } = await make(category)
    const elsewhere = assetKinds[otherThan(category)].path
    for (const [method, body] of [['GET'], ['PATCH', { comment: 'x' }], ['PUT', bodyOf(category)], ['DELETE']] as const)
      expect([method, (await refusal(api(method, `${elsewhere}/${id}/`, body))).status]).toEqual([method, 404])
    expect((await api<Values[]>('GET', `${elsewhere}/?id=${id}`)).length).toBe(0)
    expect((await refusal(api('PATCH', `${elsewhere}/`, [{ id, comment: 'x' }]))).status).not.toBe(500)
    expect(await api('GET', `${path}/${id}/`)).toMatchObject({ comment: '' })
  })
})

const file = (path: string, init: RequestInit = {}) => {
  const address = `/api/v1/assets/${path}`
  const headers = { 'accept-language': 'en', ...server.admin.proof(init.method ?? 'GET', address), ...init.headers }
  return fetch(new URL(address, server.url), { ...init, headers })
}

/** What the server reads in a file of one row. */
async function read(path: string, cells: Values): Promise<{ data: Values[] }> {
  const words = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const line = (texts: unknown[]) => texts.map((text) => `"${words(text).replaceAll('"', '""')}"`).join(',')
  const answer = await file(`${path}/render-to-json/`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `${line(Object.keys(cells))}\n${line(Object.values(cells))}\n`,
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { data: Values[] }
}

describe('the fields of a custom platform', () => {
  it('are told by OPTIONS, for a new asset by its platform and for one that exists by its own', async () => {
    const told = {
      region: { type: 'choice', label: 'Region', default: 'north', choices: [{ value: 'north' }, { value: 'south' }] },
      token: { type: 'string', write_only: true, help_text: 'From the vendor' },
      retries: { type: 'integer' },
    }
    const started = await fieldsOf(`customs/?platform=${platforms.custom}`, 'POST')
    expect(started.custom_info).toMatchObject({ type: 'nested object', children: told })
    // A value to begin with that the field would refuse is not told.
    expect(started.custom_info?.children.retries).not.toHaveProperty('default')
    const { id } = await make('custom')
    expect((await fieldsOf(`customs/${id}/`, 'PUT')).custom_info).toMatchObject({ children: told })
    expect((await fieldsOf('customs/?platform=nonsense', 'POST')).custom_info).toMatchObject({ children: {} })
  })
  it('never answer a password, log it or store it in clear, and keep it until another one is sent', async () => {
    const { id } = await make('custom', { custom_info: { region: 'north', token: 'T0p-secret' } })
    const ctx = server.context()
    const stored = async () => {
      const asset = ctx.acrossOrganizations.selectFrom('assets_asset').selectAll().where('id', '=', id)
      return asset.executeTakeFirstOrThrow()
    }
    const opened = async () => openedDetails(ctx, asset.decode(await stored()))
    const shown = async () => (await api('GET', `customs/${id}/`)).custom_info
    await api('PATCH', `customs/${id}/`, { custom_info: { region: 'south', token: '' } })
    expect(await opened()).toEqual({ custom_info: { region: 'south', token: 'T0p-secret' } })
    const logged = await ctx.acrossOrganizations.selectFrom('audits_operatelog').selectAll().execute()
    const answers = await Promise.all(
      [`customs/${id}/`, `customs/?id=${id}`, `assets/${id}/`].map((at) => api('GET', at)),
    )
    expect(JSON.stringify([answers, logged, await stored()])).not.toContain('T0p-secret')
    // Neither do logs and links to clients have its sealed text; that it was set and changed is logged.
    expect(shownDetails(asset.decode(await stored()))).toEqual({ custom_info: { region: 'south' } })
    const diffs = async () => {
      const entries = ctx.acrossOrganizations
        .selectFrom('audits_operatelog')
        .select('diff')
        .where('resource_id', '=', id)
      return (await entries.orderBy('datetime').execute()).map(({ diff }) => JSON.parse(String(diff)).after)
    }
    expect(await diffs()).toMatchObject([
      { custom_info: { region: 'north', token: '******' } },
      { custom_info: { region: 'south', token: '******' } },
    ])
    await api('PATCH', `customs/${id}/`, { custom_info: { token: 'N3w-secret' } })
    expect(await opened()).toEqual({ custom_info: { token: 'N3w-secret' } })
    // Nobody passes a text of their own off as a sealed one.
    const forged = { sealed: 'x' }
    const forging = api('PATCH', `customs/${id}/`, { custom_info: { region: forged, token: forged } })
    expect(await refusal(forging)).toMatchObject({ status: 400, body: { custom_info: { region: expect.anything() } } })
    await api('PATCH', `customs/${id}/`, { custom_info: { token: forged } })
    expect(await opened()).toEqual({ custom_info: { token: 'N3w-secret' } })
    // Declared as plain text from now on, it is still not shown.
    const { custom_fields } = await api('GET', `platforms/${platforms.custom}/`)
    const declare = (fields: unknown) => api('PATCH', `platforms/${platforms.custom}/`, { custom_fields: fields })
    await declare([{ name: 'token', label: 'Token', type: 'str' }])
    expect(await shown()).toEqual({})
    await declare(custom_fields)
    expect(await opened()).toEqual({ custom_info: { token: 'N3w-secret' } })
  })
})

describe('a custom field that becomes a password', () => {
  it('is sealed where it was stored in clear, and not shown any more', async () => {
    const note = { name: 'note', label: 'Note', type: 'str' }
    const fields = [note, { name: 'other', label: 'Other', type: 'str' }]
    const values = { category: 'custom', type: 'crm', name: 'Sealing', protocols: [{ name: 'crm', port: 1 }] }
    const { id: own } = await api('POST', 'platforms/', { ...values, custom_fields: fields })
    const { id } = await make('custom', { platform: own, custom_info: { note: 'Cl3ar-text', other: 'stays' } })
    await api('PATCH', `platforms/${own}/`, { custom_fields: [{ ...note, type: 'password' }, fields[1]] })
    const ctx = server.context()
    const stored = await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain('Cl3ar-text')
    expect((await api('GET', `customs/${id}/`)).custom_info).toEqual({ other: 'stays' })
    expect(openedDetails(ctx, asset.decode(stored))).toEqual({ custom_info: { note: 'Cl3ar-text', other: 'stays' } })
  })
})

describe('what the collection of all says of a category', () => {
  it('is described for the asset that is asked about', async () => {
    const { id } = await make('database')
    const children = { db_name: { label: expect.any(String), read_only: true }, use_ssl: { type: 'boolean' } }
    expect((await fieldsOf(`assets/${id}/`, 'GET')).spec_info).toMatchObject({ children })
    expect((await fieldsOf('assets/?category=gpt', 'GET')).spec_info).toMatchObject({ children: { proxy: {} } })
    expect((await fieldsOf('assets/?category=nonsense', 'GET')).spec_info).not.toHaveProperty('children')
  })
})

describe('the steps of a web asset', () => {
  it('are objects with a command, and keep what else they say', async () => {
    const step = { step: 1, command: 'sleep', target: '', value: '3', note: 'slow page' }
    expect(await make('web', { autofill: 'script', script: [step] })).toMatchObject({ script: [step] })
    for (const [script, problem] of [
      [
        [step, 'click'],
        [{}, { non_field_errors: [expect.any(String)] }],
      ],
      [[{ step: 1 }], [{ command: ['This field is required.'] }]],
      [[{ command: 'type', target: {} }], [{ target: [expect.any(String)] }]],
      [[{ command: 'type', step: 'one' }], [{ step: [expect.any(String)] }]],
      ['nonsense', [expect.any(String)]],
    ])
      expect(await refusal(make('web', { script }))).toMatchObject({ status: 400, body: { script: problem } })
  })
})

describe('the facts of a host', () => {
  it('are corrected one by one, within their lengths, and only where there are any', async () => {
    const { id } = await make('host')
    const change = (method: string, gathered_info: unknown) => refusal(api(method, `hosts/${id}/`, { gathered_info }))
    expect(await change('PATCH', { vendor: 'ACME', cpu_count: 2, kernel: '6.1', constructor: 'x' })).toMatchObject({
      status: 200,
      body: { gathered_info: { vendor: 'ACME', cpu_count: '2' } },
    })
    const next = (await change('PATCH', { vendor: '', model: 'M' })) as { body: Values }
    expect(next.body.gathered_info).toEqual({ cpu_count: '2', model: 'M' })
    expect(await change('PATCH', { arch: 'x'.repeat(17) })).toMatchObject({
      status: 400,
      body: { gathered_info: { arch: [expect.stringContaining('16')] } },
    })
    for (const wrong of [[], 'x', 7, null]) expect(await change('PATCH', wrong)).toMatchObject({ status: 400 })
    // A whole object that a client writes back does not restore what it once read.
    const row = await api('GET', `hosts/${id}/`)
    await api('PATCH', `hosts/${id}/`, { gathered_info: { model: 'N' } })
    await api('PUT', `hosts/${id}/`, row)
    expect((await api('GET', `hosts/${id}/`)).gathered_info.model).toBe('N')
    const device = await make('device')
    const { gathered_info } = await api('PATCH', `devices/${device.id}/`, { gathered_info: { model: 'M' } })
    expect(gathered_info).toEqual({})
  })
})

describe('the address of an asset', () => {
  it.each([
    ['::1', '::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[fe80::1%eth0]', 'fe80::1%eth0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:DB8:0:0:0:0:0:1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['[not an address]', '[not an address]'],
    ['https://[2001:db8::1]:8443/x', 'https://[2001:db8::1]:8443/x'],
  ])('may be IPv6 in every form: %s', async (sent, stored) => {
    const { id } = await make('host', { address: sent })
    expect(await api('GET', `hosts/${id}/`)).toMatchObject({ address: stored })
    const found = async (query: string) => (await api<Values[]>('GET', `hosts/?${query}`)).map((row) => row.id)
    const value = encodeURIComponent(stored)
    expect(await found(`address=${value}`)).toContain(id)
    expect(await found(`ips=192.0.2.77,${value}`)).toContain(id)
    expect(await found(`search=${value}`)).toContain(id)
  })

  it('and the name are of any script, up to their lengths in characters', async () => {
    const name = `${'資'.repeat(127)}𠮷`
    const { id } = await make('host', { name, labels: [{ name: '標'.repeat(128), value: '𠮷'.repeat(128) }] })
    expect(await api('GET', `hosts/${id}/`)).toMatchObject({ name, labels: [{ value: '𠮷'.repeat(128) }] })
    for (const more of [{ name: `${name}字` }, { labels: [{ name: '標'.repeat(129), value: 'x' }] }])
      expect(await refusal(make('host', more))).toMatchObject({ status: 400 })
    expect((await make('custom', { name: '자'.repeat(128) })).name).toBe('자'.repeat(128))
  })
})
