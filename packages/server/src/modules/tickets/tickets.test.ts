import { randomUUID } from 'node:crypto'
import { offeredTicketTypes } from '@castellan/contract/choices/tickets'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { permissionByCode } from '@castellan/contract/permissions'
import { type Client, registerComponent } from '@castellan/testing/client'
import { signInForCookies } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let applicant: Client
let applicantId: string
let host: string

beforeAll(async () => {
  server = await startServer()
  applicantId = await server.person('applicant', { system: [roleIds.user], org: [roleIds.orgUser] })
  applicant = await server.as(applicantId)
  host = (
    await server.admin.collection('assets/hosts').create({
      name: 'web',
      address: '10.0.0.1',
      platform: { pk: 1 },
      protocols: [{ name: 'ssh', port: 22 }],
    })
  ).id
})
afterAll(() => server.close())

const base = '/api/v1/tickets/'
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

let made = 0
const wish = (more: object = {}) => ({
  title: `need ${++made}`,
  org_id: defaultOrgId,
  apply_assets: [host],
  apply_nodes: [],
  apply_accounts: ['@ALL'],
  apply_actions: ['connect'],
  apply_date_start: hours(-1),
  apply_date_expired: hours(24),
  ...more,
})

interface Ticket {
  id: string
  title: string
  serial_num: string
  state: { value: string }
  status: { value: string }
  process_map: { state: string; assignees: string[]; processor: string }[]
  rel_snapshot: { apply_assets: string[] }
}
const open = (more: object = {}, by = applicant) =>
  by.request<Ticket>('POST', `${base}apply-asset-tickets/open/`, wish(more))
const read = (id: string, by = server.admin) => by.request<Ticket>('GET', `${base}tickets/${id}/`)
const decide = (id: string, decision: string, by: Client = server.admin, body: object = {}) =>
  by.request('PUT', `${base}apply-asset-tickets/${id}/${decision}/`, decision === 'approve' ? wish(body) : body)
const permission = (id: string) => server.admin.request('GET', `/api/v1/perms/asset-permissions/${id}/`)
const flowId = async () => {
  const [flow] = await server.admin.request<{ id: string }[]>('GET', `${base}flows/`)
  return flow?.id ?? ''
}
const setFlow = async (approval_level: number, rules: object[]) =>
  server.admin.request('PUT', `${base}flows/${await flowId()}/`, { type: 'apply_asset', approval_level, rules })

const orgAdmin = (name: string) => server.person(name, { system: [roleIds.user], org: [roleIds.orgAdmin] })

