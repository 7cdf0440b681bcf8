import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { roleIds } from '@castellan/contract/ids'
import { describeWith } from '@castellan/testing/parts'
import { startVault, type VaultServer } from '@castellan/testing/vault-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../kernel/module/context.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { marker } from './vault-entries.ts'

let server: TestServer
let vault: VaultServer
/** Answers what a test says, and remembers what it was sent. */
let stranger: Server
const sentToStranger: string[] = []
let strangerSays: (answer: ServerResponse) => void = (answer) => answer.end('<html>')

const settings = '/api/v1/settings/setting/?category=vault'
const save = (body: object) => server.admin.request('PATCH', settings, body)

const start = async () => {
  vault = await startVault()
  server = await startServer({ worker: true })
  stranger = createServer((request, answer) => {
    sentToStranger.push(JSON.stringify(request.headers))
    strangerSays(answer)
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
}
const strangerUrl = () => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`

let count = 0
const make = async (path: string, body: object) =>
  (await server.admin.request<{ id: string }>('POST', path, { name: `made-${count++}`, ...body })).id
const host = () => make('/api/v1/assets/hosts/', { address: '127.0.0.9', platform: 1 })
const account = async (secret: string, asset?: string) =>
  make('/api/v1/accounts/accounts/', {
    asset: asset ?? (await host()),
    username: `user${count}`,
    secret_type: 'password',
    secret,
  })
const setSecret = (id: string, secret: string) =>
  server.admin.request('PATCH', `/api/v1/accounts/accounts/${id}/`, { name: `kept-${id}`, secret })

const rows = (table: string) => server.application.services.database.reader.selectFrom(table).selectAll()
const column = async (table: string, id: string) =>
  (await rows(table).where('id', '=', id).executeTakeFirstOrThrow()).secret as string | null
/** The secret that a user with the permission reads. Confirmations are switched off. */
const secretOf = async (id: string) =>
  (await server.admin.request<{ secret: string }>('GET', `/api/v1/accounts/account-secrets/${id}/`)).secret
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: { status: number; body: Record<string, unknown> }) => ({ status: error.status, ...error.body }),
  )
async function sync(): Promise<{ state: string; log: string }> {
  const { task } = await server.admin.request<{ task: string }>('POST', '/api/v1/settings/vault/sync/')
  const job = async () => (await rows('kernel_job').where('id', '=', task).executeTakeFirstOrThrow()).state as string
  await expect.poll(job, { timeout: 20_000, interval: 50 }).toMatch(/SUCCESS|FAILURE|LOST/)
  const log = await rows('kernel_job_log').where('job_id', '=', task).execute()
  return { state: await job(), log: JSON.stringify(log) }
}
const paths = async (): Promise<string[]> =>
  (await rows('accounts_vaultentry').execute()).map(({ path }) => String(path)).sort()
const keep = (body: object) => vault.call('POST', 'sys/policies/acl/castellan', body)

describeWith('vault', 'an external vault', () => {
  beforeAll(async () => {
    await start()
    const { services } = server.application
    await systemContext(services).transaction(({ rawDb }) =>
      services.settings.store(rawDb, services.events, { SECURITY_VIEW_AUTH_NEED_MFA: false }),
    )
    await services.settings.load()
  })
  afterAll(async () => {
    await server?.close()
    await vault?.stop()
    stranger?.close()
  })

  it('takes the secrets of accounts, templates and histories, and gives every one of them back', async () => {
    const id = await account('first secret')
    await setSecret(id, 'second secret')
    const template = await make('/api/v1/accounts/account-templates/', { username: 'root', secret: 'of a template' })
    expect(await sync(), 'without a vault').toMatchObject({ state: 'SUCCESS' })
    expect(await secretOf(id)).toBe('second secret')
    await save({ VAULT_ENABLED: true, VAULT_HCP_HOST: vault.url, VAULT_HCP_TOKEN: vault.token })
    const { state, log } = await sync()
    expect({ state, log }).toMatchObject({ state: 'SUCCESS' })
    expect(log).not.toContain('second secret')
    expect(await column('accounts_account', id)).toBe(marker)
    expect(await column('accounts_accounttemplate', template)).toBe(marker)
    const known = await paths()
    const own = known.find((path) => path.endsWith(`/accounts/${id}`)) ?? ''
    expect(own).toMatch(/^orgs\/[\w-]{36}\/assets\/[\w-]{36}\/accounts\/[\w-]{36}$/)
    expect(known.filter((path) => path.startsWith(`${own}/histories/`))).toHaveLength(2)
    const stored = await vault.call<{ data: { data: { secret: string } } }>('GET', `castellan/data/${own}`)
    expect(stored.data.data.secret, 'the vault gets ciphertext').not.toContain('second secret')
    const facts = await vault.call<{ data: { custom_metadata: object } }>('GET', `castellan/metadata/${own}`)
    expect(facts.data.custom_metadata).toMatchObject({ secret_type: 'password', username: expect.any(String) })

    expect(await secretOf(id)).toBe('second secret')
    const histories = `/api/v1/accounts/account-secrets/${id}/histories/`
    expect(await server.admin.request('GET', histories)).toMatchObject([{ secret: 'first secret' }])
    const of = await server.admin.request('GET', `/api/v1/accounts/account-template-secrets/${template}/`)
    expect(of).toMatchObject({ secret: 'of a template' })
    await setSecret(id, 'second secret')
    expect(await column('accounts_account', id), 'the same secret again is no change').toBe(marker)

    const list = await server.admin.request<unknown[]>('GET', '/api/v1/accounts/account-secrets/')
    expect(JSON.stringify(list)).toContain('second secret')
    await save({ VAULT_ENABLED: false })
    expect(await secretOf(id), 'until it is moved back').toBe('second secret')
    expect((await sync()).state).toBe('SUCCESS')
    expect(await column('accounts_account', id)).toMatch(/^s2\./)
    expect(await secretOf(id)).toBe('second secret')
    expect(await server.admin.request('GET', histories)).toMatchObject([{ secret: 'first secret' }])
    expect(await paths()).toEqual([])
    expect(await failure(vault.call('GET', `castellan/data/${own}`))).toMatchObject({ status: 404 })
    await save({ VAULT_ENABLED: true })
  })

  it('gets new secrets by itself, and loses those of deleted and cleared accounts', async () => {
    const asset = await host()
    const [one, two] = [await account('to be deleted', asset), await account('to be cleared', asset)]
    await expect.poll(() => column('accounts_account', two), { timeout: 20_000, interval: 50 }).toBe(marker)
    await server.admin.request('PATCH', '/api/v1/accounts/accounts/clear-secret/', { account_ids: [two] })
    await server.admin.request('DELETE', `/api/v1/accounts/accounts/${one}/`)
    expect((await sync()).state).toBe('SUCCESS')
    const left = (await paths()).filter((path) => path.endsWith(one) || path.endsWith(two))
    expect(left).toEqual([])
    const listed = await vault.call<{ data: { keys: string[] } }>('LIST', `castellan/metadata/orgs`)
    expect(listed.data.keys.length).toBeGreaterThan(0)
  })

  it('that is sealed, away or wrong is a clear 503, and no secret is lost or read from elsewhere', async () => {
    const id = await account('kept while sealed')
    await expect.poll(() => column('accounts_account', id), { timeout: 20_000, interval: 50 }).toBe(marker)
    await vault.seal()
    expect(await failure(secretOf(id))).toMatchObject({
      status: 503,
      code: 'vault_unavailable',
      detail: expect.stringContaining('sealed'),
    })
    const meanwhile = await account('made while sealed')
    expect(await secretOf(meanwhile), 'it waits sealed in the database').toBe('made while sealed')
    expect((await sync()).state).toBe('FAILURE')
    expect(await server.admin.request('GET', '/api/v1/accounts/accounts/'), 'lists read no secrets').toBeTruthy()
    await vault.unseal()
    expect((await sync()).state).toBe('SUCCESS')
    expect(await column('accounts_account', meanwhile)).toBe(marker)
    expect([await secretOf(id), await secretOf(meanwhile)]).toEqual(['kept while sealed', 'made while sealed'])

    const token = { VAULT_HCP_TOKEN: 'token-of-a-stranger' }
    for (const [says, text] of [
      [(answer: ServerResponse) => answer.end('<html>'), 'not a vault'],
      [(answer: ServerResponse) => answer.end('{"data":{"data":{}}}'), 'not a vault'],
      [(answer: ServerResponse) => answer.writeHead(302, { location: vault.url }).end(), '302'],
      [(answer: ServerResponse) => answer.end('x'.repeat(2_000_000)), 'endless'],
      [(answer: ServerResponse) => answer.destroy(), 'cannot be reached'],
    ] as const) {
      strangerSays = says
      await save({ VAULT_HCP_HOST: strangerUrl(), ...token })
      expect(await failure(secretOf(id))).toMatchObject({ status: 503, detail: expect.stringContaining(text) })
    }
    await save({ VAULT_HCP_HOST: vault.url, VAULT_HCP_TOKEN: vault.token })
    expect(await secretOf(id)).toBe('kept while sealed')
    expect(await column('accounts_account', id)).toBe(marker)
  })

  it('cannot exchange the secrets of two accounts', async () => {
    const [mine, yours] = [await account('mine'), await account('yours')]
    expect((await sync()).state).toBe('SUCCESS')
    const known = await paths()
    const [a, b] = [mine, yours].map((id) => known.find((path) => path.endsWith(`/accounts/${id}`)) ?? '') as [
      string,
      string,
    ]
    const stored = await vault.call<{ data: { data: { secret: string } } }>('GET', `castellan/data/${a}`)
    await vault.call('POST', `castellan/data/${b}`, { data: stored.data.data })
    expect(await failure(secretOf(yours))).toMatchObject({
      status: 503,
      detail: expect.stringContaining('not written'),
    })
    expect(await secretOf(mine)).toBe('mine')
    await setSecret(yours, 'entered again')
    expect(await secretOf(yours)).toBe('entered again')
    expect((await sync()).state).toBe('SUCCESS')
    expect(await secretOf(yours)).toBe('entered again')
  })

  it('does not get its token anywhere else', async () => {
    sentToStranger.length = 0
    strangerSays = (answer) => answer.end('{}')
    const elsewhere = { VAULT_HCP_HOST: strangerUrl() }
    expect(await failure(save(elsewhere))).toMatchObject({ status: 400, VAULT_HCP_TOKEN: expect.anything() })
    expect(
      await failure(server.admin.request('PATCH', '/api/v1/settings/setting/?category=all', elsewhere)),
    ).toMatchObject({ status: 400, VAULT_HCP_TOKEN: expect.anything() })
    const test = (body: object) => failure(server.admin.request('POST', '/api/v1/settings/vault/testing/', body))
    expect(await test(elsewhere)).toMatchObject({ status: 400, msg: expect.stringContaining('again') })
    expect(sentToStranger).toEqual([])
    expect(await test({ ...elsewhere, VAULT_HCP_TOKEN: 'another' })).toMatchObject({ status: 400 })
    expect(sentToStranger.join()).not.toContain(vault.token)
    expect(await test({})).toBeUndefined()
    expect(await test({ VAULT_HCP_TOKEN: 'wrong' })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('refused'),
    })
    const shown = await server.admin.request('GET', settings)
    expect(JSON.stringify(shown)).not.toContain(vault.token)
    for (const VAULT_HCP_HOST of ['file:///etc/passwd', 'http://a@b', 'http://a/b', 'x'])
      expect(await failure(save({ VAULT_HCP_HOST, VAULT_HCP_TOKEN: 'x' }))).toMatchObject({ status: 400 })
    for (const VAULT_HCP_MOUNT_POINT of ['../sys', 'a/../b', 'a?b', '/a'])
      expect(await failure(save({ VAULT_HCP_MOUNT_POINT }))).toMatchObject({ status: 400 })
    const user = await server.as(await server.person('nobody', { system: [roleIds.user], org: [roleIds.orgAdmin] }))
    for (const path of ['testing', 'sync'])
      expect(await failure(user.request('POST', `/api/v1/settings/vault/${path}/`, {}))).toMatchObject({ status: 403 })
  })

  it('refuses what no request can carry, and is a clear 503 where it was set otherwise', async () => {
    const reached = { VAULT_HCP_HOST: vault.url, VAULT_HCP_TOKEN: vault.token, VAULT_HCP_CA_CERT: '' }
    await save({ VAULT_ENABLED: true, ...reached })
    const id = await account('kept with wrong settings')
    await expect.poll(() => column('accounts_account', id), { timeout: 20_000, interval: 50 }).toBe(marker)
    const test = (body: object) => failure(server.admin.request('POST', '/api/v1/settings/vault/testing/', body))
    for (const wrong of [
      { VAULT_HCP_NAMESPACE: 'a\r\nx-vault-token: b' },
      { VAULT_HCP_NAMESPACE: '命名空间' },
      { VAULT_HCP_TOKEN: '密码' },
      { VAULT_HCP_TOKEN: 'a\nb' },
      { VAULT_HCP_HOST: 'https://127.0.0.1:1', VAULT_HCP_CA_CERT: 'no certificate' },
      {
        VAULT_HCP_HOST: 'https://127.0.0.1:1',
        VAULT_HCP_CA_CERT: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      },
    ]) {
      const refused = await test({ ...reached, ...wrong })
      expect([wrong, refused?.status]).toEqual([wrong, 400])
      const kept = await failure(save({ ...reached, ...wrong }))
      expect([wrong, kept === undefined || kept.status === 400]).toEqual([wrong, true])
      if (kept === undefined) expect([wrong, (await failure(secretOf(id)))?.status]).toEqual([wrong, 503])
      await save({ ...reached, VAULT_HCP_NAMESPACE: '' })
    }
    expect(await secretOf(id)).toBe('kept with wrong settings')
  })

  it('lets an application sign in, whose token ends', async () => {
    const id = await account('by an application')
    await vault.call('POST', 'sys/auth/approle', { type: 'approle' })
    await keep({ policy: 'path "castellan/*" { capabilities = ["create", "read", "update", "delete", "list"] }' })
    await vault.call('POST', 'auth/approle/role/castellan', { token_policies: 'castellan', token_num_uses: 6 })
    const role = await vault.call<{ data: { role_id: string } }>('GET', 'auth/approle/role/castellan/role-id')
    const made = await vault.call<{ data: { secret_id: string } }>('POST', 'auth/approle/role/castellan/secret-id', {})
    await save({ VAULT_HCP_ROLE_ID: role.data.role_id, VAULT_HCP_SECRET_ID: made.data.secret_id })
    expect((await sync()).state).toBe('SUCCESS')
    for (let turn = 0; turn < 8; turn++) expect(await secretOf(id)).toBe('by an application')
    await save({ VAULT_HCP_ROLE_ID: '' })
  })

  it('loses nothing when a move ends between any two of its steps', async () => {
    const { services } = server.application
    const id = await account('never lost')
    const before = (await column('accounts_account', id)) ?? ''
    expect((await sync()).state).toBe('SUCCESS')
    // The vault has it, and the marker was not stored.
    const { database } = services
    const put = (secret: string) =>
      database.transaction((db) => db.updateTable('accounts_account').set({ secret }).where('id', '=', id).execute())
    await put(before)
    expect(await secretOf(id)).toBe('never lost')
    expect((await sync()).state).toBe('SUCCESS')
    expect(await column('accounts_account', id)).toBe(marker)
    // Moved back, and the vault's copy was not removed.
    await save({ VAULT_ENABLED: false })
    await put(before)
    expect((await sync()).state).toBe('SUCCESS')
    expect(await secretOf(id)).toBe('never lost')
    expect(await paths()).toEqual([])
  })
})
