import { roleIds } from '@castellan/contract/ids'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let reviewer: string
const password = 'Own-1-password'

beforeAll(async () => {
  server = await startServer()
  reviewer = await server.person('reviewer', { system: [roleIds.user], org: [roleIds.orgUser] })
})
afterAll(() => server.close())

const rules = () => server.admin.collection('acls/login-acls')
afterEach(async () => {
  for (const { id } of await rules().all()) await rules().delete(id)
})

let made = 0
async function person() {
  const username = `signs-in-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    ...{ name: username, username, email: `${username}@example.com`, need_update_password: false },
    ...{ password_strategy: 'custom', password },
  })
  return { id, username }
}

const rule = (user: string, action: string, more: object = {}) =>
  rules().create({
    name: `rule ${++made}`,
    users: { type: 'ids', ids: [user] },
    rules: { ip_group: ['*'], time_period: [] },
    action,
    ...(['review', 'notice'].includes(action) ? { reviewers: [reviewer] } : {}),
    ...more,
  })

/** A client that keeps its cookies, as a browser does. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, never>; location: string | null }> {
    const answer = await fetch(new URL(path, server.url), {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      status: answer.status,
      body: isJson && text ? JSON.parse(text) : {},
      location: answer.headers.get('location'),
    }
  }

  signIn(username = '', typed = username ? password : '') {
    return this.ask('POST', '/api/v1/authentication/auth/', { username, password: typed })
  }

  status() {
    return this.ask('GET', statusPath)
  }
}

const statusPath = '/api/v1/authentication/login-confirm-ticket/status/'
const lastReason = async () =>
  (
    await server
      .context()
      .rawDb.selectFrom('audits_userloginlog')
      .select('reason')
      .orderBy('datetime', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.reason
const decide = async (id: string, decision: string, by = reviewer) =>
  (await server.as(by)).request('PUT', `/api/v1/tickets/apply-login-tickets/${id}/${decision}/`)

describe('a login rule', () => {
  it('rejects, and the log says why', async () => {
    const { id, username } = await person()
    await rule(id, 'reject')
    expect((await new Visitor().signIn(username)).body).toMatchObject({ error: 'acl_not_allow' })
    expect(await lastReason()).toBe('acl_not_allow')
    // A wrong password learns nothing about rules.
    expect((await new Visitor().signIn(username, 'wrong')).body).not.toMatchObject({ error: 'acl_not_allow' })
  })

  it.each([
    ['another user', async () => ({ users: { type: 'ids', ids: [(await person()).id] } })],
    ['another address', async () => ({ rules: { ip_group: ['10.9.0.0/16'], time_period: [] } })],
    ['another time', async () => ({ rules: { ip_group: ['*'], time_period: [{ id: 0, value: '' }] } })],
    ['nobody, since it is inactive', async () => ({ is_active: false })],
  ])('for %s lets the user in', async (_what, more) => {
    const { id, username } = await person()
    await rule(id, 'reject', await more())
    expect((await new Visitor().signIn(username)).status).toBe(201)
  })

  it('of higher priority decides', async () => {
    const { id, username } = await person()
    await rule(id, 'reject', { priority: 10 })
    await rule(id, 'accept', { priority: 90 })
    expect((await new Visitor().signIn(username)).status).toBe(201)
  })

  it('notifies its reviewers of a sign-in', async () => {
    const { id, username } = await person()
    await rule(id, 'notice')
    expect((await new Visitor().signIn(username)).status).toBe(201)
    const inbox = await (await server.as(reviewer)).request<{ content: { subject: string } }[]>(
      'GET',
      '/api/v1/notifications/site-messages/',
    )
    expect(inbox.some(({ content }) => content.subject.includes(username))).toBe(true)
  })
})

describe('a review of a sign-in', () => {
  it('waits, and lets exactly this sign-in pass once it is approved', async () => {
    const { id, username } = await person()
    await rule(id, 'review')
    const visitor = new Visitor()
    const waits = await visitor.signIn(username)
    expect(waits).toMatchObject({
      status: 200,
      body: { error: 'login_confirm_wait', data: { ticket_id: expect.any(String) } },
    })
    const { ticket_id: ticket } = waits.body.data as unknown as { ticket_id: string }
    expect((await visitor.signIn()).body.data).toEqual({ ticket_id: ticket })
    expect((await visitor.status()).body).toMatchObject({ error: 'login_confirm_wait' })
    // Nobody approves for themselves, and no other user decides or looks on.
    await expect(decide(ticket, 'approve', id)).rejects.toMatchObject({ status: 403 })
    await expect(decide(ticket, 'approve', (await person()).id)).rejects.toMatchObject({ status: 404 })
    expect((await new Visitor().status()).body).toMatchObject({ error: 'login_confirm_error' })
    await decide(ticket, 'approve')
    expect((await visitor.status()).body).toEqual({ msg: 'ok' })
    // The approval belongs to the session that waits, not to the user.
    expect((await new Visitor().signIn(username)).body).toMatchObject({ error: 'login_confirm_wait' })
    expect((await visitor.signIn()).status).toBe(201)
    // It is used up.
    expect((await visitor.signIn(username)).body).toMatchObject({ error: 'login_confirm_wait' })
  })

  it('ends the sign-in when it is refused, with a failed sign-in in the log', async () => {
    const { id, username } = await person()
    await rule(id, 'review')
    const visitor = new Visitor()
    const { ticket_id: ticket } = (await visitor.signIn(username)).body.data as unknown as { ticket_id: string }
    await decide(ticket, 'reject')
    expect((await visitor.status()).body).toMatchObject({ error: 'login_confirm_error', data: { username } })
    expect((await visitor.signIn()).body).toMatchObject({ error: 'login_confirm_error' })
    expect(await lastReason()).toBe('login_confirm_error')
    expect((await visitor.signIn()).body).not.toMatchObject({ error: 'login_confirm_wait' })
  })

  it('is withdrawn by the user who waits', async () => {
    const { id, username } = await person()
    await rule(id, 'review')
    const visitor = new Visitor()
    const { ticket_id: ticket } = (await visitor.signIn(username)).body.data as unknown as { ticket_id: string }
    expect((await new Visitor().ask('DELETE', statusPath)).status).toBe(200)
    expect((await visitor.status()).body).toMatchObject({ error: 'login_confirm_wait' })
    expect((await visitor.ask('DELETE', statusPath)).status).toBe(200)
    await expect(decide(ticket, 'approve')).rejects.toMatchObject({ status: 400 })
    expect((await visitor.status()).body).toMatchObject({ error: 'login_confirm_error' })
  })

  it('is over when the first step has grown old', async () => {
    const { id, username } = await person()
    await rule(id, 'review')
    const visitor = new Visitor()
    const { ticket_id: ticket } = (await visitor.signIn(username)).body.data as unknown as { ticket_id: string }
    const db = server.context().rawDb
    for (const row of await db.selectFrom('authentication_session').selectAll().execute()) {
      const data = JSON.parse(row.data)
      if (data.auth_ticket_id !== ticket) continue
      await db
        .updateTable('authentication_session')
        .set({ data: JSON.stringify({ ...data, auth_password_expired_at: 1 }) })
        .where('key', '=', row.key)
        .execute()
    }
    expect((await visitor.status()).body).toMatchObject({ error: 'login_confirm_error' })
    await expect(decide(ticket, 'approve')).rejects.toMatchObject({ status: 400 })
  })

  it('lets nobody in whose reviewers have all been disabled', async () => {
    const { id, username } = await person()
    const gone = await person()
    await rule(id, 'review', { reviewers: [gone.id] })
    await server.admin.request('PATCH', `/api/v1/users/users/${gone.id}/`, { is_active: false })
    expect((await new Visitor().signIn(username)).body).toMatchObject({ error: 'acl_not_allow' })
  })
})
