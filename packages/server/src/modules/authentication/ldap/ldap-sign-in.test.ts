import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { describeWith } from '@castellan/testing/parts'
import { type Directory, directoryGroup, directoryUser, startDirectory } from '@castellan/testing/slapd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

const disabled = { employeeType: 'inactive' }

describeWith(['slapd', 'openssl'], 'a sign-in by the directory', () => {
  let server: TestServer
  let directory: Directory
  beforeAll(async () => {
    directory = await startDirectory([
      directoryUser('ada'),
      directoryUser('zoe'),
      directoryUser('z(o)e', { mail: 'z.o.e@directory.example' }),
      directoryUser('grace', { mail: 'admin@example.com' }),
      directoryUser('gone', disabled),
      directoryUser('local-name'),
      directoryUser('twice'),
      { ...directoryUser('twice'), rdn: 'cn=twice,ou=people' },
      directoryUser('known'),
      directoryUser('limited'),
      directoryGroup('ops', ['uid=ada,ou=people']),
    ])
    server = await startServer()
    await settings('ldap', {
      ...directory.settings,
      AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'sn', email: 'mail', is_active: 'employeeType' },
    })
  })
  afterAll(async () => {
    await server?.close()
    await directory?.[Symbol.asyncDispose]()
  })

  const settings = (category: string, values: object) => server.changeSettings(category, values)
  const signIn = async (username: string, password: string) => {
    const answer = await fetch(`${server.url}/api/v1/authentication/auth/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
    const body = (await answer.json()) as { error?: string; user?: StoredRow }
    return answer.status === 201 ? 'in' : String(body.error)
  }
  const found = async (username: string) =>
    (await server.admin.request<StoredRow[]>('GET', `/api/v1/users/users/?username=${encodeURIComponent(username)}`))[0]

  it('creates the user, who keeps the directory as source', async () => {
    expect(await signIn('ada', 'directory-ada')).toBe('in')
    expect(await found('ada')).toMatchObject({
      name: 'ada of the directory',
      email: 'ada@directory.example',
      source: { value: 'ldap' },
    })
    expect(await signIn('ada', 'wrong')).toBe('password_failed')
    expect(await signIn('ADA', 'directory-ada')).toBe('in')
    expect(await signIn('ada@directory.example', 'directory-ada')).toBe('in')
  })

  it('confirms its users by the password that it has', async () => {
    const client = await server.as((await found('ada'))?.id as string)
    const confirm = (secret_key: string) =>
      client.request('POST', '/api/v1/authentication/confirm/', { confirm_type: 'password', secret_key })
    await expect(confirm('wrong')).rejects.toMatchObject({ status: 400 })
    await expect(confirm('')).rejects.toMatchObject({ status: 400 })
    expect(await confirm('directory-ada')).toBe('ok')
  })

  it('takes the characters of a pattern of replacement as they are', async () => {
    for (const name of ['$&', '$`', "$'"]) expect(await signIn(name, 'directory-ada')).toBe('password_failed')
  })

  it.each([
    ['no password, which directories accept without checking', 'ada', ''],
    ['a pattern instead of a name', 'a*', 'directory-ada'],
    ['a filter in the name', 'x)(uid=ada', 'directory-ada'],
    ['an alternative in the name', 'nobody)(|(uid=*', 'directory-ada'],
    ['a distinguished name', 'uid=ada,ou=people,dc=example,dc=com', 'directory-ada'],
    ['a name of two entries', 'twice', 'directory-twice'],
    ['a disabled entry', 'gone', 'directory-gone'],
    ['another spelling that the directory takes for the name', 'ａda', 'directory-ada'],
    ['the service account', 'service', 'Service-1'],
    ['NUL in the name', 'ada\u0000', 'directory-ada'],
  ])('rejects %s', async (_what, username, password) => {
    expect(await signIn(username, password)).not.toBe('in')
  })

  it('takes special characters of a name as they are', async () => {
    expect(await signIn('zoe', 'directory-zoe*')).not.toBe('in')
    expect(await signIn('z(o)e', 'directory-z(o)e')).toBe('in')
  })

  it('never takes over a local user, neither by name nor by address', async () => {
    await server.admin.collection('users/users').create({
      name: 'Local',
      username: 'local-name',
      email: 'local@example.com',
      password_strategy: 'custom',
      password: 'Own-1-password',
    })
    expect(await signIn('local-name', 'directory-local-name')).not.toBe('in')
    expect(await found('local-name')).toMatchObject({ name: 'Local', source: { value: 'local' } })
    const admin = await found('admin')
    expect(await signIn('grace', 'directory-grace')).toBe('in')
    expect((await found('grace'))?.email).not.toBe('admin@example.com')
    expect(await found('admin')).toMatchObject({ email: admin?.email, source: { value: 'local' } })
  })

  it('is sent the passwords of its own names, and none of a local user', async () => {
    const sent: string[] = []
    const { port } = new URL(directory.url)
    const tap = createServer((socket) => {
      const behind = connect(Number(port), '127.0.0.1')
      socket.on('data', (part) => sent.push(part.toString('latin1')))
      pipeline(socket, behind, socket, () => undefined)
    })
    await new Promise<void>((listening) => tap.listen(0, '127.0.0.1', listening))
    const tapped = `ldap://127.0.0.1:${(tap.address() as AddressInfo).port}`
    await settings('ldap', { AUTH_LDAP_SERVER_URI: tapped, AUTH_LDAP_BIND_PASSWORD: 'Service-1' })
    expect(await signIn('local-name', 'typed-by-local')).toBe('password_failed')
    expect(await signIn('zoe', 'typed-by-zoe')).toBe('password_failed')
    expect(sent.join('')).toContain('typed-by-zoe')
    expect(sent.join('')).not.toContain('typed-by-local')
    await settings('ldap', { AUTH_LDAP_SERVER_URI: directory.url, AUTH_LDAP_BIND_PASSWORD: 'Service-1' })
    tap.close()
  })

  it('creates nobody where only existing users may sign in', async () => {
    await settings('security_login_limit', { ONLY_ALLOW_EXIST_USER_AUTH: true })
    expect(await signIn('known', 'directory-known')).toBe('user_not_exist')
    await settings('security_login_limit', { ONLY_ALLOW_EXIST_USER_AUTH: false })
    expect(await found('known')).toBeUndefined()
    expect(await signIn('known', 'directory-known')).toBe('in')
  })

  it('is limited and asks for the second factor like any other', async () => {
    expect(await signIn('limited', 'directory-limited')).toBe('in')
    const user = await found('limited')
    await server.admin.request('PATCH', `/api/v1/users/users/${user?.id}/`, { mfa_level: 2 })
    expect(await signIn('limited', 'directory-limited')).toBe('mfa_required')
    for (let tries = 0; tries < 7; tries += 1) await signIn('limited', 'wrong')
    expect(await signIn('limited', 'directory-limited')).toBe('block_login')
  })

  it('leaves local users alone while the directory is away', async () => {
    await settings('ldap', { AUTH_LDAP_SERVER_URI: 'ldap://127.0.0.1:1', AUTH_LDAP_BIND_PASSWORD: 'Service-1' })
    expect(await signIn('ada', 'directory-ada')).toBe('password_failed')
    expect(await signIn('local-name', 'Own-1-password')).not.toBe('password_failed')
    await settings('ldap', { AUTH_LDAP_SERVER_URI: directory.url, AUTH_LDAP_BIND_PASSWORD: 'Service-1' })
    expect(await signIn('ada', 'directory-ada')).toBe('in')
  })
})
