import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { roleIds } from '@castellan/contract/ids'
import { startServer, type TestServer } from '@castellan/testing/server'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

/**
 * Sign-in, binding and messages against a server that answers as WeCom, DingTalk and Feishu document: their own servers
 * cannot be had in a test. A code `for:<id>` is that of a member, `outside:<id>` that of somebody else.
 */
interface Asked {
  path: string
  query: URLSearchParams
  authorization: string
  body: Record<string, unknown>
}

let server: TestServer
const asked: Asked[] = []
/** Tokens that the service has ended before their time. */
const ended = new Set<string>()
let issued = 0
const secrets = ['wecom-secret', 'dingtalk-secret', 'feishu-secret']

const memberOf = (code: unknown) => /^for:(.+)$/.exec(String(code))?.[1]

function answerTo({ path, query, authorization, body }: Asked): object {
  const token = query.get('access_token') ?? authorization.replace('Bearer ', '')
  const isOver = ended.has(token)
  const credentials = [query.get('corpsecret'), query.get('appsecret'), body.app_secret].find(Boolean)
  switch (path) {
    case '/cgi-bin/gettoken':
    case '/gettoken':
      return secrets.includes(String(credentials))
        ? { errcode: 0, access_token: `token-${++issued}`, expires_in: 7200 }
        : { errcode: 40001, errmsg: 'invalid credential' }
    case '/open-apis/auth/v3/tenant_access_token/internal':
      return secrets.includes(String(credentials))
        ? { code: 0, tenant_access_token: `token-${++issued}`, expire: 7200 }
        : { code: 10014, msg: 'app secret invalid' }
    case '/cgi-bin/auth/getuserinfo': {
      if (isOver) return { errcode: 42001, errmsg: 'access_token expired' }
      const userid = memberOf(query.get('code'))
      return userid ? { errcode: 0, userid } : { errcode: 0, openid: 'somebody' }
    }
    case '/cgi-bin/user/get':
      return { errcode: 60011, errmsg: 'no privilege' }
    case '/cgi-bin/message/send':
      return { errcode: 0, invaliduser: String(body.touser) === 'castellan-test' ? 'castellan-test' : '' }
    case '/v1.0/oauth2/userAccessToken':
      return { accessToken: `own ${body.code}`, expireIn: 7200 }
    case '/topapi/user/getbyunionid': {
      const userid = memberOf(body.unionid)
      return userid ? { errcode: 0, result: { userid, contact_type: 0 } } : { errcode: 60121, errmsg: 'not found' }
    }
    case '/topapi/message/corpconversation/asyncsend_v2':
      return { errcode: 0, task_id: 1 }
    case '/open-apis/authen/v1/access_token':
      return { code: 0, data: { access_token: `own ${body.code}` } }
    case '/open-apis/authen/v1/user_info': {
      const user_id = memberOf(authorization.replace('Bearer own ', ''))
      return { code: 0, data: user_id ? { user_id, name: `Name of ${user_id}` } : { open_id: 'x' } }
    }
    case '/open-apis/im/v1/messages':
      return body.receive_id === 'castellan-test' ? { code: 230001, msg: 'invalid receive_id' } : { code: 0 }
    default:
      return { errcode: 404 }
  }
}

const services = createServer((request, response) => {
  let text = ''
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://x')
    const own = String(request.headers['x-acs-dingtalk-access-token'] ?? '')
    const call = {
      path: url.pathname,
      query: url.searchParams,
      authorization: String(request.headers.authorization ?? ''),
      body: text ? JSON.parse(text) : {},
    }
    asked.push(call)
    const answer =
      url.pathname === '/v1.0/contact/users/me' ? { unionId: own.replace('own ', ''), nick: 'Nick' } : answerTo(call)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
})

const names = ['wecom', 'dingtalk', 'feishu'] as const
type Name = (typeof names)[number]
const forms: Record<Name, object> = {
  wecom: { AUTH_WECOM: true, WECOM_CORPID: 'corp', WECOM_AGENTID: '1000002', WECOM_SECRET: 'wecom-secret' },
  dingtalk: {
    ...{ AUTH_DINGTALK: true, DINGTALK_AGENTID: '7', DINGTALK_APPKEY: 'key', DINGTALK_APPSECRET: 'dingtalk-secret' },
  },
  feishu: {
    ...{ AUTH_FEISHU: true, FEISHU_APP_ID: 'app', FEISHU_APP_SECRET: 'feishu-secret', FEISHU_VERSION: 'feishu' },
  },
}
const columns: Record<Name, string> = { wecom: 'wecom_id', dingtalk: 'dingtalk_id', feishu: 'feishu_id' }

beforeAll(async () => {
  server = await startServer({ worker: true })
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(services.address() as AddressInfo).port}`
  const { services: own, rawDb } = server.context()
  const addresses = ['WECOM_API', 'WECOM_LOGIN', 'WECOM_OAUTH', 'DINGTALK_API', 'DINGTALK_OAPI', 'DINGTALK_LOGIN']
  await own.settings.store(
    rawDb,
    own.events,
    Object.fromEntries([...addresses, 'FEISHU_API', 'FEISHU_LOGIN'].map((name) => [`${name}_URL`, base])),
  )
  await own.settings.load()
  for (const name of names)
    await server.admin.request('PATCH', `/api/v1/settings/setting/?category=${name}`, forms[name])
})
afterAll(async () => {
  services.close()
  await server.close()
})
beforeEach(() => {
  asked.length = 0
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
    const secret = Object.keys(forms[name]).find((key) => /SECRET/.test(key)) ?? ''
    expect(await server.admin.request('POST', path, {})).toEqual({ msg: expect.any(String) })
    const answer = await server.admin
      .request('POST', path, { ...forms[name], [secret]: 'wrong-one' })
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
    asked.length = 0
    await server.admin.request('GET', `/api/v1/users/users/${id}/mfa/reset/`)
    const path = {
      wecom: '/cgi-bin/message/send',
      dingtalk: '/topapi/message/corpconversation/asyncsend_v2',
      feishu: '/open-apis/im/v1/messages',
    }[name]
    const call = await vi.waitFor(
      () => {
        const found = asked.find((one) => one.path === path)
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
  const before = issued
  for (let one = 1; one <= issued; one++) ended.add(`token-${one}`)
  expect(await profileOf(await signInWith('wecom', 'for:renewed'))).toMatchObject({ username: 'renewed' })
  expect(issued).toBe(before + 1)
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
