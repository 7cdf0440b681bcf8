import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

const sharings = '/api/v1/terminal/session-sharings/'
const records = '/api/v1/terminal/session-join-records/'

let server: TestServer
let gateway: Client
let ada: string
let bob: string
beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-1')).in('ROOT')
  const member = { system: [roleIds.user], org: [roleIds.orgUser] }
  ada = await server.person('Ada', member)
  bob = await server.person('Bob', member)
})
afterAll(() => server.close())

const answer = (promise: Promise<unknown>) =>
  promise.then(
    (body) => ({ status: 200, body: body as AnyRow }),
    (error) => {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: error.body as AnyRow }
    },
  )

const startSession = (client: Client = gateway, more: object = {}): Promise<AnyRow> =>
  client.request<AnyRow>('POST', '/api/v1/terminal/sessions/', {
    id: randomUUID(),
    user: 'Ada(Ada)',
    user_id: ada,
    asset: 'web-1(10.0.0.1)',
    asset_id: randomUUID(),
    account: 'root(root)',
    account_id: randomUUID(),
    protocol: 'ssh',
    login_from: 'WT',
    remote_addr: '10.9.9.9',
    type: 'normal',
    org_id: defaultOrgId,
    ...more,
  })

const share = (session: string, more: object = {}, client = gateway) =>
  client.request<AnyRow>('POST', sharings, {
    session,
    expired_time: 10,
    users: [],
    action_permission: 'writable',
    origin: 'https://pam.example.com',
    ...more,
  })

const join = (sharing: AnyRow, joiner: string, more: object = {}, client = gateway) =>
  answer(
    client.request('POST', records, {
      sharing: sharing.id,
      joiner,
      verify_code: sharing.verify_code,
      remote_addr: '10.8.8.8',
      ...more,
    }),
  )
const recordOf = (id: string) => server.admin.request<AnyRow>('GET', `${records}${id}/`)

describe('a shared session', () => {
  it('has a link with a code for its own component, and invites the listed users with both', async () => {
    const { id } = await startSession()
    const row = await share(id, { users: [bob] })
    expect(row).toMatchObject({ session: { id }, creator: { id: ada }, is_active: true, org_id: defaultOrgId })
    expect(row.verify_code).toMatch(/^[a-zA-Z0-9]{4}$/)
    expect(row.url).toBe(`https://pam.example.com/koko/share/${row.id}/`)
    expect(row.users_display).toEqual([expect.stringMatching(/^Bob\(Bob/)])
    expect(row).not.toHaveProperty('users')
    const inbox = await (await server.as(bob)).collection('notifications/site-messages').all()
    expect(JSON.stringify(inbox)).toContain(row.verify_code)
    // The origin was named by the owner's browser: a message of ours leads to the address of the site.
    expect(JSON.stringify(inbox)).toContain(`/koko/share/${row.id}/`)
    expect(JSON.stringify(inbox)).not.toContain('pam.example.com')
    const other = await (await server.as(ada)).collection('notifications/site-messages').all()
    expect(JSON.stringify(other)).not.toContain(row.verify_code)
  })

  it('is joined with the code, once by each user, and the record names who', async () => {
    const { id } = await startSession()
    const sharing = await share(id)
    const joined = await join(sharing, bob)
    expect(joined).toMatchObject({
      status: 200,
      body: {
        session: { id },
        joiner: { id: bob },
        joiner_display: expect.stringMatching(/^Bob\(Bob/),
        is_success: true,
        is_finished: false,
        action_permission: { value: 'writable' },
        command_filter_acls: [],
      },
    })
    expect((await join(sharing, bob)).body).toEqual({ error: expect.stringContaining('already used') })
    const path = `${records}${joined.body.id}/finished/`
    expect(await gateway.request('PATCH', path)).toEqual({ msg: 'ok' })
    const left = await recordOf(joined.body.id)
    expect(left).toMatchObject({ is_finished: true, date_left: expect.any(String) })
    await gateway.request('PATCH', path)
    expect((await recordOf(joined.body.id)).date_left).toBe(left.date_left)
  })

  it('ends for everybody with the session', async () => {
    const { id } = await startSession()
    const sharing = await share(id)
    const joined = await join(sharing, bob)
    await gateway.request('PATCH', `/api/v1/terminal/sessions/${id}/`, { is_finished: true })
    expect((await join(sharing, ada)).body).toEqual({ error: expect.stringContaining('no longer shared') })
    expect(await recordOf(joined.body.id)).toMatchObject({ is_finished: true, date_left: expect.any(String) })
    expect(await answer(share(id))).toMatchObject({ status: 400, body: { session: [expect.any(String)] } })
  })

  it('is neither offered nor joined while the setting is off, but ends and stays on record', async () => {
    const { id } = await startSession()
    const sharing = await share(id)
    const earlier = await join(sharing, bob)
    const set = (value: boolean) =>
      server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_session', {
        SECURITY_SESSION_SHARE: value,
      })
    await set(false)
    try {
      expect((await answer(share(id))).status).toBe(405)
      expect((await join(sharing, ada)).status).toBe(405)
      expect(await gateway.request('PATCH', `${records}${earlier.body.id}/finished/`)).toEqual({ msg: 'ok' })
      expect(await recordOf(earlier.body.id)).toMatchObject({ is_finished: true })
      expect((await answer(server.admin.request('GET', sharings))).status).toBe(405)
    } finally {
      await set(true)
    }
    expect((await join(sharing, ada)).status).toBe(200)
  })

  it('gives the rules of the user who joins to the component, beside those of the owner', async () => {
    const host = await server.admin.collection('assets/hosts').create({
      name: `host-${randomUUID()}`,
      address: '10.0.0.7',
      platform: 1,
    })
    const group = await server.admin
      .collection('acls/command-groups')
      .create({ name: `g-${randomUUID()}`, type: 'command', content: 'reboot' })
    await server.admin.collection('acls/command-filter-acls').create({
      name: `f-${randomUUID()}`,
      users: { type: 'ids', ids: [bob] },
      assets: { type: 'all' },
      accounts: ['@ALL'],
      command_groups: [group.id],
      action: 'reject',
    })
    const { id } = await startSession(gateway, { asset_id: host.id })
    const { body } = await join(await share(id), bob)
    expect(body.command_filter_acls).toMatchObject([{ action: 'reject', command_groups: [{ content: 'reboot' }] }])
  })
})

