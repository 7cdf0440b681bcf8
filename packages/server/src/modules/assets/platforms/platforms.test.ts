import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { permissions } from '@castellan/contract/permissions'
import type { ApiError, Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

/** An answer of the server, whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: fields differ by category
type Values = Record<string, any>

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const base = '/api/v1/assets/'
const api = <T = Values>(method: string, path: string, body?: unknown, client: Client = server.admin) =>
  client.request<T>(method, `${base}${path}`, body)
const refusal = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body }),
    ({ status, body }: ApiError) => ({ status, body }),
  )

let made = 0
const bodyOf = (more: Values = {}): Values => {
  made += 1
  return {
    name: `P-${made}`,
    category: 'host',
    type: 'linux',
    protocols: [
      { name: 'ssh', port: 22, primary: true },
      { name: 'sftp', port: 22 },
    ],
    ...more,
  }
}
const create = (more?: Values) => api('POST', 'platforms/', bodyOf(more))
const custom = (custom_fields: readonly Values[], more: Values = {}) =>
  create({
    category: 'custom',
    type: 'crm',
    new_type: true,
    protocols: [{ name: 'crm', port: 9000 }],
    custom_fields,
    ...more,
  })
const assetOn = (platform: Values, more: Values = {}, path = 'hosts') => {
  made += 1
  return api('POST', `${path}/`, { name: `asset-${made}`, address: '192.0.2.9', platform: platform.id, ...more })
}
const preview = (platform: Values, body: unknown, client?: Client) =>
  api<Values>('POST', `platforms/${platform.id}/change-preview/`, body, client)
const textsOf = ({ effects }: Values) => effects.map(({ text }: Values) => text)

describe('the protocols of a platform', () => {
  it('have one primary: the first that is marked, else the first', async () => {
    const both = await create({
      protocols: [
        { name: 'sftp', port: 22 },
        { name: 'ssh', port: 22, primary: true },
        { name: 'telnet', port: 23, primary: true },
      ],
    })
    expect(both.protocols.map(({ name, primary }: Values) => [name, primary])).toEqual([
      ['sftp', false],
      ['ssh', true],
      ['telnet', false],
    ])
    const none = await create({ protocols: [{ name: 'vnc', port: 5900 }] })
    expect(none.protocols).toMatchObject([{ name: 'vnc', primary: true }])
  })

  it.each([
    [[{ name: 'ssh', port: 65_536 }], [{ port: ['Must not be greater than 65535.'] }]],
    [[{ name: 'ssh', port: -1 }], [{ port: ['Must not be less than 0.'] }]],
    [[{ name: 'ssh', port: 'twenty' }], [{ port: ['Enter a whole number.'] }]],
    [[{ name: 'ssh', port: 22.5 }], [{ port: ['Enter a whole number.'] }]],
    [[{ name: 'ssh' }], [{ port: ['This field is required.'] }]],
    [[{ name: '  ', port: 22 }], [{ name: ['This field may not be blank.'] }]],
    [[{ name: 'ssh', port: 22, setting: 'x' }], [{ setting: ['Value must be valid JSON.'] }]],
    [
      [{ name: 'ssh', port: 22 }, 'nonsense'],
      [{}, { non_field_errors: [expect.any(String)] }],
    ],
    [
      [
        { name: 'ssh', port: 22 },
        { name: 'ssh', port: 2222 },
      ],
      [{}, { name: ['This value is already in use.'] }],
    ],
    [[], ['Choose at least one item.']],
    ['ssh', ['Expected a list of items but got “string”.']],
  ])('%j are refused with the reason', async (protocols, problem) => {
    expect(await refusal(create({ protocols }))).toMatchObject({ status: 400, body: { protocols: problem } })
  })

  it('are not changed behind a built-in platform, nor out of range, through their own collection', async () => {
    const linux = await api('GET', 'platforms/Linux/')
    const [ssh] = linux.protocols
    const own = (id: number, method: string, body?: unknown) => refusal(api(method, `protocol-settings/${id}/`, body))
    expect(await own(ssh.id, 'PATCH', { port: 2222 })).toMatchObject({ status: 403 })
    expect(await own(ssh.id, 'DELETE')).toMatchObject({ status: 403 })
    expect(await api('GET', 'platforms/Linux/')).toEqual(linux)
    const mine = await create()
    const [first, second] = mine.protocols
    expect(await own(first.id, 'PATCH', { port: 70_000 })).toMatchObject({
      status: 400,
      body: { port: expect.anything() },
    })
    expect(await own(second.id, 'PATCH', { primary: true })).toMatchObject({ status: 200 })
    const { protocols } = await api('GET', `platforms/${mine.id}/`)
    expect(protocols.map(({ primary }: Values) => primary)).toEqual([false, true])
  })
})

describe('category and type of a platform', () => {
  it('belong together', async () => {
    expect(await refusal(create({ type: 'mysql' }))).toEqual({
      status: 400,
      body: { type: ['The type MySQL belongs to another category. Choose a type of this category.'] },
    })
    expect(await refusal(create({ type: 'nosuch' }))).toMatchObject({
      status: 400,
      body: { type: [expect.any(String)] },
    })
    expect(await refusal(create({ category: 'custom', type: 'linux', new_type: true }))).toMatchObject({ status: 400 })
  })

  it('of custom assets may be new only when that is said, and are offered from then on', async () => {
    const erp = { category: 'custom', type: 'erp-系统', protocols: [{ name: 'erp', port: 1 }] }
    expect(await refusal(create(erp))).toMatchObject({ status: 400, body: { type: expect.anything() } })
    expect(await refusal(create({ ...erp, type: 'a b', new_type: true }))).toMatchObject({ status: 400 })
    await create({ ...erp, new_type: true })
    await create(erp)
    const types = await api<Values[]>('GET', 'categories/types/')
    expect(types.find(({ value }) => value === 'erp-系统')).toMatchObject({ category: 'custom', label: 'erp-系统' })
  })

  it('stay in their category while assets use them', async () => {
    const platform = await create()
    const change = () => refusal(api('PATCH', `platforms/${platform.id}/`, { category: 'device', type: 'general' }))
    const { id } = await assetOn(platform)
    expect(await change()).toMatchObject({ status: 400, body: { category: [expect.stringContaining('Assets use')] } })
    await api('PATCH', `platforms/${platform.id}/`, { type: 'unix' })
    expect(await api('GET', `hosts/${id}/`)).toMatchObject({ type: { value: 'unix' } })
    await api('DELETE', `hosts/${id}/`)
    expect(await change()).toMatchObject({ status: 200 })
  })

  it('decide how accounts are switched', async () => {
    const device = { category: 'device', type: 'general', su_enabled: true, protocols: [{ name: 'ssh', port: 22 }] }
    expect(await refusal(create({ ...device, su_method: 'sudo' }))).toMatchObject({
      status: 400,
      body: { su_method: [expect.stringContaining('enable, super 15, super level 15')] },
    })
    expect(await create({ ...device, su_method: 'enable' })).toMatchObject({ su_enabled: true })
  })
})

describe('deleting a platform', () => {
  it('is refused while an asset of any organization uses it', async () => {
    const platform = await create()
    const elsewhere = server.admin.in((await server.admin.collection('orgs/orgs').create({ name: 'Deleting' })).id)
    const host = await api('POST', 'hosts/', { name: 'far', address: 'far', platform: platform.id }, elsewhere)
    expect(await refusal(api('DELETE', `platforms/${platform.id}/`))).toMatchObject({
      status: 400,
      body: { code: 'referenced_by_others' },
    })
    await api('DELETE', `hosts/${host.id}/`, undefined, elsewhere)
    expect(await refusal(api('DELETE', `platforms/${platform.id}/`))).toMatchObject({ status: 200 })
  })
})

describe('the custom fields of a platform', () => {
  it.each([
    [{ name: '__proto__' }, { name: ['“__proto__” is a reserved word. Choose another name.'] }],
    [{ name: 'constructor' }, { name: [expect.stringContaining('reserved')] }],
    [{ name: '<img src=x>' }, { name: ['Use letters, digits, underscores and hyphens only.'] }],
    [{ name: 'a.b' }, { name: [expect.any(String)] }],
    [{ name: '字'.repeat(129) }, { name: [expect.stringContaining('128')] }],
    [{ label: '' }, { label: ['This field may not be blank.'] }],
    [{ type: 'object' }, { type: ['“object” is not a valid choice.'] }],
    [{ type: 'constructor' }, { type: [expect.any(String)] }],
    [{ type: 'choice', choices: [] }, { choices: ['Choose at least one item.'] }],
    [{ type: 'choice', choices: 'a,b' }, { choices: [expect.any(String)] }],
    [{ type: 'int', default: 'many' }, { default: [expect.stringContaining('“many” does not fit')] }],
    [{ type: 'choice', choices: ['a'], default: 'b' }, { default: [expect.stringContaining('“b” does not fit')] }],
    [{ default: 'x'.repeat(1025) }, { default: [expect.any(String)] }],
    [{ help_text: 7.5, default: {} }, undefined],
  ])('%j', async (part, problem) => {
    const answer = await refusal(custom([{ name: 'region', label: 'Region', ...part }]))
    if (problem) expect(answer).toMatchObject({ status: 400, body: { custom_fields: [problem] } })
    else expect(answer.status).toBe(200)
  })

  it('have different names, and 128 characters of any script', async () => {
    const long = '字'.repeat(128)
    const made = await custom([{ name: long, label: long, default: '値' }])
    expect(made.custom_fields).toMatchObject([{ name: long, label: long, type: 'str' }])
    const twice = custom([
      { name: 'a', label: 'A' },
      { name: 'a', label: 'B' },
    ])
    expect(await refusal(twice)).toMatchObject({
      status: 400,
      body: { custom_fields: [{}, { name: expect.anything() }] },
    })
  })

  it('decide what an asset of the platform may say, while forms are open too', async () => {
    const platform = await custom([
      { name: 'region', label: 'Region', type: 'choice', choices: ['north', 'south'], default: 'north' },
      { name: 'retries', label: 'Retries', type: 'int' },
      { name: 'hosts', label: 'Hosts', type: 'list' },
      { name: 'secure', label: 'Secure', type: 'bool' },
      { name: 'token', label: 'Token', type: 'password' },
    ])
    const { id, custom_info } = await assetOn(platform, { custom_info: { retries: '3', token: 'T' } }, 'customs')
    expect(custom_info).toEqual({ region: 'north', retries: 3 })
    const change = (values: unknown) => refusal(api('PATCH', `customs/${id}/`, { custom_info: values }))
    expect(await change({ region: 'east', retries: 'x', secure: 'perhaps', hosts: 'one' })).toMatchObject({
      status: 400,
      body: { custom_info: { region: [expect.any(String)], retries: expect.anything(), secure: expect.anything() } },
    })
    expect(await change(['region'])).toMatchObject({ status: 400 })
    expect(await change({ region: '', retries: null, hosts: [], secure: false, token: '' })).toMatchObject({
      body: { custom_info: { secure: false } },
    })
    // The form was opened with these fields; then the platform changed.
    await api('PATCH', `platforms/${platform.id}/`, { custom_fields: [{ name: 'zone', label: 'Zone', type: 'str' }] })
    expect(await change({ region: 'north' })).toEqual({
      status: 400,
      body: {
        custom_info: {
          region: ['The platform no longer has the field “region”. Reload the form and enter the value again.'],
        },
      },
    })
    const inherited = JSON.parse('{"zone":"a","__proto__":{"zone":"b"}}') as Values
    expect(await change(inherited)).toMatchObject({ status: 400, body: { custom_info: expect.anything() } })
    expect(await change({ region: '', zone: 'a' })).toMatchObject({ body: { custom_info: { zone: 'a' } } })
    const { actions } = await api('OPTIONS', `customs/${id}/`)
    expect(Object.keys(actions.PUT.custom_info.children)).toEqual(['zone'])
  })

  it('carry text as it is: markup stays text and formulas of files are disarmed', async () => {
    const evil = '=HYPERLINK("http://evil.example","x")'
    const platform = await custom([{ name: 'note', label: '<script>alert(1)</script>', help_text: evil }])
    const { id } = await assetOn(platform, { custom_info: { note: evil }, name: `${evil}` }, 'customs')
    expect((await api('GET', `customs/${id}/`)).custom_info).toEqual({ note: evil })
    for (const path of [`customs/?id=${id}`, `platforms/?id=${platform.id}`]) {
      const headers = { ...server.admin.proof('GET', base + path), 'x-jms-org': defaultOrgId, accept: 'text/csv' }
      const csv = await (await fetch(new URL(base + path, server.url), { headers })).text()
      expect(csv).toContain('HYPERLINK')
      expect(csv).not.toMatch(/(^|,|\n)"?=HYPERLINK/)
    }
  })
})

describe('the preview of a change', () => {
  it('says which assets it concerns, how, and changes nothing', async () => {
    const platform = await create({ domain_enabled: true, su_enabled: true, su_method: 'sudo' })
    const domain = await api('POST', 'domains/', { name: 'behind' })
    const protocols = (port: number) => [
      { name: 'ssh', port },
      { name: 'sftp', port: 22 },
    ]
    await assetOn(platform, { domain: domain.id, protocols: protocols(22) })
    await assetOn(platform, { protocols: protocols(2022) })
    await server.admin
      .collection('perms/asset-permissions')
      .create({ name: 'by sftp', protocols: ['sftp'], actions: ['connect'] })
    const before = await api('GET', `platforms/${platform.id}/`)
    const body = {
      charset: 'gbk',
      domain_enabled: false,
      protocols: [
        { name: 'ssh', port: 2022, primary: true, setting: { keepalive: 5 } },
        { name: 'telnet', port: 23, required: true },
      ],
      automation: { ansible_enabled: true },
      comment: 'more',
    }
    const shown = await preview(platform, body)
    expect(shown.assets_amount).toBe(2)
    expect(shown.assets.map(({ name }: Values) => name)).toEqual([`asset-${made - 1}`, `asset-${made}`])
    expect(shown.effects.map(({ effect, subject, amount }: Values) => [effect, subject, amount])).toEqual([
      ['charset', '', 2],
      ['domain_off', '', 1],
      ['protocol_removed', 'sftp', 2],
      ['protocol_permissions', 'sftp', 1],
      ['protocol_port', 'ssh', 1],
      ['protocol_setting', 'ssh', 2],
      ['protocol_demanded', 'telnet', 2],
      ['automation_on', 'All automations', 2],
    ])
    expect(textsOf(shown)).toContain('Sessions on 2 assets use GBK from the next connection.')
    expect(await api('GET', `platforms/${platform.id}/`)).toEqual(before)
    expect(await preview(platform, { comment: 'only' })).toEqual({ assets_amount: 2, assets: [], effects: [] })
    expect(await preview(platform, before)).toMatchObject({ effects: [] })
  })

  it('counts the values of custom fields, and switching accounts', async () => {
    const platform = await custom([
      { name: 'a', label: 'First', type: 'str' },
      { name: 'b', label: 'Second', type: 'str' },
    ])
    await assetOn(platform, { custom_info: { a: 'x "b": y' } }, 'customs')
    const fields = [
      { name: 'b', label: 'Second', type: 'int' },
      { name: 'c', label: 'Third', type: 'str' },
    ]
    const { effects } = await preview(platform, { custom_fields: fields })
    expect(effects.map(({ effect, subject, amount }: Values) => [effect, subject, amount])).toEqual([
      ['field_removed', 'First', 1],
      ['field_added', 'Third', 1],
    ])
    const linux = await create({ su_enabled: true, su_method: 'su' })
    const host = await assetOn(linux, {
      accounts: [
        { name: 'ops', username: 'ops', secret_type: 'password', secret: 'x' },
        { name: 'root', username: 'root', secret_type: 'password', secret: 'x' },
      ],
    })
    const [ops, root] = await server.admin.collection('accounts/accounts').all({ asset: host.id, order: 'username' })
    await server.admin.collection('accounts/accounts').change(root?.id ?? '', { su_from: ops?.id })
    expect(textsOf(await preview(linux, { su_method: 'sudo' }))).toEqual([
      '1 account switches by “sudo su -” from the next connection.',
    ])
    expect(textsOf(await preview(linux, { su_enabled: false }))).toEqual([
      '1 account signs in directly from now on, without switching from another account.',
    ])
  })

  it('is true of a removed protocol: assets and permissions keep it, and stay as they can be saved', async () => {
    const platform = await create()
    const host = await assetOn(platform, {
      protocols: platform.protocols.map(({ name, port }: Values) => ({ name, port })),
    })
    const permission = await server.admin
      .collection('perms/asset-permissions')
      .create({ name: 'sftp only', assets: [host.id], protocols: ['sftp'], actions: ['connect'] })
    const only = [{ name: 'ssh', port: 22, primary: true }]
    expect(textsOf(await preview(platform, { protocols: only }))[0]).toContain('1 asset keeps sftp')
    await api('PATCH', `platforms/${platform.id}/`, { protocols: only })
    expect(await server.admin.collection('perms/asset-permissions').get(permission.id)).toMatchObject({
      protocols: ['sftp'],
    })
    const kept = await api('GET', `hosts/${host.id}/`)
    expect(kept.protocols.map(({ name }: Values) => name)).toEqual(['ssh', 'sftp'])
    expect(await api('PUT', `hosts/${host.id}/`, kept)).toMatchObject({ protocols: kept.protocols })
  })

  it('refuses what saving would refuse', async () => {
    const platform = await create()
    for (const body of [
      { protocols: [{ name: 'ssh', port: 99_999 }] },
      { charset: 'klingon' },
      { type: 'mysql' },
      { custom_fields: [{ name: 'constructor', label: 'x' }] },
      { automation: 'all' },
      'text',
      [],
      null,
    ])
      expect(await refusal(preview(platform, body))).toMatchObject({ status: 400 })
    expect(await refusal(preview({ id: 1 }, { comment: 'x' }))).toMatchObject({ status: 403 })
    expect(await refusal(preview({ id: 999_999 }, { comment: 'x' }))).toMatchObject({ status: 404 })
  })
})

describe('platforms belong to no organization, so', () => {
  const idOf = (code: string) => permissions.find((one) => one.code === code)?.id

  it('nobody changes or previews them with a role in an organization, whatever it is called', async () => {
    const platform = await create()
    await assetOn(platform)
    const other = await server.organization('Others')
    const person = await server.person('both', { system: [roleIds.user], org: [roleIds.orgAdmin] })
    await server.admin
      .in(other)
      .request('POST', '/api/v1/users/users/invite/', { users: [person], org_roles: [roleIds.orgAdmin] })
    const clients = [
      await server.as(person),
      await server.as(person, other),
      await server.as(await server.person('auditor', { system: [roleIds.systemAuditor] })),
      await server.as(await server.person('plain', { system: [roleIds.user], org: [roleIds.orgUser] })),
    ]
    for (const client of clients) {
      const status = async (method: string, path: string, body?: unknown) =>
        (await refusal(api(method, path, body, client))).status
      expect(await status('POST', 'platforms/', bodyOf())).toBe(403)
      expect(await status('PATCH', `platforms/${platform.id}/`, { comment: 'mine' })).toBe(403)
      expect(await status('DELETE', `platforms/${platform.id}/`)).toBe(403)
      expect(await status('POST', `platforms/${platform.id}/change-preview/`, { charset: 'gbk' })).toBe(403)
      expect(await status('PATCH', `protocol-settings/${platform.protocols[0].id}/`, { port: 1 })).toBe(403)
    }
    expect(await api('GET', `platforms/${platform.id}/`)).toMatchObject({ comment: '' })
  })

  it('their missing protocols are added to assets of the own organization alone, which is logged', async () => {
    const platform = await create({ protocols: [{ name: 'ssh', port: 22, primary: true }] })
    const other = String((await server.admin.collection('orgs/orgs').create({ name: 'Neighbors' })).id)
    const own = await assetOn(platform)
    const { id: foreign } = await server.admin
      .in(other)
      .request<Values>('POST', `${base}hosts/`, { name: 'foreign', address: '192.0.2.9', platform: platform.id })
    await api('PATCH', `platforms/${platform.id}/`, {
      protocols: [...platform.protocols, { name: 'sftp', port: 2222 }],
    })
    const sync = (client: Client, body: unknown = { platform_id: platform.id }) =>
      refusal(api('POST', 'assets/sync-platform-protocols/', body, client))
    const namesOf = async (id: string, org = defaultOrgId) => {
      const { protocols } = await server.admin.in(org).request<Values>('GET', `${base}hosts/${id}/`)
      return protocols.map(({ name, port }: Values) => `${name}/${port}`)
    }
    for (const client of [
      await server.as(await server.person('looks', { system: [roleIds.user], org: [roleIds.orgUser] })),
      await server.as(await server.person('audits', { system: [roleIds.systemAuditor] })),
    ])
      expect((await sync(client)).status).toBe(403)
    expect(await namesOf(own.id)).toEqual(['ssh/22'])
    const person = await server.person('here', { system: [roleIds.user], org: [roleIds.orgAdmin] })
    const admin = await server.as(person)
    for (const platform_id of [999_999, 'x', null, -1, 2 ** 40])
      expect((await sync(admin, { platform_id })).status, String(platform_id)).toBe(404)
    expect((await sync(admin)).status).toBe(200)
    expect(await namesOf(own.id)).toEqual(['ssh/22', 'sftp/2222'])
    expect(await namesOf(foreign, other), 'of another organization').toEqual(['ssh/22'])
    const logs = await server.admin.request<Values[]>(
      'GET',
      '/api/v1/audits/operate-logs/?action=update&resource_type=Asset',
    )
    expect(logs.map(({ resource }) => resource)).toEqual([`${own.name}(192.0.2.9)`])
  })

  it('a role that may change them but not list assets sees numbers without names', async () => {
    const platform = await create()
    await assetOn(platform)
    const role = await server.admin.collection('rbac/system-roles').create({
      name: 'platform editors',
      scope: 'system',
      permissions: ['assets.view_platform', 'assets.change_platform'].map(idOf),
    })
    const client = await server.as(await server.person('editor', { system: [role.id] }), defaultOrgId)
    expect(await preview(platform, { charset: 'gbk' }, client)).toMatchObject({ assets_amount: 1, assets: [] })
    expect(await refusal(api('POST', 'platforms/', bodyOf(), client))).toMatchObject({ status: 403 })
    expect(await refusal(api('DELETE', `platforms/${platform.id}/`, undefined, client))).toMatchObject({ status: 403 })
  })
})
