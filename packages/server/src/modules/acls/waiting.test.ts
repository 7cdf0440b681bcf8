import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { directRun, startServer, type TestServer } from '../../testing/server.ts'
import { closeAbandoned } from '../tickets/index.ts'

let server: TestServer
let gateway: Client
let other: Client
let userId: string
let user: Client
let reviewerId: string
let reviewer: Client
let bystander: Client
let host: AnyRow
let rule: AnyRow | undefined

const tokens = '/api/v1/authentication/connection-token/'
const supers = '/api/v1/authentication/super-connection-token/'
const tickets = '/api/v1/tickets/'

beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-waits')).in('ROOT')
  other = (await registerComponent(server.url, server.bootstrapToken, 'gateway-other')).in('ROOT')
  const person = (name: string) => server.person(name, { system: [roleIds.user], org: [roleIds.orgUser] })
  userId = await person('waits')
  reviewerId = await person('reviews')
  user = await server.as(userId, defaultOrgId)
  reviewer = await server.as(reviewerId, defaultOrgId)
  bystander = await server.as(await person('bystander'), defaultOrgId)
  host = await server.admin.collection('assets/hosts').create({
    name: 'guarded',
    address: '10.0.0.9',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'the-secret' }],
  })
  await server.admin.collection('perms/asset-permissions').create({
    name: 'guarded',
    users: [userId],
    assets: [host.id],
    accounts: ['@ALL'],
    protocols: ['ssh'],
    actions: ['connect'],
  })
})
afterAll(() => server.close())

const answered = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body: body as AnyRow }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: error.body as AnyRow }
    },
  )

interface Info {
  check_ticket_api: { method: string; url: string }
  close_ticket_api: { method: string; url: string }
  ticket_detail_page_url: string
  assignees: string[]
}
type Token = AnyRow & { from_ticket: { id: string }; from_ticket_info: Info }

const wanted = (more: object = {}) => ({
  asset: host.id,
  account: 'root',
  protocol: 'ssh',
  connect_method: 'ssh_client',
  ...more,
})
const ask = (by: Client, path: string, more: object = {}) => by.request<Token>('POST', path, wanted(more))
const opened = (id: unknown) => answered(gateway.request('POST', `${supers}secret/`, { id }))
const decide = (id: string, decision: string, by: Client = reviewer) =>
  answered(by.request('PUT', `${tickets}apply-login-asset-tickets/${id}/${decision}/`, {}))

