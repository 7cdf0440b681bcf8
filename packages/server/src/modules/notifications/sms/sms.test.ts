import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { roleIds } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

/**
 * Codes by text message against servers that behave as the providers document, and check the signatures with code of
 * their own. The clouds themselves cannot be had in a test.
 */
interface Asked {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

let server: TestServer
const asked: Asked[] = []
let answer: { status: number; body: object } = { status: 200, body: {} }
const cloud = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    asked.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
})
const submitted: { phone: string; text: string }[] = []
const spSecret = 'sp-secret'
/** A gateway of CMPP 2.0 that checks who signs in. */
const gateway = createTcpServer((socket: Socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (packet: Buffer) => {
    const command = packet.readUInt32BE(4)
    const reply = (body: Buffer) => {
      const header = Buffer.alloc(12)
      header.writeUInt32BE(12 + body.length, 0)
      header.writeUInt32BE((command | 0x80000000) >>> 0, 4)
      packet.copy(header, 8, 8, 12)
      // In two parts, as a network may deliver it.
      socket.write(header)
      setImmediate(() => socket.writable && socket.write(body))
    }
    if (command === 1) {
      const time = String(packet.readUInt32BE(35)).padStart(10, '0')
      const expected = createHash('md5')
        .update(`901234${'\0'.repeat(9)}${spSecret}${time}`)
        .digest()
      reply(Buffer.concat([Buffer.from([expected.equals(packet.subarray(18, 34)) ? 0 : 3]), Buffer.alloc(17)]))
    }
    if (command === 4) {
      const body = packet.subarray(12)
      const at = 8 + 4 + 10 + 1 + 21 + 3 + 6 + 2 + 6 + 34 + 21 + 1
      const length = body.readUInt8(at + 21)
      const text = Buffer.from(body.subarray(at + 22, at + 22 + length))
        .swap16()
        .toString('utf16le')
      submitted.push({
        phone: body
          .subarray(at, at + 21)
          .toString('ascii')
          .replace(/\0+$/, ''),
        text,
      })
      reply(Buffer.alloc(9))
    }
  })
})

let base = ''
const settings = (category: string, values: object) => server.changeSettings(category, values)
const test = (backend: string, values: object, by = server.admin) =>
  by.request('POST', `/api/v1/settings/sms/${backend}/testing/`, values)
const phone = '+8613800000000'

