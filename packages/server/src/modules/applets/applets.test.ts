import { roleIds } from '@castellan/contract/ids'
import { type ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, filesOf, packageOf, pixel, uploadPackage, zipOf } from '../../testing/applets.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { onceOn } from '../../testing/this-run.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const api = <T = Record<string, never>>(method: string, path: string, body?: unknown, client: Client = server.admin) =>
  client.request<T>(method, `/api/v1/terminal/${path}`, body)
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }: ApiError) => status,
  )
const refused = async (files: Files | Blob, name = 'bad') => {
  const blob = files instanceof Blob ? files : await packageOf(name, files)
  const { status, body } = await uploadPackage(server.admin, blob, `${name}.zip`)
  expect(status, JSON.stringify(body)).toBe(400)
  return String(body.error)
}

describe('the package of an application', () => {
  it('is installed, shown, downloaded, updated and deleted, by id and by name', async () => {
    const { status, body } = await uploadPackage(server.admin, await packageOf('chromium'), 'chromium.zip')
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({
      name: 'chromium',
      display_name: 'Navigator chromium',
      version: '1.2',
      type: { value: 'web', label: 'Web' },
      edition: { value: 'community' },
      protocols: ['http', 'website'],
      tags: ['Web'],
      icon: '/media/applets/chromium/icon.png',
      readme: '# chromium',
      is_active: true,
    })
    const again = await uploadPackage(server.admin, await packageOf('chromium'), 'chromium.zip')
    expect(again).toMatchObject({ status: 400, body: { error: expect.stringContaining('chromium exists') } })
    await api('PATCH', 'applets/chromium/', { is_active: false })
    const newer = { ...filesOf('chromium'), 'manifest.yml': 'name: chromium\nversion: 2\n' }
    const updated = await uploadPackage(
      server.admin,
      await packageOf('chromium', newer),
      'chromium (1).zip',
      '?update=1',
    )
    expect(updated).toMatchObject({ status: 201, body: { id: body.id, version: '2', is_active: false } })
    const icon = await fetch(new URL(body.icon, server.url), { headers: server.admin.proof('GET', body.icon) })
    expect(icon.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await icon.arrayBuffer())).toEqual(pixel)
    const path = '/api/v1/terminal/applets/chromium/download/'
    const file = await fetch(new URL(path, server.url), { headers: server.admin.proof('GET', path) })
    const copy = await file.blob()
    await api('DELETE', `applets/${body.id}/`)
    expect(await uploadPackage(server.admin, copy, 'chromium.zip')).toMatchObject({
      status: 201,
      body: { version: '2' },
    })
    await api('DELETE', 'applets/chromium/')
    expect(await statusOf(api('GET', 'applets/chromium/'))).toBe(404)
  })

  it('needs its files, one folder, and a manifest that says enough', async () => {
    expect(await uploadPackage(server.admin, undefined, '')).toMatchObject({
      status: 400,
      body: { file: [/required/] },
    })
    expect(await refused(new Blob(['not an archive']))).toContain('not a ZIP')
    for (const file of ['manifest.yml', 'setup.yml', 'icon.png']) {
      const { [file]: _left, ...files } = filesOf('bad')
      expect(await refused(files)).toContain(file)
    }
    expect(await refused(await zipOf({ 'a/x': '1', 'b/y': '2' }))).toContain('exactly one folder')
    expect(await refused({ ...filesOf('bad'), 'icon.png': '<svg onload="alert(1)"/>' })).toContain('icon.png')
    expect(await refused({ ...filesOf('bad'), 'manifest.yml': 'name: ../evil\n' })).toContain('name')
    expect(await refused({ ...filesOf('bad'), 'manifest.yml': 'name: bad\ntype: game\n' })).toContain('type')
    expect(await refused({ ...filesOf('bad'), 'manifest.yml': '- a list' })).toContain('manifest.yml')
    expect(await refused({ ...filesOf('bad'), 'setup.yml': 'type: script\n' })).toContain('setup.yml')
    expect(await refused(await packageOf('other', filesOf('bad')))).toContain('other')
  })

  onceOn('sqlite')(
    'cannot leave its folder, contain links, expand without bounds, or hide behind aliases',
    async () => {
      const paths = [
        '../../evil.py',
        '/etc/passwd',
        'bad/../../x',
        'bad/..\\..\\x',
        'bad/C:evil',
        'bad/con.txt',
        'bad/a\u202e',
      ]
      for (const path of paths)
        expect(await refused(await zipOf({ [path]: 'x' })), path).toMatch(/not allowed|one folder/)
      expect(await refused({ ...filesOf('bad'), link: { link: '/etc/shadow' } })).toContain('link')
      expect(await refused({ ...filesOf('bad'), 'MAIN.py': 'twice' })).toContain('twice')
      const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`f${index}`, '']))
      expect(await refused({ ...filesOf('bad'), ...many })).toContain('2000')
      const bomb = Buffer.alloc(301 * 1024 * 1024)
      expect(await refused({ ...filesOf('bad'), 'bomb.bin': bomb })).toContain('300 MB')
      expect(await refused({ ...filesOf('bad'), 'manifest.yml': Buffer.alloc(2_000_000, ' ') })).toContain('MB')
      const aliases = 'a: &a [x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nname: bad\n'
      expect(await refused({ ...filesOf('bad'), 'manifest.yml': aliases })).toContain('aliases')
      expect(await api('GET', 'applets/?name=bad')).toEqual([])
      // Archives that expand to the limits: a minute where ten programs share a processor.
    },
    60_000,
  )

  it('brings a platform of its own, and never takes over another one', async () => {
    const platform = 'name: CRM\ncategory: custom\ntype: crm\nprotocols: [{name: crm, port: 99, primary: true}]\n'
    const files = { ...filesOf('crm'), 'platform.yml': platform }
    const answer = await uploadPackage(server.admin, await packageOf('crm', files), 'crm.zip')
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const named = () => server.admin.request<{ created_by: string }[]>('GET', '/api/v1/assets/platforms/?name=CRM')
    expect(await named()).toMatchObject([{ created_by: 'Applet:crm', category: { value: 'custom' } }])
    const linux = { ...filesOf('bad'), 'platform.yml': platform.replace('CRM', 'Linux') }
    expect(await refused(linux)).toContain('Linux')
    expect(await refused({ ...filesOf('bad'), 'platform.yml': platform.replace('custom', 'host') })).toContain('custom')
    expect(await refused({ ...filesOf('bad'), 'platform.yml': platform.replace('name: CRM', 'name: CRM') })).toContain(
      'CRM',
    )
    await api('DELETE', 'applets/crm/')
    expect(await named()).toEqual([])
  })

  it('is uploaded by nobody without the permission, and its file is given to nobody else', async () => {
    const organization = await server.organization('Elsewhere')
    const stranger = await server.person('stranger', {
      system: [roleIds.user],
      org: [roleIds.orgAdmin],
      orgId: organization,
    })
    const auditor = await server.person('auditor', { system: [roleIds.systemAuditor] })
    for (const who of [await server.as(stranger, organization), await server.as(auditor)]) {
      expect((await uploadPackage(who, await packageOf('mine'), 'mine.zip')).status).toBe(403)
      expect(await statusOf(api('GET', 'applets/', undefined, who))).toBe(403)
      expect(await statusOf(api('GET', 'applet-hosts/', undefined, who))).toBe(403)
    }
  })
})