describe('somebody who should not', () => {
  it('cannot guess the code: after five tries even the right one is rejected, and every try is recorded', async () => {
    const { id } = await startSession()
    const sharing = await share(id)
    const tries = await Promise.all(Array.from({ length: 12 }, () => join(sharing, bob, { verify_code: '####' })))
    expect(tries.map(({ status }) => status)).toEqual(Array(12).fill(400))
    expect(tries.filter(({ body }) => String(body.error).includes('is wrong'))).toHaveLength(5)
    expect((await join(sharing, bob)).body).toEqual({ error: expect.stringContaining('Too many') })
    // Another link does not help within ten minutes, as ten tries were counted over all links.
    expect((await join(await share(id), bob)).body).toEqual({ error: expect.stringContaining('Too many') })
    expect((await join(sharing, ada)).status).toBe(200)
    const kept = await server.admin.collection('terminal/session-join-records').all({ session: id, joiner: bob })
    expect(kept.length).toBe(14)
    expect(kept.every((row) => row.is_success === false && row.is_finished === true)).toBe(true)
  })

  it('does not join by an expired or closed link, uninvited, disabled, or from another organization', async () => {
    const carl = await server.person('Carl', { system: [roleIds.user], org: [roleIds.orgUser] })
    const elsewhere = await server.organization('Elsewhere')
    const eve = await server.person('Eve', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId: elsewhere })
    const { id } = await startSession()
    expect((await join(await share(id, { expired_time: 0 }), carl)).body.error).toContain('expired')
    expect((await join(await share(id, { expired_time: -5 }), carl)).body.error).toContain('expired')
    const closed = await share(id, { is_active: false })
    expect((await join(closed, carl)).body.error).toContain('no longer shared')
    expect((await join(await share(id, { users: [ada] }), carl)).body.error).toContain('not invited')
    const open = await share(id)
    expect((await join(open, eve)).body.error).toContain('not invited')
    expect(await answer(share(id, { users: [eve] }))).toMatchObject({
      status: 400,
      body: { users: [expect.any(String)] },
    })
    expect((await join(open, randomUUID())).status).toBe(400)
    await server.admin.request('PATCH', `/api/v1/users/users/${carl}/`, { is_active: false })
    expect((await join(open, carl)).body.error).toContain('not invited')
  })

  it('lets nobody in whom an asset login rule keeps from the asset, and says so', async () => {
    const { admin } = server
    const host = await admin.collection('assets/hosts').create({
      ...{ name: 'ruled', address: '10.7.7.7', platform: 1, nodes_display: ['/Default'] },
      protocols: [{ name: 'ssh', port: 22 }],
    })
    const hana = await server.person('Hana', { system: [roleIds.user], org: [roleIds.orgUser] })
    const rules = admin.collection('acls/login-asset-acls')
    const rule = await rules.create({
      ...{ name: 'joiners', priority: 50, action: 'reject', accounts: ['root'], reviewers: [ada] },
      users: { type: 'ids', ids: [hana] },
      assets: { type: 'ids', ids: [host.id] },
      rules: { ip_group: ['10.8.8.8'], time_period: [] },
    })
    const joins = async (remote_addr = '10.8.8.8', account = 'root(root)') => {
      const { id } = await startSession(gateway, { asset: 'ruled(10.7.7.7)', asset_id: host.id, account })
      return (await join(await share(id), hana, { remote_addr })).status
    }
    expect([await joins(), await joins('10.8.8.9'), await joins('10.8.8.8', 'app(app)')]).toEqual([400, 200, 200])
    for (const [action, status] of [
      ['review', 400],
      ['accept', 200],
      ['notice', 200],
    ] as const) {
      await rules.change(rule.id, { action })
      expect([action, await joins()]).toEqual([action, status])
    }
  })

  it('is over for somebody who leaves the organization', async () => {
    const { id } = await startSession()
    const gone = await server.person('Gone', { system: [roleIds.user], org: [roleIds.orgUser] })
    const record = await join(await share(id), gone)
    await server.admin.request('POST', `/api/v1/users/users/${gone}/remove/`)
    expect(await gateway.request('GET', `${records}${record.body.id}/`)).toMatchObject({ is_finished: true })
  })

  it('does not join with the code of another link', async () => {
    const { id } = await startSession()
    const other = await share((await startSession()).id)
    const dora = await server.person('Dora', { system: [roleIds.user], org: [roleIds.orgUser] })
    const sharing = await share(id)
    // Codes are short, so two may be the same.
    const code = other.verify_code === sharing.verify_code ? 'xxxx' : other.verify_code
    expect((await join(sharing, dora, { verify_code: code })).body.error).toContain('is wrong')
  })

  it('cannot share or report for the sessions of another component', async () => {
    const other = (await registerComponent(server.url, server.bootstrapToken, 'gateway-2')).in('ROOT')
    const { id } = await startSession()
    const sharing = await share(id)
    const fred = await server.person('Fred', { system: [roleIds.user], org: [roleIds.orgUser] })
    const record = await join(sharing, fred)
    expect((await answer(share(id, {}, other))).status).toBe(403)
    expect(await join(sharing, ada, {}, other)).toMatchObject({ status: 400, body: { sharing: [expect.any(String)] } })
    expect((await answer(other.request('PATCH', `${records}${record.body.id}/finished/`))).status).toBe(403)
    expect((await answer(other.request('PATCH', `${records}${record.body.id}/`, { is_finished: true }))).status).toBe(
      403,
    )
    const changed = await gateway.request<AnyRow>('PATCH', `${records}${record.body.id}/`, {
      joiner: ada,
      is_success: false,
      remote_addr: '1.1.1.1',
    })
    expect(changed).toMatchObject({ joiner: { id: fred }, is_success: true, remote_addr: '10.8.8.8' })
  })

  it('gets no code from what auditors read, and writes nothing as a user', async () => {
    const { id } = await startSession()
    const sharing = await share(id)
    await join(sharing, await server.person('Gina', { system: [roleIds.user], org: [roleIds.orgUser] }))
    const auditor = await server.as(
      await server.person('Auditor', { system: [roleIds.systemAuditor], org: [roleIds.orgAuditor] }),
    )
    const admin = server.admin
    for (const reader of [auditor, admin]) {
      const seen = await answer(reader.request('GET', `${records}?session=${id}`))
      expect(JSON.stringify(seen.body)).not.toContain(sharing.verify_code)
      const logs = await answer(reader.request('GET', '/api/v1/audits/operate-logs/?limit=100'))
      expect(JSON.stringify(logs.body)).not.toContain(sharing.verify_code)
    }
    expect((await answer(auditor.request('GET', sharings))).status).toBe(403)
    // Even the administrator sees the links to their own sessions only.
    expect(await admin.request('GET', sharings)).toEqual([])
    const body = { session: id, users: [], expired_time: 10 }
    for (const writer of [auditor, admin, await server.as(ada)]) {
      expect((await answer(writer.request('POST', sharings, body))).status).toBe(403)
      expect((await answer(writer.request('POST', records, { sharing: sharing.id }))).status).toBe(403)
    }
    const [record] = await admin.collection('terminal/session-join-records').all({ session: id })
    expect((await answer(admin.request('PATCH', `${records}${record?.id}/`, { is_finished: true }))).status).toBe(403)
    expect((await answer(admin.request('DELETE', `${records}${record?.id}/`))).status).toBe(405)
    expect((await answer(admin.request('DELETE', `${sharings}${sharing.id}/`))).status).toBe(405)
  })
})