beforeAll(async () => {
  server = await startServer()
  await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`
  const { services, rawDb } = server.context()
  await services.settings.store(rawDb, services.events, {
    ALIBABA_SMS_URL: `${base}/alibaba`,
    TENCENT_SMS_URL: `${base}/`,
  })
  await services.settings.load()
})
afterAll(async () => {
  cloud.close()
  gateway.close()
  await server.close()
})
beforeEach(() => {
  asked.length = 0
})

const alibaba = {
  SMS_TEST_PHONE: { code: '+86', phone: '13800000000' },
  ...{ ALIBABA_ACCESS_KEY_ID: 'id', ALIBABA_VERIFY_SIGN_NAME: '签名', ALIBABA_VERIFY_TEMPLATE_CODE: 'SMS_1' },
}

describe('the test button', () => {
  it('signs a message for Alibaba Cloud as documented', async () => {
    answer = { status: 200, body: { Code: 'OK' } }
    await test('alibaba', { ...alibaba, ALIBABA_ACCESS_KEY_SECRET: 'alibaba-secret' })
    const sent = Object.fromEntries(new URLSearchParams(asked[0]?.body))
    expect(sent).toMatchObject({ Action: 'SendSms', PhoneNumbers: '13800000000', TemplateParam: '{"code":"6666"}' })
    const { Signature, ...rest } = sent
    const encode = (text: string) => encodeURIComponent(text).replace(/\*/g, '%2A')
    const query = Object.entries(rest)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map((pair) => pair.map(encode).join('='))
      .join('&')
    const expected = createHmac('sha1', 'alibaba-secret&')
      .update(`POST&%2F&${encode(query)}`)
      .digest('base64')
    expect(Signature).toBe(expected)
    expect(asked[0]?.body).not.toContain('alibaba-secret')
  })

  it('calls Tencent Cloud and Huawei Cloud as documented', async () => {
    answer = { status: 200, body: { Response: { SendStatusSet: [{ Code: 'Ok' }] } } }
    const tencent = {
      ...{ SMS_TEST_PHONE: phone, TENCENT_SECRET_ID: 'id', TENCENT_SECRET_KEY: 'key', TENCENT_SDKAPPID: '14000' },
      ...{ TENCENT_VERIFY_SIGN_NAME: 'sign', TENCENT_VERIFY_TEMPLATE_CODE: '7' },
    }
    await test('tencent', tencent)
    expect(asked[0]?.headers).toMatchObject({ 'x-tc-action': 'SendSms', 'x-tc-version': '2021-01-11' })
    expect(asked[0]?.headers.authorization).toMatch(/^TC3-HMAC-SHA256 Credential=id\/\d{4}-\d\d-\d\d\/sms\/tc3_request/)
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ PhoneNumberSet: [phone], TemplateParamSet: ['6666'] })
    answer = { status: 200, body: { Response: { Error: { Code: 'AuthFailure', Message: 'no' } } } }
    await expect(test('tencent', tencent)).rejects.toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('AuthFailure: no') },
    })
    asked.length = 0
    answer = { status: 200, body: { code: '000000' } }
    await test('huawei', {
      ...{ SMS_TEST_PHONE: phone, HUAWEI_APP_KEY: 'app', HUAWEI_APP_SECRET: 'secret', HUAWEI_SMS_ENDPOINT: base },
      ...{ HUAWEI_SIGN_CHANNEL_NUM: '88', HUAWEI_VERIFY_SIGN_NAME: 's', HUAWEI_VERIFY_TEMPLATE_CODE: 't' },
    })
    const [, digest, nonce, created] =
      /PasswordDigest="([^"]+)",Nonce="([^"]+)",Created="([^"]+)"/.exec(String(asked[0]?.headers['x-wsse'])) ?? []
    expect(digest).toBe(createHash('sha256').update(`${nonce}${created}secret`).digest('base64'))
    expect(asked[0]?.path).toBe('/sms/batchSendSms/v1')
  })

  it('speaks CMPP 2.0, and says why a gateway refused', async () => {
    const values = {
      ...{ SMS_TEST_PHONE: phone, CMPP2_HOST: '127.0.0.1', CMPP2_PORT: (gateway.address() as AddressInfo).port },
      ...{ CMPP2_SP_ID: '901234', CMPP2_SERVICE_ID: 'svc', CMPP2_VERIFY_SIGN_NAME: '公司' },
      CMPP2_VERIFY_TEMPLATE_CODE: '验证码 {code}',
    }
    await test('cmpp2', { ...values, CMPP2_SP_SECRET: spSecret })
    expect(submitted).toEqual([{ phone: '13800000000', text: '【公司】验证码 6666' }])
    await expect(test('cmpp2', { ...values, CMPP2_SP_SECRET: 'wrong' })).rejects.toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('status 3') },
    })
    await expect(
      test('cmpp2', { ...values, CMPP2_SP_SECRET: spSecret, CMPP2_VERIFY_TEMPLATE_CODE: 'no place' }),
    ).rejects.toMatchObject({ status: 400, body: { CMPP2_VERIFY_TEMPLATE_CODE: expect.any(Array) } })
  })

  it('takes a signature and a template only if they fit into one message', async () => {
    const long = { CMPP2_VERIFY_SIGN_NAME: 's'.repeat(60), CMPP2_VERIFY_TEMPLATE_CODE: '{code}' }
    const refused = { status: 400, body: { non_field_errors: [expect.stringContaining('65')] } }
    await expect(settings('cmpp2', long)).rejects.toMatchObject(refused)
    await settings('cmpp2', { CMPP2_VERIFY_SIGN_NAME: 's'.repeat(50) })
    await expect(settings('cmpp2', { CMPP2_VERIFY_TEMPLATE_CODE: `{code}${'t'.repeat(20)}` })).rejects.toMatchObject(
      refused,
    )
    await settings('cmpp2', { CMPP2_VERIFY_SIGN_NAME: 'sign' })
  })

  it('shows nothing of a page inside of the network that is no SMS service', async () => {
    const page = createServer((_request, reply) => reply.writeHead(403).end('<h1>Inner secret</h1>'))
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
    const inside = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`
    const custom = { SMS_TEST_PHONE: phone, CUSTOM_SMS_URL: inside }
    const huawei = {
      ...{ SMS_TEST_PHONE: phone, HUAWEI_APP_KEY: 'app', HUAWEI_APP_SECRET: 'secret', HUAWEI_SMS_ENDPOINT: inside },
      ...{ HUAWEI_SIGN_CHANNEL_NUM: '88', HUAWEI_VERIFY_SIGN_NAME: 's', HUAWEI_VERIFY_TEMPLATE_CODE: 't' },
    }
    for (const [backend, values] of Object.entries({ custom, huawei })) {
      const error = await test(backend, values).catch(({ body }: ApiError) => JSON.stringify(body))
      expect(error).toContain('403')
      expect(error).not.toContain('Inner')
    }
    page.close()
    answer = { status: 400, body: { message: 'The number is blocked' } }
    await expect(test('custom', { ...custom, CUSTOM_SMS_URL: `${base}/` })).rejects.toMatchObject({
      body: { error: expect.stringContaining('400: The number is blocked') },
    })
  })

  it('names what is missing, and sends a stored secret nowhere else', async () => {
    await expect(test('alibaba', {})).rejects.toMatchObject({
      status: 400,
      body: { ALIBABA_ACCESS_KEY_ID: expect.any(Array) },
    })
    await expect(
      test('alibaba', { ...alibaba, SMS_TEST_PHONE: '', ALIBABA_ACCESS_KEY_SECRET: 'x' }),
    ).rejects.toMatchObject({ status: 400, body: { code: 'test_phone_required' } })
    for (const backend of ['pigeon', 'custom_file', '__proto__'])
      await expect(test(backend, {})).rejects.toMatchObject({ status: 400, body: { detail: expect.any(String) } })
    const huawei = {
      ...{ HUAWEI_APP_KEY: 'app', HUAWEI_SIGN_CHANNEL_NUM: '88', HUAWEI_VERIFY_SIGN_NAME: 's' },
      ...{ HUAWEI_VERIFY_TEMPLATE_CODE: 't', HUAWEI_SMS_ENDPOINT: 'http://127.0.0.1:9', SMS_TEST_PHONE: phone },
    }
    await settings('huawei', { ...huawei, HUAWEI_APP_SECRET: 'stored-secret' })
    const elsewhere = { ...huawei, HUAWEI_SMS_ENDPOINT: base }
    await expect(test('huawei', elsewhere)).rejects.toMatchObject({
      status: 400,
      body: { HUAWEI_APP_SECRET: expect.any(Array) },
    })
    await expect(settings('huawei', elsewhere)).rejects.toMatchObject({ status: 400 })
    expect(asked).toEqual([])
    const metadata = [
      'http://169.254.169.254',
      'http://2852039166',
      'http://[::ffff:169.254.169.254]',
      'http://0.0.0.0',
    ]
    for (const inside of [...metadata, 'http://[fe80::1]', 'http://[fd00:ec2::254]', 'file:///etc/passwd'])
      await expect(
        test('huawei', { ...huawei, HUAWEI_SMS_ENDPOINT: inside, HUAWEI_APP_SECRET: 'x' }),
      ).rejects.toMatchObject({ status: 400, body: { error: expect.stringContaining('not asked') } })
    const user = await server.as(await server.person('no-settings', { system: [roleIds.user] }))
    await expect(test('huawei', huawei, user)).rejects.toMatchObject({ status: 403 })
  })
})

