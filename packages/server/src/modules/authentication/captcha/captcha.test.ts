import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { pictureHeight, pictureOf, pictureWidth } from './picture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ proxies: '127.0.0.1' })
})
afterAll(() => server.close())

const login = '/core/auth/login/'
const forgotten = '/core/auth/password/forget/previewing/'

interface Facts {
  page: string
  errors?: Record<string, string[]>
  extra?: { kind: string; key?: string; imageUrl?: string; factors?: { name: string }[] }
  captcha?: { key: string; imageUrl: string }
}

/** Somebody at an address of their own, behind the trusted proxy. */
class Browser {
  readonly #visitor = new Visitor()
  readonly #ip: string
  constructor(ip: string) {
    this.#ip = ip
  }

  open(path: string, body?: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const token = this.#visitor.cookie(server.url, 'jms_csrftoken') ?? ''
    return this.#visitor.open(server.url + path, {
      headers: { 'x-forwarded-for': this.#ip, ...headers },
      ...(body ? { method: 'POST', body: new URLSearchParams({ ...body, csrfmiddlewaretoken: token }) } : {}),
    })
  }

  /** What the page was told; the target of a redirect otherwise. */
  async see(path: string, body?: Record<string, string>): Promise<Facts & { to?: string }> {
    const answer = await this.open(path, body)
    const to = answer.headers.get('location')
    if (to) return { page: '', to }
    const [, facts] = /id="page">(.*?)<\/script>/s.exec(await answer.text()) ?? []
    return JSON.parse(facts ?? '{}') as Facts
  }
}

/** The right answer, which only the picture and the store have. */
const resultOf = async (key: string | undefined) =>
  String((await server.context().kv.get<{ result: number }>(`captcha:shown:${key}`))?.result)

const admin = (password = server.adminPassword) => ({ username: 'admin', password })
const security = (values: Record<string, unknown>) =>
  server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_auth', values)

async function failThreeTimes(browser: Browser, username: string): Promise<Facts> {
  let seen = await browser.see(login)
  for (let tries = 0; tries < 3; tries++) {
    expect(seen.extra).toBeUndefined()
    seen = await browser.see(login, { username, password: 'wrong' })
  }
  return seen
}

