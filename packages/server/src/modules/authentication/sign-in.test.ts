import { execFile } from 'node:child_process'
import { createCipheriv } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newKeyPair } from '@castellan/testing/key-pair'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateRow } from '../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { user } from '../users/index.ts'
import { newOtpSecret } from './otp.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const setting = (values: Record<string, boolean>) =>
  server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_login_limit', values)

/** The response to a sign-in by the API. */
async function attempt(body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/api/v1/authentication/auth/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { error?: string }).error ?? answer.status
}

/** The header by which a component vouches for a public key. */
async function vouching(): Promise<Record<string, string>> {
  const answer = await fetch(`${server.url}/api/v1/terminal/terminal-registrations/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `BootstrapToken ${server.bootstrapToken}` },
    body: JSON.stringify({ name: 'ssh-front', type: 'koko' }),
  })
  const { service_account } = (await answer.json()) as {
    service_account: { access_key: { id: string; secret: string } }
  }
  const { id, secret } = service_account.access_key
  const key = Buffer.alloc(32)
  key.write(secret.slice(0, 32))
  const timestamp = Buffer.alloc(16)
  timestamp.write(String(Math.floor(Date.now() / 1000)))
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const proof = Buffer.concat([cipher.update(timestamp), cipher.final()]).toString('base64')
  return { 'x-jms-svc': `Sign ${id}:${proof}` }
}

describe('settings about who may sign in', () => {
  it('reveal an unknown username only where the setting says so, and count it as a failure', async () => {
    const unknown = { username: 'nobody', password: 'x' }
    expect(await attempt(unknown)).toBe('password_failed')
    await setting({ ONLY_ALLOW_EXIST_USER_AUTH: true })
    const answers = []
    for (let tries = 0; tries < 7; tries += 1) answers.push(await attempt(unknown))
    expect(answers).toEqual([...Array(6).fill('user_not_exist'), 'block_login'])
    expect(await attempt({ username: 'admin', password: 'x' })).toBe('password_failed')
    expect(await attempt({ username: 'admin', password: server.adminPassword })).toBe(201)
    await setting({ ONLY_ALLOW_EXIST_USER_AUTH: false })
  })

  it('keep the public keys of people from elsewhere out when only their own source may let them in', async () => {
    const key = newKeyPair().public
    for (const source of ['local', 'ldap'])
      await server.admin.collection('users/users').create({
        name: source,
        username: `from-${source}`,
        email: `${source}@example.com`,
        source,
        public_key: key,
      })
    const headers = await vouching()
    const byKey = (source: string) => attempt({ username: `from-${source}`, public_key: key }, headers)
    expect([await byKey('local'), await byKey('ldap')]).toEqual([201, 201])
    await setting({ ONLY_ALLOW_AUTH_FROM_SOURCE: true })
    expect([await byKey('local'), await byKey('ldap')]).toEqual([201, 'password_failed'])
    await setting({ ONLY_ALLOW_AUTH_FROM_SOURCE: false })
  })

  it('accept a code with the password only where both are asked for at once', async () => {
    const security = (values: object) =>
      server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_auth', values)
    const { id } = await server.admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
    const secret = newOtpSecret()
    await server.context().transaction((ctx) => updateRow(ctx, user, id, { otp_secret: secret }))
    const both = () =>
      attempt({
        username: 'admin',
        password: server.adminPassword,
        mfa_type: 'otp',
        code: generateSync({ secret }),
      })
    await security({ SECURITY_MFA_AUTH: 1 })
    expect(await both()).toBe('mfa_required')
    await security({ SECURITY_MFA_AUTH: 1, SECURITY_MFA_IN_LOGIN_PAGE: true })
    expect(await attempt({ username: 'admin', password: server.adminPassword })).toBe('mfa_required')
    const wrong = { username: 'admin', password: server.adminPassword, mfa_type: 'otp', code: '000000' }
    expect(await attempt(wrong)).toBe('mfa_failed')
    expect(await both()).toBe(201)
    expect(await both()).toBe('mfa_failed')
    await security({ SECURITY_MFA_AUTH: 0, SECURITY_MFA_IN_LOGIN_PAGE: false })
  })
})

describe('resetting access on the command line', () => {
  const reset = async (...words: string[]) => {
    const { databaseUrl } = server.application.services.config
    const env = { ...process.env, CASTELLAN_DATA_DIR: server.dataDir, DATABASE_URL: databaseUrl ?? '' }
    const program = join(import.meta.dirname, '../../reset-password.ts')
    const ran = promisify(execFile)(process.execPath, [program, ...words], { env })
    const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => error)
    return `${stdout}${stderr}`
  }
  const passwordIn = (said: string) => /is now {2}(\S+)/.exec(said)?.[1]

  it('restores the sign-in of a user while the server runs', async () => {
    const username = 'locked-out'
    const { id } = await server.admin.collection('users/users').create({
      name: 'Locked Out',
      username,
      email: 'locked-out@example.com',
      password_strategy: 'custom',
      password: 'Forgotten-1-password',
    })
    const otp_secret = newOtpSecret()
    await server.context().transaction((ctx) => updateRow(ctx, user, id, { otp_secret, is_active: false }))
    for (let tries = 0; tries < 7; tries += 1) await attempt({ username, password: 'x' })
    expect(await attempt({ username, password: 'Forgotten-1-password' })).toBe('block_login')

    const first = await reset(username)
    expect(first).toContain('--mfa takes the second factor away')
    expect(first).toContain('--activate enables it')
    expect(await attempt({ username, password: passwordIn(first) })).toBe('user_inactive')
    const second = await reset(username, '--mfa', '--activate')
    expect(second).not.toContain('--')
    expect(await attempt({ username, password: passwordIn(first) })).toBe('password_failed')
    expect(await attempt({ username, password: passwordIn(second) })).toBe('password_need_update')
    const changes = await server.admin.request('GET', '/api/v1/audits/password-change-logs/?search=Locked')
    expect(changes).toContainEqual(expect.objectContaining({ change_by: 'System' }))
  })

  it('rejects unknown usernames, components, and a folder that is not a data folder', async () => {
    expect(await reset('nobody-at-all')).toContain('No user has the username "nobody-at-all".')
    expect(await reset()).toContain('npm run reset-password -- <username>')
    const [component] = await server
      .context()
      .rawDb.selectFrom('users_user')
      .select('username')
      .where('is_service_account', '=', true)
      .execute()
    expect(await reset(component?.username)).toContain('is a component')
  })
})