describe('a code by text message', () => {
  const password = 'Text-messages-1'
  let made = 0
  const lastCode = () => new URL(asked.at(-1)?.path ?? '', base).searchParams.get('text')

  async function person(values: object) {
    const username = `texted-${++made}`
    const number = `+86138000100${String(made).padStart(2, '0')}`
    const { id } = await server.admin.collection('users/users').create({
      ...{ name: username, username, email: `${username}@example.com`, phone: number },
      ...{ password_strategy: 'custom', password, need_update_password: false, ...values },
    })
    return { id, username, number }
  }
  const post = (visitor: Visitor, path: string, body: object) =>
    visitor
      .open(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'en' },
        body: JSON.stringify(body),
      })
      .then(async (reply) => ({ status: reply.status, body: (await reply.json()) as Record<string, unknown> }))
  const signIn = (visitor: Visitor, username: string) =>
    post(visitor, '/api/v1/authentication/auth/', { username, password })
  const select = (visitor: Visitor) => post(visitor, '/api/v1/authentication/mfa/select/', { type: 'sms' })
  const verify = (visitor: Visitor, code: string | null) =>
    post(visitor, '/api/v1/authentication/mfa/challenge/', { type: 'sms', code: code ?? '' })

  beforeAll(async () => {
    answer = { status: 200, body: {} }
    await settings('custom', {
      CUSTOM_SMS_URL: `${base}/send?fixed=1`,
      CUSTOM_SMS_API_PARAMS: { to: '{phone_numbers}', text: '{code}' },
      CUSTOM_SMS_REQUEST_METHOD: 'get',
    })
    await settings('sms', { SMS_ENABLED: true, SMS_BACKEND: 'custom', SMS_CODE_LENGTH: 8 })
  })

  it('is a second factor: once, for this user, with its length', async () => {
    const { username, number } = await person({ mfa_level: 2 })
    const visitor = new Visitor()
    expect((await signIn(visitor, username)).body).toMatchObject({
      error: 'mfa_required',
      data: { choices: expect.arrayContaining(['sms']) },
    })
    expect((await select(visitor)).body).toEqual({ code: 'ok' })
    expect(asked.map(({ path }) => new URL(path, base).searchParams.get('to'))).toEqual([number.slice(3)])
    expect(lastCode()).toMatch(/^\d{8}$/)
    expect((await select(visitor)).status).toBe(400)
    expect(asked).toHaveLength(1)
    expect((await verify(visitor, '00000000')).body).toMatchObject({ error: 'mfa_failed' })
    const code = lastCode()
    expect((await verify(visitor, code)).body).toEqual({ msg: 'ok' })
    expect((await signIn(visitor, username)).status).toBe(201)
    const again = new Visitor()
    await signIn(again, username)
    expect((await verify(again, code)).body).toMatchObject({ error: 'mfa_failed' })
  })

  it('ends after five wrong answers, even if the right one follows', async () => {
    const { username } = await person({ mfa_level: 2 })
    const visitor = new Visitor()
    await signIn(visitor, username)
    await select(visitor)
    const code = lastCode()
    for (let tries = 0; tries < 5; tries++) await verify(visitor, 'wrong')
    expect((await verify(visitor, code)).body).toMatchObject({ error: 'mfa_failed' })
  })

  it('is sent to nobody without the first step, and is not the code of somebody else', async () => {
    const [one, two] = [await person({ mfa_level: 2 }), await person({ mfa_level: 2 })]
    const stranger = new Visitor()
    expect(
      (await post(stranger, '/api/v1/authentication/mfa/select/', { type: 'sms', username: one.username })).status,
    ).toBe(404)
    expect(asked).toEqual([])
    const [first, second] = [new Visitor(), new Visitor()]
    await signIn(first, one.username)
    await signIn(second, two.username)
    await select(first)
    const code = lastCode()
    await select(second)
    expect((await verify(second, code)).body).toMatchObject({ error: 'mfa_failed' })
  })

  it('is sent to no telephone that a token was used to enter, not even of a newcomer', async () => {
    for (const phone of ['+8613800138000', null]) {
      const { id } = await person({ phone })
      const own = await server.as(id)
      const enter = own.request('PATCH', '/api/v1/users/profile/', { phone: '+8613900139000', mfa_level: 1 })
      await expect(enter).rejects.toMatchObject({ status: 412, body: { type: 'user_confirm_required' } })
      await own.request('PATCH', '/api/v1/users/profile/', { mfa_level: 1 }).catch(() => undefined)
      await own.request('POST', '/api/v1/authentication/mfa/select/', { type: 'sms' }).catch(() => undefined)
      expect(JSON.stringify(asked)).not.toContain('13900139000')
    }
  })

  it('that is not accepted by the provider is said so, without its reason', async () => {
    const { username } = await person({ mfa_level: 2 })
    const visitor = new Visitor()
    await signIn(visitor, username)
    answer = { status: 500, body: { secret: 'reason of the provider' } }
    const refused = await select(visitor)
    answer = { status: 200, body: {} }
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).not.toContain('reason of the provider')
    expect(refused.body.error).toContain('could not be sent')
  })

  it('recovers a password for who types the number of the user', async () => {
    const { username, number } = await person({})
    const visitor = new Visitor()
    const begin = '/core/auth/password/forget/previewing/'
    await visitor.open(server.url + begin)
    const csrf = visitor.cookie(server.url, 'jms_csrftoken') ?? ''
    const form = (path: string, fields: Record<string, string>) =>
      visitor.open(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-csrftoken': csrf },
        body: new URLSearchParams({ csrfmiddlewaretoken: csrf, ...fields }).toString(),
      })
    const page = (await form(begin, { username })).headers.get('location') ?? ''
    const token = new URL(page, server.url).searchParams.get('token')
    const send = (sms: string) =>
      post(visitor, `/api/v1/authentication/password/reset-code/?token=${token}`, { form_type: 'sms', email: '', sms })
    expect((await send('+8613900000000')).status).toBe(400)
    expect(asked).toEqual([])
    expect(await send(number)).toEqual({ status: 200, body: { data: 'ok' } })
    expect(lastCode()).toMatch(/^\d{6}$/)
    const done = await form(page, { form_type: 'sms', sms: number, email: '', code: lastCode() ?? '' })
    expect(done.headers.get('location')).toMatch(/password\/reset\/\?token=/)
  })
})