describe('the captcha', () => {
  it('is asked for an account after three failures, before the password is looked at, and is good for one try', async () => {
    const browser = new Browser('192.0.2.10')
    const asked = await failThreeTimes(browser, 'admin')
    expect(asked.extra).toMatchObject({ kind: 'captcha' })
    const image = await browser.open(asked.extra?.imageUrl ?? '')
    expect([image.headers.get('content-type'), image.headers.get('cache-control')]).toEqual(['image/png', 'no-store'])
    // Not even the right password goes without it, from wherever it comes.
    const elsewhere = new Browser('192.0.2.15')
    await elsewhere.see(login)
    const without = await elsewhere.see(login, admin())
    expect(Object.keys(without.errors ?? {})).toEqual(['captcha_1'])
    const wrong = await browser.see(login, { ...admin(), captcha_0: without.extra?.key ?? '', captcha_1: '-1' })
    expect(Object.keys(wrong.errors ?? {})).toEqual(['captcha_1'])
    const used = { captcha_0: wrong.extra?.key ?? '', captcha_1: await resultOf(wrong.extra?.key) }
    const guessed = await browser.see(login, { ...admin('wrong'), ...used })
    expect(Object.keys(guessed.errors ?? {})).toEqual([''])
    const replayed = await browser.see(login, { ...admin(), ...used })
    expect(Object.keys(replayed.errors ?? {})).toEqual(['captcha_1'])
    const again = await browser.open('/core/auth/captcha/refresh/', undefined, { 'x-requested-with': 'XMLHttpRequest' })
    const fresh = (await again.json()) as { key: string; image_url: string; audio_url: null }
    expect(fresh).toEqual({ key: expect.any(String), image_url: expect.stringContaining(fresh.key), audio_url: null })
    const solved = { captcha_0: fresh.key, captcha_1: await resultOf(fresh.key) }
    expect((await browser.see(login, { ...admin(), ...solved })).to).toMatch(/^\/core\/auth\/login\/guard\//)
    // Whoever has signed in begins anew.
    expect((await elsewhere.see(login, admin())).to).toMatch(/guard/)
  })

  it('is asked for a name nobody has in the same way, and for no other', async () => {
    const browser = new Browser('192.0.2.11')
    expect((await failThreeTimes(browser, 'nobody')).extra).toMatchObject({ kind: 'captcha' })
    expect((await browser.see(login, admin())).to).toMatch(/guard/)
  })

  it('is asked of an address that fails with many names, for a new password too, but not if it is allowed', async () => {
    const ip = '192.0.2.12'
    await server.context().kv.set(`login:address:${ip}`, 30, 600)
    expect((await new Browser(ip).see(login)).extra).toMatchObject({ kind: 'captcha' })
    const browser = new Browser(ip)
    expect((await browser.see(forgotten)).captcha).toMatchObject({ imageUrl: expect.any(String) })
    const list = (SECURITY_LOGIN_IP_WHITE_LIST: string[]) =>
      server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_login_limit', {
        SECURITY_LOGIN_IP_WHITE_LIST,
      })
    await list([ip])
    expect((await new Browser(ip).see(login)).extra).toBeUndefined()
    await list([])
  })

  it('is not given away, and is off with its setting', async () => {
    const browser = new Browser('192.0.2.14')
    for (const path of ['/core/auth/captcha/refresh/', '/core/auth/captcha/image/unknown/'])
      expect([path, (await browser.open(path)).status]).toEqual([path, 404])
    await failThreeTimes(browser, 'admin')
    await security({ SECURITY_LOGIN_CAPTCHA_ENABLED: false })
    expect((await browser.see(login, admin())).to).toMatch(/guard/)
    await security({ SECURITY_LOGIN_CAPTCHA_ENABLED: true })
  })

  it('limits how many pictures an address has made', async () => {
    const browser = new Browser('192.0.2.17')
    const headers = { 'x-requested-with': 'XMLHttpRequest' }
    const answers: number[] = []
    for (let count = 0; count < 61; count++)
      answers.push((await browser.open('/core/auth/captcha/refresh/', undefined, headers)).status)
    expect([answers[0], answers[60]]).toEqual([200, 429])
  })

  it('is drawn differently each time', () => {
    const [first, second] = [pictureOf('7+3='), pictureOf('7+3=')]
    expect(first.subarray(1, 4).toString()).toBe('PNG')
    expect([first.readUInt32BE(16), first.readUInt32BE(20)]).toEqual([pictureWidth, pictureHeight])
    expect(first.equals(second)).toBe(false)
  })
})

describe('what else the sign-in page may ask', () => {
  it('is a challenge that completes the password', async () => {
    await security({ SECURITY_LOGIN_CHALLENGE_ENABLED: true })
    const browser = new Browser('192.0.2.20')
    expect((await browser.see(login)).extra).toEqual({ kind: 'challenge' })
    const [head, tail] = [server.adminPassword.slice(0, 8), server.adminPassword.slice(8)]
    expect((await browser.see(login, admin(head))).errors).toBeDefined()
    expect((await browser.see(login, { ...admin(head), challenge: tail })).to).toMatch(/guard/)
    await security({ SECURITY_LOGIN_CHALLENGE_ENABLED: false })
    // Nobody asked for it: it is no part of the password.
    expect((await browser.see(login, { ...admin(head), challenge: tail })).errors).toBeDefined()
  })

  it('is the code of the second factor, which is checked together with the password', async () => {
    await security({ SECURITY_MFA_IN_LOGIN_PAGE: true, SECURITY_MFA_AUTH: 1 })
    const browser = new Browser('192.0.2.21')
    const { extra } = await browser.see(login)
    expect([extra?.kind, extra?.factors?.map(({ name }) => name)]).toEqual(['mfa', ['otp']])
    const wrong = await browser.see(login, { ...admin(), mfa_type: 'otp', code: '000000' })
    expect(Object.keys(wrong.errors ?? {})).toEqual(['code'])
    // Who has no code yet leaves it empty, and is led to the page that binds one.
    expect((await browser.see(login, admin())).to).toMatch(/guard/)
    expect((await browser.see('/core/auth/login/guard/')).to).toMatch(/\/core\/auth\/login\/mfa\//)
    await security({ SECURITY_MFA_IN_LOGIN_PAGE: false, SECURITY_MFA_AUTH: 0 })
  })
})
