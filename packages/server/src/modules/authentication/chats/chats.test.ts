import { roleIds } from '@castellan/contract/ids'
import { type ChatServer, chatForms, startChatServer } from '@castellan/testing/chat-server'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

/**
 * Sign-in, binding and messages against a server that answers as WeCom, DingTalk and Feishu document: their own servers
 * cannot be had in a test. A code `for:<id>` is that of a member, `outside:<id>` that of somebody else.
 */
let server: TestServer
let chat: ChatServer

const names = ['wecom', 'dingtalk', 'feishu'] as const
type Name = (typeof names)[number]
const columns: Record<Name, string> = { wecom: 'wecom_id', dingtalk: 'dingtalk_id', feishu: 'feishu_id' }

beforeAll(async () => {
  server = await startServer({ worker: true })
  chat = await startChatServer()
  const { services, rawDb } = server.context()
  await services.settings.store(rawDb, services.events, chat.addresses)
  await services.settings.load()
  for (const name of names)
    await server.admin.request('PATCH', `/api/v1/settings/setting/?category=${name}`, chatForms[name])
})
afterAll(async () => {
  await server.close()
  await chat.stop()
})
beforeEach(() => {
  chat.asked.length = 0
})

const password = 'Chats-and-binds-1'
let made = 0
async function person(values: object = {}) {
  const username = `chatting-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    ...{ name: username, username, email: `${username}@example.com`, password_strategy: 'custom', password },
    ...{ need_update_password: false, ...values },
  })
  return { id, username }
}
const read = (id: string) => server.admin.request<Record<string, unknown>>('GET', `/api/v1/users/users/${id}/`)

const at = (path: string) => server.url + path
const ask = (visitor: Visitor, path: string, body?: object) =>
  visitor.open(at(path), {
    headers: { 'accept-language': 'en', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
const profileOf = async (visitor: Visitor) => {
  const answer = await ask(visitor, '/api/v1/users/profile/')
  return answer.status === 200 ? ((await answer.json()) as { username: string; source: { value: string } }) : undefined
}
/** Leaves for the service; the address to which it would send the browser back. */
async function leave(visitor: Visitor, path: string): Promise<URL> {
  const url = new URL((await ask(visitor, path)).headers.get('location') ?? 'none:')
  const back = new URL(url.searchParams.get('redirect_uri') ?? 'none:')
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  return back
}
async function signInWith(name: Name, code: string, way = 'qr', visitor = new Visitor()): Promise<Visitor> {
  const back = await leave(visitor, `/core/auth/${name}/${way}/login/`)
  back.searchParams.set('code', code)
  const { headers } = await visitor.open(back.href)
  if (headers.get('location')) await visitor.open(new URL(headers.get('location') ?? '', server.url).href)
  return visitor
}
/** A browser session by the form, as binding needs one. */
async function browserOf(username: string): Promise<Visitor> {
  const visitor = new Visitor()
  await visitor.open(at('/core/auth/login/'))
  const csrf = visitor.cookie(server.url, 'jms_csrftoken') ?? ''
  await visitor.open(at('/core/auth/login/'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-csrftoken': csrf },
    body: new URLSearchParams({ csrfmiddlewaretoken: csrf, username, password }).toString(),
  })
  await visitor.open(at('/core/auth/login/guard/'))
  const token = visitor.cookie(server.url, 'jms_csrftoken') ?? ''
  await visitor.open(at('/api/v1/authentication/confirm/'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrftoken': token },
    body: JSON.stringify({ confirm_type: 'relogin', secret_key: password }),
  })
  return visitor
}

describe.each(names)('%s', (name) => {
  it('creates who signs in for the first time, and knows them again', async () => {
    const id = `member-of-${name}`
    const first = await signInWith(name, `for:${id}`)
    expect(await profileOf(first)).toMatchObject({ username: id, source: { value: name } })
    expect(await profileOf(await signInWith(name, `for:${id}`))).toMatchObject({ username: id })
    const [found] = await server.admin.request<Record<string, unknown>[]>('GET', `/api/v1/users/users/?username=${id}`)
    expect(found?.[columns[name]]).toBe(id)
  })

  it('lets in nobody from outside the company, without a code, or by the answer to another browser', async () => {
    expect(await profileOf(await signInWith(name, 'outside:eve'))).toBeUndefined()
    expect(await profileOf(await signInWith(name, ''))).toBeUndefined()
    const back = await leave(new Visitor(), `/core/auth/${name}/qr/login/`)
    back.searchParams.set('code', `for:member-of-${name}`)
    const victim = new Visitor()
    await victim.open(back.href)
    expect(await profileOf(victim)).toBeUndefined()
  })

  it('takes over no user who has the name of an account by chance', async () => {
    const { username } = await person()
    expect(await profileOf(await signInWith(name, `for:${username}`))).toBeUndefined()
  })

  it('stops at the state of the user, and waits for the second factor', async () => {
    const id = `blocked-of-${name}`
    await signInWith(name, `for:${id}`)
    const [found] = await server.admin.request<{ id: string }[]>('GET', `/api/v1/users/users/?username=${id}`)
    await server.admin.request('PATCH', `/api/v1/users/users/${found?.id}/`, { is_active: false })
    expect(await profileOf(await signInWith(name, `for:${id}`))).toBeUndefined()
  })

  it('is bound by a user of another source, once, and unbound by them', async () => {
    const { id, username } = await person()
    const visitor = await browserOf(username)
    const account = `account-of-${username}`
    const back = await leave(visitor, `/core/auth/${name}/qr/bind/`)
    back.searchParams.set('code', `for:${account}`)
    // Neither as a sign-in, nor in another browser, nor by another user.
    const other = await browserOf((await person()).username)
    expect((await other.open(back.href)).status).toBe(200)
    expect((await read(id))[columns[name]]).toBeNull()
    expect((await visitor.open(back.href)).status).toBe(200)
    expect((await read(id))[columns[name]]).toBe(account)
    expect(await profileOf(visitor)).toBeUndefined()
    expect(await profileOf(await signInWith(name, `for:${account}`))).toMatchObject({
      username,
      source: { value: 'local' },
    })
    const thief = await person()
    const theirs = await browserOf(thief.username)
    const stolen = await leave(theirs, `/core/auth/${name}/qr/bind/`)
    stolen.searchParams.set('code', `for:${account}`)
    expect(await (await theirs.open(stolen.href)).text()).toContain('已绑定其他用户')
    expect((await read(thief.id))[columns[name]]).toBeNull()

    const own = await server.as(id)
    const unbind = `/api/v1/authentication/${name}/qr/unbind/`
    await expect(own.request('POST', unbind)).rejects.toMatchObject({ status: 412 })
    const confirmed = await browserOf(username)
    const token = confirmed.cookie(server.url, 'jms_csrftoken') ?? ''
    const post = () => confirmed.open(at(unbind), { method: 'POST', headers: { 'x-csrftoken': token } })
    expect((await post()).status).toBe(200)
    expect((await read(id))[columns[name]]).toBeNull()
    const again = await post()
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([400, `${name}_not_bound`])
    expect(await profileOf(await signInWith(name, `for:${account}`, 'qr'))).not.toMatchObject({ username })
  })

  it('is unbound for others by who has authority over all of the user', async () => {
    const { id, username } = await person()
    const visitor = await browserOf(username)
    const back = await leave(visitor, `/core/auth/${name}/qr/bind/`)
    back.searchParams.set('code', `for:lost-of-${username}`)
    await visitor.open(back.href)
    const path = `/api/v1/authentication/${name}/qr/unbind/${id}/`
    const user = await server.as(
      await server.person(`meddling-${name}`, { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    await expect(user.request('POST', path)).rejects.toMatchObject({ status: 403 })
    await server.admin.request('POST', path)
    expect((await read(id))[columns[name]]).toBeNull()
  })

  it('is tested with the values of the form, and says what the service said', async () => {
    const path = `/api/v1/settings/${name}/testing/`
    const secret = Object.keys(chatForms[name]).find((key) => /SECRET/.test(key)) ?? ''
    expect(await server.admin.request('POST', path, {})).toEqual({ msg: expect.any(String) })
    const answer = await server.admin
      .request('POST', path, { ...chatForms[name], [secret]: 'wrong-one' })
      .catch((error: { status: number; body: { error: string } }) => error)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/40001|10014/) } })
    expect(JSON.stringify(answer)).not.toContain('wrong-one')
    const user = await server.as(await server.person(`testing-${name}`, { system: [roleIds.user] }))
    await expect(user.request('POST', path, {})).rejects.toMatchObject({ status: 403 })
  })

  it('brings the messages that a user chose, and reads no markup in names', async () => {
    const { id, username } = await person({ name: `[here](https://evil.example) ${name}` })
    const visitor = await browserOf(username)
    const back = await leave(visitor, `/core/auth/${name}/qr/bind/`)
    back.searchParams.set('code', `for:told-${username}`)
    await visitor.open(back.href)
    const own = await server.as(id)
    await own.request('PATCH', `/api/v1/notifications/user-msg-subscription/${id}/`, { receive_backends: [name] })
    chat.asked.length = 0
    await server.admin.request('GET', `/api/v1/users/users/${id}/mfa/reset/`)
    const path = {
      wecom: '/cgi-bin/message/send',
      dingtalk: '/topapi/message/corpconversation/asyncsend_v2',
      feishu: '/open-apis/im/v1/messages',
    }[name]
    const call = await vi.waitFor(
      () => {
        const found = chat.asked.find((one) => one.path === path)
        if (!found) throw new Error('no message yet')
        return found
      },
      { timeout: 15_000, interval: 50 },
    )
    const said = JSON.stringify(call.body)
    expect(said).toContain(`told-${username}`)
    expect(said).not.toContain('[here](')
  })
})

it('asks for a new token where the service ended the one in use', async () => {
  await signInWith('wecom', 'for:renewed')
  const before = chat.endTokens()
  expect(await profileOf(await signInWith('wecom', 'for:renewed'))).toMatchObject({ username: 'renewed' })
  expect(chat.endTokens()).toBe(before + 1)
})

it('lets in only bound users by the way of its own application', async () => {
  expect(await profileOf(await signInWith('wecom', 'for:never-seen', 'oauth'))).toBeUndefined()
  expect(await profileOf(await signInWith('wecom', 'for:renewed', 'oauth'))).toMatchObject({ username: 'renewed' })
})

it('is asked for a confirmation before binding, and offers no way where it is off', async () => {
  const unconfirmed = new Visitor()
  expect((await ask(unconfirmed, '/core/auth/wecom/qr/bind/')).status).not.toBe(302)
  await server.admin.request('PATCH', '/api/v1/settings/setting/?category=feishu', { AUTH_FEISHU: false })
  expect((await ask(new Visitor(), '/core/auth/feishu/qr/login/')).status).toBe(404)
  await server.admin.request('PATCH', '/api/v1/settings/setting/?category=feishu', { AUTH_FEISHU: true })
})