describe('a request for assets', () => {
  it('becomes a permission that names its ticket and ends by itself', async () => {
    const { id, serial_num } = await open()
    expect(serial_num).toMatch(/^\d{12}$/)
    expect(await decide(id, 'approve', server.admin, { apply_actions: ['connect', 'upload'] })).toBe('ok')
    expect(await read(id)).toMatchObject({ state: { value: 'approved' }, status: { value: 'closed' } })
    expect(await permission(id)).toMatchObject({
      id,
      from_ticket: true,
      is_valid: true,
      users: [{ id: applicantId }],
      assets: [{ id: host }],
      created_by: `ApplyAssetTicket:${id}`,
      actions: [{ value: 'connect' }, { value: 'upload' }],
    })
    const history = await applicant.request<{ body: string }[]>('GET', `${base}comments/?ticket_id=${id}`)
    expect(history).toHaveLength(2)
    expect(history[1]?.body).toMatch(/\| Actions \| Connect/)
  })

  it('tells the assignees, and the applicant what was decided', async () => {
    const { id } = await open({ title: 'please <b>' })
    await decide(id, 'reject')
    const inbox = async (who: Client) =>
      (
        await who.request<{ content: { subject: string; message: string } }[]>(
          'GET',
          '/api/v1/notifications/site-messages/',
        )
      ).map(({ content }) => content)
    const asked = (await inbox(server.admin)).find(({ message }) => message.includes(id))
    expect(asked?.subject).toContain('please <b>')
    expect(asked?.message).toContain('please &lt;b&gt;')
    expect((await inbox(applicant)).some(({ message }) => message.includes(id))).toBe(true)
  })

  it('tells each in the language in which they use the console', async () => {
    const password = 'Reads-japanese-1'
    const reader = await orgAdmin('reader')
    const { username } = await server.admin.request<{ username: string }>('PATCH', `/api/v1/users/users/${reader}/`, {
      ...{ password_strategy: 'custom', password, need_update_password: false },
    })
    const cookie = await signInForCookies(server.url, username, password)
    const own = await fetch(`${server.url}/api/v1/users/profile/`, { headers: { cookie, 'accept-language': 'ja' } })
    expect(own.status).toBe(200)
    await setFlow(1, [{ strategy: 'super_org_admin' }])
    const { id, title } = await open()
    const subject = async (who: Client) =>
      (
        await who.request<{ content: { subject: string; message: string } }[]>(
          'GET',
          '/api/v1/notifications/site-messages/',
        )
      ).find(({ content }) => content.message.includes(id))?.content
    const inJapanese = await subject(await server.as(reader))
    expect(inJapanese?.subject).toContain(`からの新しいチケット：${title}（${offeredTicketTypes.apply_asset.ja}）`)
    expect((await subject(server.admin))?.subject).toContain(`new ticket – ${title}`)
    await decide(id, 'reject')
  })

  it.each([
    ['approve', 'reject'],
    ['reject', 'approve'],
    ['close', 'approve'],
    ['approve', 'close'],
  ])('is decided once: %s, then %s', async (first, second) => {
    const { id } = await open()
    await decide(id, first)
    await expect(decide(id, second)).rejects.toMatchObject({ status: 400, body: { code: 'error' } })
    const exists = await permission(id).then(
      () => true,
      () => false,
    )
    expect(exists).toBe(first === 'approve')
  })

  it('is decided once by many at the same time', async () => {
    const others = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => server.as(await orgAdmin(`racer-${name}`))),
    )
    await setFlow(1, [{ strategy: 'super_org_admin' }])
    const { id } = await open()
    const outcomes = await Promise.allSettled([
      ...others.map((one) => decide(id, 'approve', one)),
      ...others.map((one) => decide(id, 'reject', one)),
      decide(id, 'close', applicant),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { state } = await read(id)
    const exists = await permission(id).then(
      () => true,
      () => false,
    )
    expect(exists).toBe(state.value === 'approved')
    const history = await applicant.request<object[]>('GET', `${base}comments/?ticket_id=${id}`)
    expect(history).toHaveLength(2)
    await setFlow(1, [{ strategy: 'super_admin' }])
  })

  it('passes both levels of a flow, whose assignees are those of the organization', async () => {
    const admin = await orgAdmin('second-level')
    const elsewhere = await server.person('elsewhere', {
      system: [roleIds.user],
      org: [roleIds.orgAdmin],
      orgId: await server.organization('Elsewhere'),
    })
    await setFlow(2, [{ strategy: 'super_admin' }, { strategy: 'org_admin' }])
    const { id, process_map } = await open()
    expect(process_map).toHaveLength(2)
    expect(process_map[1]?.assignees).toContain(admin)
    expect(process_map[1]?.assignees).not.toContain(elsewhere)
    const second = await server.as(admin)
    await expect(decide(id, 'approve', second)).rejects.toMatchObject({ status: 403 })
    await decide(id, 'approve')
    expect(await read(id)).toMatchObject({ state: { value: 'pending' }, approval_step: { value: 2 } })
    await expect(permission(id)).rejects.toMatchObject({ status: 404 })
    await decide(id, 'approve', second)
    await permission(id)
    await expect(decide(id, 'approve', await server.as(elsewhere))).rejects.toMatchObject({ status: 404 })
    await setFlow(1, [{ strategy: 'super_admin' }])
  })

  it('is not decided by somebody who lost the role, nor granted wider by who may not grant', async () => {
    const approver = await server.person('approver', { system: [roleIds.user], org: [roleIds.orgUser] })
    const lost = await orgAdmin('loses-it')
    await setFlow(1, [{ strategy: 'custom_user', assignees: [approver] }])
    const first = await open()
    const by = await server.as(approver)
    await expect(decide(first.id, 'approve', by, { apply_actions: ['connect', 'upload'] })).rejects.toMatchObject({
      status: 400,
    })
    await expect(decide(first.id, 'approve', by, { apply_date_expired: hours(48) })).rejects.toMatchObject({
      status: 400,
    })
    const { apply_date_start: from } = wish()
    await expect(
      decide(first.id, 'approve', by, { apply_date_start: from, apply_date_expired: hours(1) }),
    ).resolves.toBe('ok')
    const unchanged = await open({
      apply_date_start: new Date(Date.now() - 1).toISOString().replace(/\d{3}Z$/, '999Z'),
    })
    const { apply_date_start, apply_date_expired } = await by.request<Record<string, string>>(
      'GET',
      `${base}apply-asset-tickets/${unchanged.id}/`,
    )
    await expect(decide(unchanged.id, 'approve', by, { apply_date_start, apply_date_expired })).resolves.toBe('ok')
    await setFlow(1, [{ strategy: 'org_admin' }])
    const second = await open()
    const client = await server.as(lost)
    await server
      .context()
      .rawDb.deleteFrom('rbac_rolebinding')
      .where('user_id', '=', lost)
      .where('role_id', '=', roleIds.orgAdmin)
      .execute()
    await expect(decide(second.id, 'reject', client)).rejects.toMatchObject({ status: 403 })
    await setFlow(1, [{ strategy: 'super_admin' }])
  })

  it('is refused with a clear message for times, organizations and assets that cannot be', async () => {
    await expect(open({ apply_date_expired: hours(-2) })).rejects.toMatchObject({
      status: 400,
      body: { apply_date_expired: [expect.any(String)] },
    })
    await expect(open({ apply_date_start: hours(-3), apply_date_expired: hours(-2) })).rejects.toMatchObject({
      status: 400,
    })
    const other = await server.organization('Not mine')
    await expect(open({ org_id: other })).rejects.toMatchObject({ status: 400, body: { org_id: [expect.any(String)] } })
    await expect(open({ org_id: 'x' })).rejects.toMatchObject({ status: 400 })
    await expect(open({ apply_date_start: undefined })).rejects.toMatchObject({ status: 400 })
    const gone = await server.admin
      .collection('assets/hosts')
      .create({ name: 'gone', address: '10.0.0.2', platform: { pk: 1 }, protocols: [{ name: 'ssh', port: 22 }] })
    const { id } = await open({ apply_assets: [gone.id] })
    await server.admin.collection('assets/hosts').delete(gone.id)
    await expect(decide(id, 'approve', server.admin, { apply_assets: [gone.id] })).rejects.toMatchObject({
      status: 400,
      body: { apply_assets: [expect.any(String)] },
    })
    expect(await read(id)).toMatchObject({ state: { value: 'pending' } })
    await expect(
      server.admin.request('PUT', `${base}apply-asset-tickets/bulk/?action=approve`, { tickets: [id] }),
    ).rejects.toMatchObject({ status: 400 })
    expect(await read(id)).toMatchObject({
      state: { value: 'pending' },
      rel_snapshot: { apply_assets: ['gone(10.0.0.2)'] },
    })
  })

  it('says what it grants: what was not chosen is an error, when it is opened and when an approver changes it', async () => {
    const unchosen: [string, object, string][] = [
      ['no account', { apply_accounts: [] }, 'apply_accounts'],
      ['templates only', { apply_accounts: ['%x', ' %y'] }, 'apply_accounts'],
      ['the mark before names only', { apply_accounts: ['@SPEC', ' '] }, 'apply_accounts'],
      ['neither assets nor nodes', { apply_assets: [], apply_nodes: [] }, 'apply_assets'],
      ['nothing of this organization', { apply_assets: [randomUUID()] }, 'apply_assets'],
      ['no action', { apply_actions: [] }, 'apply_actions'],
      ['no period', { apply_date_expired: wish().apply_date_start }, 'apply_date_expired'],
    ]
    await setFlow(2, [{ strategy: 'super_admin' }, { strategy: 'super_admin' }])
    const { id } = await open()
    for (const [what, more, field] of unchosen) {
      const refused = { status: 400, body: { [field]: [expect.any(String)] } }
      await expect(open(more), `opened with ${what}`).rejects.toMatchObject(refused)
      await expect(decide(id, 'approve', server.admin, more), `approved with ${what}`).rejects.toMatchObject(refused)
    }
    await setFlow(1, [{ strategy: 'super_admin' }])
    const silent = await open({ apply_accounts: undefined })
    expect(await read(silent.id)).toMatchObject({ approval_step: { value: 1 } })
    const shown = await server.admin.request<{ apply_accounts: string[] }>(
      'GET',
      `${base}apply-asset-tickets/${silent.id}/`,
    )
    await server.admin.request('PUT', `${base}apply-asset-tickets/bulk/?action=approve`, { tickets: [silent.id] })
    expect(await permission(silent.id)).toMatchObject({ accounts: shown.apply_accounts })
    expect(shown.apply_accounts).toEqual(['@ALL'])
    // One of an earlier version, which shows none.
    const old = await open()
    const details = JSON.stringify({ nodes: [], assets: [host], accounts: [], actions: 1, permission_name: 'old' })
    await server.context().rawDb.updateTable('tickets_ticket').set({ details }).where('id', '=', old.id).execute()
    await expect(
      server.admin.request('PUT', `${base}apply-asset-tickets/bulk/?action=approve`, { tickets: [old.id] }),
    ).rejects.toMatchObject({ status: 400, body: { apply_accounts: [expect.any(String)] } })
  })

  it('is closed for others by components only', async () => {
    const codes = ['tickets.view_superticket', 'tickets.change_superticket']
    const permissions = codes.map((code) => permissionByCode(code)?.id)
    const role = await server.admin
      .collection('rbac/system-roles')
      .create({ name: 'super', scope: 'system', permissions })
    const nosy = await server.as(await server.person('nosy', { system: [role.id], org: [roleIds.orgUser] }))
    const component = await registerComponent(server.url, server.bootstrapToken, 'closes')
    const { id } = await open()
    const path = `${base}super-tickets/${id}/status/`
    await expect(nosy.request('DELETE', path)).rejects.toMatchObject({ status: 403 })
    expect(await read(id)).toMatchObject({ state: { value: 'pending' } })
    await component.request('DELETE', path)
    expect(await read(id)).toMatchObject({ state: { value: 'closed' } })
  })

  it('named twice in one call passes one level only', async () => {
    await setFlow(2, [{ strategy: 'super_admin' }, { strategy: 'super_admin' }])
    const { id } = await open()
    await server.admin.request('PUT', `${base}apply-asset-tickets/bulk/?action=approve`, { tickets: [id, id] })
    expect(await read(id)).toMatchObject({ state: { value: 'pending' }, approval_step: { value: 2 } })
    await setFlow(1, [{ strategy: 'super_admin' }])
  })

  it('is seen and commented by those who take part only', async () => {
    const { id } = await open()
    const stranger = await server.as(
      await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    await expect(read(id, stranger)).rejects.toMatchObject({ status: 404 })
    for (const decision of ['approve', 'reject', 'close'])
      await expect(decide(id, decision, stranger)).rejects.toMatchObject({ status: 404 })
    await expect(decide(id, 'approve', applicant)).rejects.toMatchObject({ status: 403 })
    for (const method of ['GET', 'POST'])
      await expect(
        stranger.request(method, `${base}comments/?ticket_id=${id}`, method === 'POST' ? { body: 'x' } : undefined),
      ).rejects.toMatchObject({ status: 400 })
    await expect(stranger.request('GET', `${base}super-tickets/${id}/status/`)).rejects.toMatchObject({ status: 403 })
    const bare = await server.as(await server.person('bare', { system: [], org: [] }))
    await expect(bare.request('GET', `${base}tickets/`)).rejects.toMatchObject({ status: 403 })
  })

  it('counts for the header of its current assignees only', async () => {
    const me = (await server.admin.request<{ id: string }>('GET', '/api/v1/users/profile/')).id
    const count = async (id: string, by = server.admin) =>
      (await by.request<{ count: number }>('GET', `${base}tickets/?assignees__id=${id}&status=open&offset=0&limit=15`))
        .count
    const before = await count(me)
    const { id } = await open()
    expect(await count(me)).toBe(before + 1)
    expect(await count(applicantId, applicant)).toBe(0)
    await decide(id, 'close', applicant)
    expect(await count(me)).toBe(before)
  })
})

describe('a flow', () => {
  it('of the root organization is inherited until an organization changes it', async () => {
    const [global] = await server.admin.request<{ id: string }[]>('GET', `${base}flows/?oid=root`)
    const orgId = await server.organization('Own flow')
    const inOrg = (method: string, path: string, body?: object) =>
      server.admin.request<{ id: string; org_id: string }>(method, `${base}flows/${path}?oid=${orgId}`, body)
    const made = await inOrg('PATCH', `${global?.id}/`, { approval_level: 1, rules: [{ strategy: 'org_admin' }] })
    expect(made.id).not.toBe(global?.id)
    expect(made.org_id).toBe(orgId)
    const flows = (await inOrg('GET', '')) as unknown as { id: string }[]
    expect(flows.map(({ id }) => id)).toEqual([made.id])
    await expect(
      inOrg('PUT', `${made.id}/`, { type: 'apply_asset', approval_level: 1, rules: [{ strategy: 'custom_user' }] }),
    ).rejects.toMatchObject({ status: 400 })
    await expect(
      inOrg('PUT', `${made.id}/`, { type: 'apply_asset', approval_level: 1, rules: 'x' }),
    ).rejects.toMatchObject({ status: 400 })
    await expect(inOrg('DELETE', `${made.id}/`)).rejects.toMatchObject({ status: 405 })
    await expect(
      (await server.as(applicantId)).request('PATCH', `${base}flows/${global?.id}/`, { approval_level: 1 }),
    ).rejects.toMatchObject({ status: 403 })
  })

  it('is changed with others in one call, all or none, and never that of another organization', async () => {
    const [orgId, otherId] = [await server.organization('Many flows'), await server.organization('Their flows')]
    const [global] = await server.admin.request<{ id: string }[]>('GET', `${base}flows/?oid=root`)
    const bulk = (method: string, org: string, body: unknown) =>
      server.admin.request<{ id: string; org_id: string }[]>(method, `${base}flows/?oid=${org}`, body as object)
    const rules = [{ strategy: 'org_admin' }]
    const made = await bulk('PATCH', orgId, [{ id: global?.id, approval_level: 1, rules }])
    expect(made).toMatchObject([{ org_id: orgId }])
    const id = made[0]?.id
    await expect(
      bulk('PATCH', orgId, [
        { id, approval_level: 2 },
        { id, approval_level: 9 },
      ]),
    ).rejects.toMatchObject({ status: 400, body: [{}, { approval_level: expect.any(Array) }] })
    const [kept] = await server.admin.request<{ approval_level: { value: number } }[]>(
      'GET',
      `${base}flows/?oid=${orgId}`,
    )
    expect(kept?.approval_level.value).toBe(1)
    await expect(bulk('PATCH', otherId, [{ id, rules }])).rejects.toMatchObject({ status: 404 })
    for (const wrong of [{ id, rules }, [null], [{ rules }], [{ id: 7 }]])
      await expect(bulk('PATCH', orgId, wrong)).rejects.toMatchObject({
        status: expect.toSatisfy((code: number) => [400, 404].includes(code)),
      })
    await expect(
      (await server.as(applicantId)).request('PATCH', `${base}flows/`, [{ id, rules }]),
    ).rejects.toMatchObject({ status: 403 })
  })
})

describe('a list of thousands', () => {
  it("has the same tickets in the same order as one by one, and nobody else's", async () => {
    const { id } = await open({ title: 'copied' })
    const database = server.context().rawDb
    const row = await database.selectFrom('tickets_ticket').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const asked = await database
      .selectFrom('tickets_assignee')
      .selectAll()
      .where('ticket_id', '=', id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 4200 }, (_, n) => ({
      ...row,
      id: randomUUID(),
      serial_num: `copy${n}`,
      title: `copy ${n}`,
      date_created: Number(row.date_created) - (n + 1) * 1000,
    }))
    const [reader, stranger] = [await orgAdmin('long-list'), await orgAdmin('short-list')]
    for (let at = 0; at < copies.length; at += 300) {
      const some = copies.slice(at, at + 300)
      await database
        .insertInto('tickets_ticket')
        .values(some as never)
        .execute()
      await database
        .insertInto('tickets_assignee')
        .values(
          some.flatMap((copy, n) => ({
            ...asked,
            ticket_id: copy.id,
            user_id: (at + n) % 2 === 0 ? reader : stranger,
          })) as never,
        )
        .execute()
    }
    const wanted = copies.filter((_, n) => n % 2 === 0).map((copy) => copy.id)
    const page = async (query: string) =>
      (await server.as(reader)).request<{ count: number; results: Ticket[] }>('GET', `${base}tickets/?${query}`)
    const first = await page('limit=15')
    expect(first.count).toBe(2100)
    expect(first.results.map((ticket) => ticket.id)).toEqual(wanted.slice(0, 15))
    for (const offset of [60, 1200, 2090])
      expect((await page(`limit=15&offset=${offset}`)).results.map((ticket) => ticket.id)).toEqual(
        wanted.slice(offset, offset + 15),
      )
    expect((await page('limit=5&order=date_created')).results.map((ticket) => ticket.id)).toEqual(
      wanted.slice(-5).toReversed(),
    )
  })
})
