import { createHash, createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { describeWith } from '@castellan/testing/parts'
import { type RadiusServer, startRadius } from '@castellan/testing/radius'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

const base = '/api/v1/authentication/'
const ownPassword = 'Own-1-password'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const settings = (category: string, values: object) => server.changeSettings(category, values)

/** A client that keeps its cookies. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async post(path: string, sent: object): Promise<{ status: number; body: StoredRow }> {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/json',
      },
      body: JSON.stringify(sent),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return { status: answer.status, body: (await answer.json()) as StoredRow }
  }

  async signIn(username = '', password = ''): Promise<string> {
    const { status, body } = await this.post(`${base}auth/`, { username, password })
    return status === 201 ? 'in' : String(body.error)
  }

  async code(type: string, code: string): Promise<string> {
    const { body } = await this.post(`${base}mfa/challenge/`, { type, code })
    return String(body.error ?? body.msg)
  }
}

const signIn = (username: string, password: string) => new Visitor().signIn(username, password)
const found = async (username: string) =>
  (await server.admin.request<StoredRow[]>('GET', `/api/v1/users/users/?username=${encodeURIComponent(username)}`))[0]
const makeUser = (username: string, more: object = {}) =>
  server.admin.collection('users/users').create({
    name: username,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password: ownPassword,
    need_update_password: false,
    ...more,
  })

describeWith('freeradius', 'a sign-in by RADIUS', () => {
  let radius: RadiusServer
  beforeAll(async () => {
    radius = await startRadius(
      {
        ada: 'radius-ada',
        long: 'p'.repeat(100),
        ひと: 'パスワード',
        'local-name': 'radius-local',
        'code-user': '424242',
        gone: 'radius-gone',
        limited: 'radius-limited',
      },
      {
        token: { password: 'radius-token', answer: '135790' },
        other: { password: 'radius-other', answer: '246800' },
        unknown: { password: 'radius-unknown', answer: '1' },
      },
    )
    await settings('radius', { ...radius.settings, OTP_IN_RADIUS: false })
  })
  afterAll(() => radius?.[Symbol.asyncDispose]())

  it('creates the user, who keeps RADIUS as source, and accepts long and foreign passwords', async () => {
    expect(await signIn('ada', 'wrong')).toBe('password_failed')
    expect(await found('ada')).toBeUndefined()
    expect(await signIn('ada', 'radius-ada')).toBe('in')
    expect(await found('ada')).toMatchObject({ source: { value: 'radius' } })
    expect(await signIn('long', 'p'.repeat(100))).toBe('in')
    expect(await signIn('long', 'p'.repeat(99))).toBe('password_failed')
    const [log] = await server.admin.request<object[]>('GET', '/api/v1/audits/login-logs/?username=ada&status=1')
    expect(log).toMatchObject({ backend: 'Radius' })
  })

  it.each([
    ['no password', 'ada', ''],
    ['a password that is longer than a packet takes', 'ada', 'x'.repeat(129)],
    ['a name that is longer than a packet takes', 'a'.repeat(300), 'x'],
    ['NUL behind the password, which a server may cut off', 'ada', 'radius-ada\0'],
    ['NUL behind the name', 'ada\0', 'radius-ada'],
  ])('rejects %s', async (_what, username, password) => {
    expect(await signIn(username, password)).not.toBe('in')
  })

  it('takes one person for one user in any spelling of the name', async () => {
    const { id } = (await found('ada')) as { id: string }
    await server.admin.collection('users/users').change(id, { is_active: false })
    expect(await signIn('ADA', 'radius-ada')).toBe('user_inactive')
    expect(await found('ADA')).toBeUndefined()
    await server.admin.collection('users/users').change(id, { is_active: true })
  })

  it('never takes over a local user, whose password it is not told', async () => {
    await makeUser('local-name')
    for (const name of ['local-name', 'LOCAL-NAME', 'Local-Name ', 'lоcal-name'])
      expect(await signIn(name, 'radius-local')).toBe('password_failed')
    expect(await signIn('LOCAL-NAME', ownPassword)).toBe('in')
    expect(await found('local-name')).toMatchObject({ source: { value: 'local' } })
  })

  it('confirms its users by the password that it has, within limits', async () => {
    const { id } = (await found('ada')) as { id: string }
    const { token } = await server.as(id)
    const confirm = async (secret_key: string) =>
      (
        await fetch(`${server.url}${base}confirm/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ confirm_type: 'password', secret_key }),
        })
      ).status
    expect(await confirm('wrong')).toBe(400)
    expect(await confirm('radius-ada')).toBe(200)
    for (let tries = 0; tries < 7; tries += 1) await confirm('wrong')
    expect(await confirm('radius-ada')).toBe(400)
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/unblock/`)
    expect(await confirm('radius-ada')).toBe(200)
  })

  it('follows the rules of all sign-ins: state, second factor, known users only, limits', async () => {
    await settings('security_login_limit', { ONLY_ALLOW_EXIST_USER_AUTH: true })
    expect(await signIn('gone', 'radius-gone')).toBe('user_not_exist')
    await settings('security_login_limit', { ONLY_ALLOW_EXIST_USER_AUTH: false })
    expect(await signIn('gone', 'radius-gone')).toBe('in')
    const { id } = (await found('gone')) as { id: string }
    await server.admin.collection('users/users').change(id, { mfa_level: 2 })
    expect(await signIn('gone', 'radius-gone')).toBe('mfa_required')
    for (let tries = 0; tries < 7; tries += 1) await signIn('limited', 'wrong')
    expect(await signIn('limited', 'radius-limited')).toBe('block_login')
  })

  describe('with a challenge', () => {
    beforeAll(async () => {
      await makeUser('token', { source: 'radius' })
      await makeUser('other', { source: 'radius' })
    })

    it('asks for the answer after the password, and lets in with it', async () => {
      const visitor = new Visitor()
      const { body } = await visitor.post(`${base}auth/`, { username: 'token', password: 'radius-token' })
      expect(body).toMatchObject({ error: 'mfa_required', data: { choices: ['otp_radius'] } })
      expect(await visitor.signIn()).toBe('mfa_required')
      expect(await visitor.code('otp', '135790')).toBe('mfa_failed')
      expect(await visitor.code('otp_radius', '135790')).toBe('ok')
      expect(await visitor.signIn()).toBe('in')
    })

    it('does not accept the answer without the challenge, a second time, or of somebody else', async () => {
      expect(await signIn('token', '135790')).not.toBe('in')
      const visitor = new Visitor()
      await visitor.signIn('token', 'radius-token')
      expect(await visitor.code('otp_radius', '246800')).toBe('mfa_failed')
      // The challenge is used up.
      expect(await visitor.code('otp_radius', '135790')).toBe('mfa_failed')
      expect(await visitor.signIn()).toBe('mfa_required')
    })

    it('is not answered by a factor that was passed before in the same browser', async () => {
      const visitor = new Visitor()
      await visitor.signIn('token', 'radius-token')
      expect(await visitor.code('otp_radius', '135790')).toBe('ok')
      expect(await visitor.signIn()).toBe('in')
      expect(await visitor.signIn('token', 'radius-token')).toBe('mfa_required')
      expect(await visitor.signIn()).toBe('mfa_required')
    })

    it('creates nobody, since servers challenge unknown names too', async () => {
      expect(await signIn('unknown', 'radius-unknown')).toBe('password_failed')
      expect(await found('unknown')).toBeUndefined()
    })
  })

  it('checks codes of everybody where the settings say so', async () => {
    await settings('radius', { OTP_IN_RADIUS: true })
    await makeUser('code-user', { mfa_level: 2 })
    const visitor = new Visitor()
    const { body } = await visitor.post(`${base}auth/`, { username: 'code-user', password: ownPassword })
    expect(body).toMatchObject({ error: 'mfa_required', data: { choices: ['otp_radius'] } })
    expect(await visitor.code('otp_radius', '111111')).toBe('mfa_failed')
    expect(await visitor.code('otp_radius', '424242')).toBe('ok')
    expect(await visitor.signIn()).toBe('in')
    await settings('radius', { OTP_IN_RADIUS: false })
  })

  it('does not pass with another secret', async () => {
    await settings('radius', { RADIUS_SECRET: 'another' })
    expect(await signIn('ada', 'radius-ada')).toBe('password_failed')
    await settings('radius', { RADIUS_SECRET: radius.secret })
    expect(await signIn('ada', 'radius-ada')).toBe('in')
  })
})

const secret = 'Shared-secret-of-the-test'

interface Made {
  code?: number
  id?: number
  attributes?: Buffer
  /** Made with another secret. */
  secret?: string
  /** `absent`, `wrong` or `twice`. */
  proof?: 'absent' | 'wrong' | 'twice'
  authenticator?: Buffer
}