interface Host {
  id: string
  name: string
  org_id: string
  platform: { name: string }
  nodes_display: string[]
  deploy_options: Record<string, unknown>
}
const newHost = (name: string, more: object = {}) =>
  api<Host>('POST', 'applet-hosts/', { name, address: '10.9.8.7', auto_create_accounts: false, ...more })

describe('application hosts', () => {
  it('are Windows assets of the system organization with options of their own', async () => {
    const host = await newHost('apps-1', { deploy_options: { RDS_Licensing: true }, platform: 1, nodes: [] })
    expect(host).toMatchObject({
      org_id: '00000000-0000-0000-0000-000000000004',
      platform: { name: 'RemoteAppHost' },
      nodes_display: ['/SYSTEM/RemoteAppHosts'],
      auto_create_accounts: false,
      accounts_create_amount: 100,
      load: { value: 'offline' },
      date_synced: null,
      deploy_options: { RDS_Licensing: true, RDS_LicensingMode: 2, IGNORE_VERIFY_CERTS: true },
    })
    const changed = await api<Host>('PATCH', `applet-hosts/${host.id}/`, { comment: 'x', accounts_create_amount: 7 })
    expect(changed).toMatchObject({ accounts_create_amount: 7, deploy_options: { RDS_Licensing: true } })
    expect(await api('GET', 'applet-hosts/?search=apps-1')).toHaveLength(1)
    expect(await server.admin.request('GET', '/api/v1/assets/hosts/?name=apps-1')).toEqual([])
    for (const wrong of [
      { deploy_options: { CORE_HOST: "http://x'; rm -rf /" } },
      { deploy_options: { RDS_LicenseServer: '$(calc)' } },
      { deploy_options: { RDS_LicensingMode: 3 } },
      { deploy_options: 'x' },
      { accounts_create_amount: -1 },
      { accounts_create_amount: 1_000_000 },
    ])
      expect(await statusOf(api('PATCH', `applet-hosts/${host.id}/`, wrong)), JSON.stringify(wrong)).toBe(400)
    await api('DELETE', `applet-hosts/${host.id}/`)
    expect(await statusOf(api('GET', `applet-hosts/${host.id}/`))).toBe(404)
  })

  it('have every application, and only their own component reports what is installed', async () => {
    await uploadPackage(server.admin, await packageOf('one'), 'one.zip')
    const [host, other] = [await newHost('apps-2'), await newHost('apps-3')]
    await uploadPackage(server.admin, await packageOf('two'), 'two.zip')
    const rows = await api<{ applet: { name: string } }[]>('GET', `applet-publications/?host=${host.id}`)
    expect(rows.map(({ applet }) => applet.name).sort()).toEqual(['one', 'two'])
    const agent = await registerComponent(server.url, server.bootstrapToken, 'tinker-2', 'tinker')
    const gateway = await registerComponent(server.url, server.bootstrapToken, 'koko-2')
    expect(await statusOf(api('GET', 'applet-hosts/applets/', undefined, agent))).toBe(403)
    expect(await statusOf(api('POST', `applet-hosts/${host.id}/startup/`, {}, gateway))).toBe(403)
    expect(await statusOf(api('POST', `applet-hosts/${host.id}/startup/`, {}))).toBe(403)
    expect(await api('POST', `applet-hosts/${host.id}/startup/`, {}, agent)).toEqual({ msg: 'ok' })
    // One component is that of one host, and a host has one component.
    expect(await statusOf(api('POST', `applet-hosts/${other.id}/startup/`, {}, agent))).toBe(403)
    const thief = await registerComponent(server.url, server.bootstrapToken, 'tinker-3', 'tinker')
    expect(await statusOf(api('POST', `applet-hosts/${host.id}/startup/`, {}, thief))).toBe(403)
    const sent = [
      { name: 'one', version: '1.2' },
      { name: 'unknown', version: '1' },
    ]
    for (const who of [thief, gateway, server.admin])
      expect(await statusOf(api('POST', `applet-hosts/${host.id}/applets/reports/`, sent, who))).toBe(403)
    expect(await statusOf(api('POST', `applet-hosts/${other.id}/applets/reports/`, sent, agent))).toBe(403)
    expect(await statusOf(api('POST', 'applet-hosts/applets/reports/', { name: 'one' }, agent))).toBe(400)
    type Reported = { applet: { name: string }; status: { value: string } }[]
    const after = await api<Reported>('POST', 'applet-hosts/applets/reports/', sent, agent)
    const states = Object.fromEntries(after.map(({ applet, status }) => [applet.name, status.value]))
    expect(states).toEqual({ one: 'success', two: 'failed' })
    const mismatch = [{ name: 'one', version: '0.9' }]
    await api('POST', `applet-hosts/${host.id}/applets/reports/`, mismatch, agent)
    expect(await api('GET', 'applet-hosts/applets/one/', undefined, agent)).toMatchObject({
      status: { value: 'mismatch' },
    })
    expect(await api('GET', `applet-publications/?host=${other.id}&status=pending`)).toHaveLength(2)
    await api('DELETE', 'applets/one/')
    await api('DELETE', 'applets/two/')
  })

  it('get accounts, whose secrets only their component reads, and which follow the users', async () => {
    const host = await newHost('apps-4', {
      auto_create_accounts: true,
      accounts_create_amount: 3,
      accounts: [{ name: 'Administrator', username: 'Administrator', secret: 'Adm1nistrator!', privileged: true }],
    })
    const accounts = () =>
      server.admin
        .in('00000000-0000-0000-0000-000000000004')
        .request<{ username: string; is_active: boolean }[]>('GET', `/api/v1/accounts/accounts/?asset=${host.id}`)
    const named = (prefix: string) => async () =>
      (await accounts()).filter(({ username }) => username.startsWith(prefix)).length
    await expect.poll(named('jms_'), { timeout: 20_000 }).toBe(3)
    await expect.poll(named('js_admin'), { timeout: 20_000 }).toBe(1)
    expect((await accounts()).filter(({ is_active }) => is_active)).toHaveLength(1)
    const guest = await server.admin.request<{ id: string }>('POST', '/api/v1/users/users/', {
      name: 'guest',
      username: 'guest',
      email: 'guest@example.org',
    })
    await expect.poll(named('js_guest'), { timeout: 20_000 }).toBe(1)
    await server.admin.request('DELETE', `/api/v1/users/users/${guest.id}/`)
    await expect.poll(named('js_guest'), { timeout: 20_000 }).toBe(0)
    await api('PATCH', `applet-hosts/${host.id}/`, { accounts_create_amount: 4, auto_create_accounts: false })
    await api('PUT', `applet-hosts/${host.id}/generate-accounts/`)
    await expect.poll(named('jms_'), { timeout: 20_000 }).toBe(4)
    const agent = await registerComponent(server.url, server.bootstrapToken, 'tinker-4', 'tinker')
    await api('POST', `applet-hosts/${host.id}/startup/`, {}, agent)
    type Given = { id: string; username: string; secret: string; is_active: boolean }[]
    const given = await api<Given>('GET', 'applet-hosts/accounts/', undefined, agent)
    expect(given.every(({ username }) => /^(jms|js)_/.test(username))).toBe(true)
    expect(given.every(({ secret }) => secret.length === 16)).toBe(true)
    const [first] = given
    const path = `applet-hosts/accounts/${first?.id}/`
    expect(await api('PATCH', path, { is_active: true }, agent)).toMatchObject({ is_active: true })
    for (const who of [server.admin, await registerComponent(server.url, server.bootstrapToken, 'koko-4')]) {
      expect(await statusOf(api('GET', 'applet-hosts/accounts/', undefined, who))).toBe(403)
      expect(await statusOf(api('PATCH', `applet-hosts/${host.id}/accounts/${first?.id}/`, {}, who))).toBe(403)
    }
  })
})