describe('a connection that a rule wants to be approved', () => {
  beforeEach(async () => {
    if (rule) return
    rule = await server.admin.collection('acls/login-asset-acls').create({
      name: 'approve connections',
      action: 'review',
      users: { type: 'all' },
      assets: { type: 'all' },
      accounts: ['root'],
      rules: { ip_group: ['*'], time_period: [] },
      reviewers: [reviewerId, userId],
    })
  })

  it('is told so, then waits with an inactive token, and begins once after the approval', async () => {
    expect(await answered(ask(user, tokens))).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    const token = await ask(user, `${tokens}?create_ticket=1`, { is_reusable: true })
    const { id } = token.from_ticket
    expect(token).toMatchObject({
      is_active: false,
      is_reusable: false,
      from_ticket_info: {
        check_ticket_api: { method: 'GET', url: `${tickets}tickets/${id}/` },
        close_ticket_api: { method: 'PUT', url: `${tickets}tickets/${id}/close/` },
        ticket_detail_page_url: expect.stringContaining(`/ui/#/tickets/tickets/${id}?type=login_asset_confirm`),
        assignees: [expect.stringMatching(/^reviews\(reviews/)],
      },
    })
    expect((await opened(token.id)).status).toBe(403)
    expect(await reviewer.request('GET', `${tickets}apply-login-asset-tickets/${id}/`)).toMatchObject({
      org_id: defaultOrgId,
      apply_login_user: { id: userId },
      apply_login_asset: { id: host.id },
      apply_login_account: 'root',
    })
    // The applicant is a reviewer too, but there is another.
    expect((await decide(id, 'approve', user)).status).toBe(403)
    expect((await decide(id, 'approve', bystander)).status).toBe(404)
    expect((await opened(token.id)).status).toBe(403)
    expect(await decide(id, 'approve')).toEqual({ status: 200, body: 'ok' })
    expect(await opened(token.id)).toMatchObject({ status: 200, body: { from_ticket: id } })
    expect((await opened(token.id)).status).toBe(403)
    expect(await answered(ask(user, tokens))).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    const again = user.request('POST', `${tokens}exchange/`, { id: token.id })
    expect(await answered(again)).toMatchObject({ status: 400, body: { code: 'acl_review' } })
  })

  it('never begins after a rejection or a withdrawal', async () => {
    for (const [end, by] of [
      ['reject', reviewer],
      ['close', user],
    ] as const) {
      const token = await ask(user, `${tokens}?create_ticket=1`)
      expect((await decide(token.from_ticket.id, end, by)).status).toBe(200)
      expect((await decide(token.from_ticket.id, 'approve')).status).toBe(400)
      expect((await opened(token.id)).status).toBe(403)
    }
  })

  it('is followed and withdrawn by the component that asks for its user', async () => {
    const token = await ask(gateway, `${supers}?create_ticket=1`, { user: userId, remote_addr: '192.0.2.4' })
    const { check_ticket_api: check, close_ticket_api: close } = token.from_ticket_info
    expect(await gateway.request(check.method, check.url)).toMatchObject({ status: { value: 'open' }, processor: '' })
    expect((await answered(user.request(check.method, check.url))).status).toBe(403)
    await gateway.request(close.method, close.url)
    expect(await gateway.request(check.method, check.url)).toMatchObject({ state: { value: 'closed' } })
    expect((await decide(token.from_ticket.id, 'approve')).status).toBe(400)
    expect((await opened(token.id)).status).toBe(403)
  })

  it('is not approved for a permission that has ended meanwhile', async () => {
    const token = await ask(user, `${tokens}?create_ticket=1`)
    const [permission] = await server.admin.collection('perms/asset-permissions').all({ name: 'guarded' })
    await server.admin.request('PATCH', `/api/v1/perms/asset-permissions/${permission?.id}/`, { is_active: false })
    expect((await decide(token.from_ticket.id, 'approve')).status).toBe(200)
    expect((await opened(token.id)).status).toBe(403)
    await server.admin.request('PATCH', `/api/v1/perms/asset-permissions/${permission?.id}/`, { is_active: true })
  })

  it('is refused when no reviewer is left who can sign in', async () => {
    const id = await server.person('leaves', { system: [roleIds.user], org: [roleIds.orgUser] })
    const path = `/api/v1/acls/login-asset-acls/${rule?.id}/`
    await server.admin.request('PATCH', path, { reviewers: [id] })
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { is_active: false })
    expect(await answered(ask(user, `${tokens}?create_ticket=1`))).toMatchObject({
      status: 400,
      body: { code: 'acl_reject' },
    })
    await server.admin.request('PATCH', path, { reviewers: [reviewerId, userId] })
  })

  it('is checked by components of older versions before they connect', async () => {
    const body = { user_id: userId, asset_id: host.id, account_username: 'root' }
    const answer = await gateway.request<AnyRow>('POST', '/api/v1/acls/login-asset/check/', body)
    const url = `${tickets}super-tickets/${answer.ticket_id}/status/`
    expect(answer).toMatchObject({
      need_review: true,
      check_review_status: { method: 'GET', url },
      close_review: { method: 'DELETE', url },
      reviewers: [expect.stringMatching(/^reviews\(reviews/)],
    })
  })

  it('lets the reviewers control that session only, after the component has named it', async () => {
    const token = await ask(user, `${tokens}?create_ticket=1`)
    const { id } = token.from_ticket
    const session = await start()
    const link = (by: Client, ticket = id, of = session.id) =>
      answered(by.request('POST', `${tickets}ticket-session-relation/`, { ticket, session: of }))
    expect((await link(gateway)).status).toBe(400)
    await decide(id, 'approve')
    expect((await link(other)).status).toBe(403)
    expect((await link(reviewer)).status).toBe(403)
    const strange = await start({ asset_id: randomUUID() })
    expect((await link(gateway, id, strange.id)).status).toBe(400)
    const end = (by: Client) =>
      answered(by.request('POST', '/api/v1/terminal/tasks/kill-session-for-ticket/', [session.id, strange.id]))
    expect((await end(reviewer)).status).toBe(403)
    expect((await link(gateway)).status).toBe(200)
    expect(await reviewer.request('GET', `${tickets}tickets/${id}/session/`)).toMatchObject({ id: session.id })
    expect((await end(bystander)).status).toBe(403)
    const lock = { session_id: session.id, task_name: 'lock_session' }
    const path = '/api/v1/terminal/tasks/toggle-lock-session-for-ticket/'
    expect(await reviewer.request('POST', path, lock)).toEqual({ ok: [session.id] })
    expect((await answered(bystander.request('POST', path, lock))).status).toBe(403)
    expect(await end(reviewer)).toEqual({ status: 200, body: { ok: [session.id] } })
  })
})

const start = (more: object = {}, by: Client = gateway) =>
  by.request<AnyRow>('POST', '/api/v1/terminal/sessions/', {
    ...{ user: 'waits(waits)', user_id: userId, asset: 'guarded(10.0.0.9)', asset_id: host.id },
    ...{ account: 'root(root)', account_id: randomUUID(), protocol: 'ssh', org_id: defaultOrgId },
    ...more,
  })

describe('a command that a rule wants to be approved', () => {
  let filter: AnyRow
  beforeAll(async () => {
    filter = await server.admin.collection('acls/command-filter-acls').create({
      name: 'approve commands',
      action: 'review',
      users: { type: 'all' },
      assets: { type: 'all' },
      accounts: ['@ALL'],
      reviewers: [reviewerId],
    })
  })
  const review = (session: unknown, more: object = {}, by: Client = gateway) =>
    answered(
      by.request('POST', '/api/v1/acls/command-filter-acls/command-review/', {
        ...{ session_id: session, cmd_filter_acl_id: filter.id, run_command: 'reboot --force' },
        ...more,
      }),
    )
  const decideCommand = (id: string, decision: string, by: Client = reviewer) =>
    answered(by.request('PUT', `${tickets}apply-command-tickets/${id}/${decision}/`, {}))
  const idOf = ({ body }: { body: AnyRow }) =>
    String((body as unknown as Info).check_ticket_api.url)
      .split('/')
      .at(-3)

  it('opens one ticket with its exact text, which its reviewers decide beside the live session', async () => {
    const session = await start()
    const answer = await review(session.id)
    const id = idOf(answer) ?? ''
    const url = `${tickets}super-tickets/${id}/status/`
    expect(answer).toMatchObject({
      status: 200,
      body: {
        check_ticket_api: { method: 'GET', url },
        close_ticket_api: { method: 'DELETE', url },
        assignees: [expect.stringMatching(/^reviews\(reviews/)],
      },
    })
    expect(await reviewer.request('GET', `${tickets}apply-command-tickets/${id}/`)).toMatchObject({
      apply_run_command: 'reboot --force',
      apply_run_asset: 'guarded(10.0.0.9)',
      apply_from_session: { id: session.id },
      apply_from_cmd_filter_acl: { id: filter.id },
      org_id: defaultOrgId,
    })
    expect(await reviewer.request('GET', `${tickets}tickets/${id}/session/`)).toMatchObject({ id: session.id })
    // A second command waits for its own ticket.
    const second = idOf(await review(session.id, { run_command: 'halt' })) ?? ''
    expect(second).not.toBe(id)
    expect((await decideCommand(id, 'approve')).status).toBe(200)
    expect(await gateway.request('GET', url)).toMatchObject({
      state: { value: 'approved' },
      processor: expect.stringMatching(/^reviews\(reviews/),
    })
    const waiting = await gateway.request('GET', `${tickets}super-tickets/${second}/status/`)
    expect(waiting).toMatchObject({ status: { value: 'open' }, state: { value: 'pending' } })
  })

  it('is not approved once its session has ended', async () => {
    const session = await start()
    const id = idOf(await review(session.id)) ?? ''
    await gateway.request('PATCH', `/api/v1/terminal/sessions/${session.id}/`, { is_finished: true })
    expect((await decideCommand(id, 'approve')).status).toBe(400)
    expect((await review(session.id)).status).toBe(400)
    await closeAbandoned.run(server.context(), {}, directRun())
    expect(await gateway.request('GET', `${tickets}super-tickets/${id}/status/`)).toMatchObject({
      state: { value: 'closed' },
    })
    expect((await decideCommand(id, 'reject')).status).toBe(400)
  })

  it('is asked for by the component of the session only, by a rule of its organization', async () => {
    const session = await start()
    expect((await review(session.id, {}, other)).status).toBe(403)
    expect((await review(session.id, {}, user)).status).toBe(403)
    expect((await review(randomUUID())).body).toMatchObject({ session_id: [expect.any(String)] })
    expect((await review(session.id, { cmd_filter_acl_id: randomUUID() })).status).toBe(400)
    const orgId = await server.organization('Elsewhere')
    const foreign = await server.admin
      .in(orgId)
      .collection('acls/command-filter-acls')
      .create({ name: 'foreign', users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'] })
    expect((await review(session.id, { cmd_filter_acl_id: foreign.id })).body).toMatchObject({
      cmd_filter_acl_id: [expect.any(String)],
    })
  })
})