/** An answer to a request as a server makes it, or as somebody forges it. */
function answerTo(request: Buffer, made: Made = {}): Buffer {
  const key = made.secret ?? secret
  const proofs = made.proof === 'absent' ? 0 : made.proof === 'twice' ? 2 : 1
  const proof = Buffer.concat([Buffer.from([80, 18]), Buffer.alloc(16)])
  const body = Buffer.concat([...Array(proofs).fill(proof), made.attributes ?? Buffer.alloc(0)])
  const header = Buffer.from([made.code ?? 2, made.id ?? request[1] ?? 0, 0, 0])
  header.writeUInt16BE(20 + body.length, 2)
  const asked = made.authenticator ?? request.subarray(4, 20)
  const mac = createHmac('md5', key)
    .update(Buffer.concat([header, asked, body]))
    .digest()
  if (made.proof === 'wrong') mac[0] = (mac[0] ?? 0) ^ 1
  if (proofs > 0) mac.copy(body, 2)
  const digest = createHash('md5')
    .update(Buffer.concat([header, asked, body, Buffer.from(key)]))
    .digest()
  return Buffer.concat([header, digest, body])
}

describe('an answer of somebody else than the RADIUS server', () => {
  /** What a server that answers so achieves: first these packets, then a right rejection, which ends the waiting. */
  async function achieved(packets: (request: Buffer) => Buffer[], name: string): Promise<string> {
    const socket = createSocket('udp4')
    socket.on('message', (request, { port, address }) => {
      for (const packet of [...packets(request), answerTo(request, { code: 3 })]) socket.send(packet, port, address)
    })
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
    const { port } = socket.address()
    await settings('radius', {
      AUTH_RADIUS: true,
      RADIUS_SERVER: '127.0.0.1',
      RADIUS_PORT: port,
      RADIUS_SECRET: secret,
    })
    try {
      return await signIn(name, 'guessed')
    } finally {
      await new Promise<void>((closed) => socket.close(() => closed()))
    }
  }

  it('is waited for whether or not the name is that of a local user, whose name and password stay here', async () => {
    await makeUser('timed-local')
    const asked: string[] = []
    const listening = (request: Buffer) => {
      asked.push(request.toString('latin1'))
      return [answerTo(request)]
    }
    expect(await achieved(listening, 'timed-local')).toBe('password_failed')
    expect(asked).toHaveLength(1)
    expect(asked[0]).not.toContain('timed-local')
  })

  it('is told from a right one', async () => {
    expect(await achieved((request) => [answerTo(request)], 'honest')).toBe('in')
  })

  let victims = 0
  let earlier: Buffer | undefined
  it.each<[string, (request: Buffer) => Buffer[]]>([
    ['has no Message-Authenticator', (request) => [answerTo(request, { proof: 'absent' })]],
    ['has a wrong Message-Authenticator', (request) => [answerTo(request, { proof: 'wrong' })]],
    ['has two of them', (request) => [answerTo(request, { proof: 'twice' })]],
    ['was made with another secret', (request) => [answerTo(request, { secret: 'guessed' })]],
    ['belongs to another request', (request) => [answerTo(request, { id: ((request[1] ?? 0) + 1) & 255 })]],
    ['has another authenticator', (request) => [answerTo(request, { authenticator: Buffer.alloc(16) })]],
    [
      'was recorded earlier',
      (request) => {
        const old = earlier ?? answerTo(request, { id: request[1] ?? 0, authenticator: Buffer.alloc(16, 7) })
        earlier = old
        const replayed = Buffer.from(old)
        replayed[1] = request[1] ?? 0
        return [old, replayed]
      },
    ],
    ['is the request itself', (request) => [request]],
    ['is cut off', (request) => [answerTo(request).subarray(0, 30), answerTo(request).subarray(0, 3), Buffer.alloc(0)]],
    [
      'lies about its length',
      (request) => {
        const packet = answerTo(request)
        packet.writeUInt16BE(65_535, 2)
        return [packet]
      },
    ],
    [
      'has an attribute without an end',
      (request) => [
        answerTo(request, { attributes: Buffer.from([18, 0]) }),
        answerTo(request, { attributes: Buffer.from([18, 200, 1]) }),
      ],
    ],
    ['is as large as a packet can be', (request) => [Buffer.concat([answerTo(request), Buffer.alloc(60_000, 18)])]],
    ['challenges without a state', (request) => [answerTo(request, { code: 11 })]],
    ['has a code that is no verdict', (request) => [answerTo(request, { code: 5 })]],
  ])('does not let anybody in: it %s', async (_what, packets) => {
    // A user of each attack: failures of one would lock the next out.
    const victim = `victim-${++victims}`
    expect(await achieved(packets, victim)).toBe('password_failed')
    expect(await found(victim)).toBeUndefined()
  })
})
