import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { ApiError, Client } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getById } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { account } from './account.ts'
import { earlierSecrets } from './history.ts'
import { randomPassword } from './secret-rules.ts'
import { readPrivateKey } from './ssh-key.ts'

let server: TestServer
let assetId: string
beforeAll(async () => {
  server = await startServer({ worker: true })
  assetId = (await server.admin.collection('assets/hosts').create({ name: 'h', address: '127.0.0.1', platform: 1 })).id
})
afterAll(() => server.close())

const accounts = () => server.admin.collection('accounts/accounts')
const failed = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ status, body }: ApiError) => ({ status, body }),
  )

it('a virtual account that is deleted begins anew, so that every organization keeps all of them', async () => {
  const virtual = server.admin.collection('accounts/virtual-accounts')
  const user = () => server.admin.request<{ id: string }>('GET', '/api/v1/accounts/virtual-accounts/@USER/')
  const before = await user()
  await virtual.change(before.id, { secret_from_login: true })
  await virtual.delete(before.id)
  expect(await user()).toMatchObject({ alias: '@USER', secret_from_login: null })
  expect((await virtual.all()).map(({ alias }) => alias)).toEqual(['@USER', '@INPUT', '@ANON'])
})

describe('accounts', () => {
  it('never return their secret, and retain it when an empty one is sent', async () => {
    const made = await accounts().create({ asset: assetId, username: 'quiet', secret: 'S3cret!' })
    expect(JSON.stringify(await accounts().get(made.id))).not.toContain('S3cret!')
    await accounts().change(made.id, { name: 'quiet', secret: '' })
    expect(await accounts().get(made.id)).toMatchObject({ has_secret: true, version: 1 })
  })

  it('count their secrets: the first two are version 1, and an unchanged one is not counted', async () => {
    const made = await accounts().create({ asset: assetId, username: 'counted', secret: 'first' })
    const version = async (body: object) => (await accounts().change(made.id, { name: 'counted', ...body })).version
    expect(made.version).toBe(1)
    expect(await version({ secret: 'second' })).toBe(1)
    expect(await version({ secret: 'second' })).toBe(1)
    expect(await version({ comment: 'no other secret', version: 9 })).toBe(1)
    expect(await version({ secret: 'third' })).toBe(2)
    expect(await version({ secret_type: 'token', secret: 'third' })).toBe(3)
    await server.admin.request('PATCH', '/api/v1/accounts/accounts/clear-secret/', { account_ids: [made.id] })
    expect((await accounts().get(made.id)).version).toBe(4)
    const row = await getById(server.context(defaultOrgId), account, made.id)
    expect(
      (await earlierSecrets(server.context(defaultOrgId), row)).map(({ secret, version }) => [secret, version]),
    ).toEqual([
      ['third', 3],
      ['third', 2],
      ['second', 1],
      ['first', 1],
    ])
  })

  it('show their usernames only to callers who may list or grant them, in any organization', async () => {
    await accounts().create({ asset: assetId, username: 'whispered' })
    const path = '/api/v1/accounts/accounts/username-suggestions/'
    const ask = (client: Client) => client.request<string[]>('POST', path, { username: 'whispered' })
    expect(await ask(server.admin)).toEqual(['whispered'])
    const listener = await server.as(
      await server.person('listener', { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    expect(await ask(listener)).toEqual([])
    expect(await ask(listener.in('root'))).toEqual([])
  })

  it('show a secret only after a second factor', async () => {
    const made = await accounts().create({ asset: assetId, username: 'shown', secret: 'S3cret!' })
    const path = `/api/v1/accounts/account-secrets/${made.id}/`
    for (const address of [path, '/api/v1/accounts/account-secrets/', `${path}histories/`])
      expect(await failed(server.admin.request('GET', address))).toMatchObject({ status: 412 })
    // Methods that are not there tell it too, so that nobody learns more by asking for them.
    expect(await failed(server.admin.request('POST', '/api/v1/accounts/account-secrets/', {}))).toMatchObject({
      status: 412,
    })
  })

  it('return the current and the earlier secrets, and log every read', async () => {
    const made = await accounts().create({ asset: assetId, username: 'opened', secret: 'first' })
    await accounts().change(made.id, { name: 'opened', secret: 'second' })
    const reader = { id: randomUUID(), name: 'Reader', username: 'reader' }
    const flags = { isActive: true, isExpired: false, isServiceAccount: false, isSuperuser: true }
    const ctx = server.context(defaultOrgId).actingFor({ ...reader, ...flags })
    const row = await getById(ctx, account, made.id)
    const shown = await serializeOne(ctx, findResource('accounts/account-secrets'), row)
    expect(shown.secret).toBe('second')
    expect((await earlierSecrets(ctx, row)).map(({ secret }) => secret)).toEqual(['first'])
    const { services } = server.application
    const asksAgain = async (SECURITY_VIEW_AUTH_NEED_MFA: boolean) => {
      await server
        .context()
        .transaction(({ rawDb }) => services.settings.store(rawDb, services.events, { SECURITY_VIEW_AUTH_NEED_MFA }))
      await services.settings.load()
    }
    await asksAgain(false)
    const earlier = `/api/v1/accounts/account-secrets/${made.id}/histories/`
    const old = { secret: 'first', version: 1 }
    expect(await server.admin.request('GET', earlier)).toMatchObject([old])
    expect(await server.admin.request('GET', `${earlier}?limit=1`)).toMatchObject({ count: 1, results: [old] })
    expect(await server.admin.request('GET', `${earlier}?spm=${randomUUID()}`)).toEqual([])
    await asksAgain(true)
    const log = await server.admin.collection('audits/operate-logs').all({ search: 'opened' })
    expect(log.map(({ action }) => (action as { value: string }).value)).toContain('view')
  })

  it('reject a duplicate of username and type, an invalid key, and template syntax in a password', async () => {
    await accounts().create({ asset: assetId, username: 'once', secret: 'a' })
    for (const body of [
      { username: 'once' },
      { username: 'key', secret_type: 'ssh_key', secret: 'no key' },
      { username: 'tpl', secret: 'a{{b' },
    ])
      expect(await failed(accounts().create({ asset: assetId, ...body }))).toMatchObject({
        status: 400,
        body: [expect.any(String)],
      })
    const host = await failed(
      server.admin.collection('assets/hosts').create({
        name: 'two accounts',
        address: '192.0.2.9',
        platform: 1,
        protocols: [{ name: 'ssh', port: 22 }],
        accounts: [
          { username: 'fine', secret: 'a' },
          { username: 'odd', secret_type: 'ssh_key', secret: 'no key' },
        ],
      }),
    )
    expect(host).toMatchObject({ status: 400, body: [expect.stringContaining('“odd”')] })
  })

  it('are created from templates, with a secret of their own when the template generates it', async () => {
    const template = await server.admin.collection('accounts/account-templates').create({
      name: 'tpl',
      username: 'from-template',
      secret_strategy: 'random',
    })
    const made = await accounts().create({ asset: assetId, template: template.id })
    expect(await accounts().get(made.id)).toMatchObject({
      username: 'from-template',
      source: { value: 'template' },
      source_id: template.id,
      has_secret: true,
    })
  })
})

describe('a single account', () => {
  it('can be updated by one field, with PUT and PATCH, and retains its name and username', async () => {
    const accounts = server.admin.collection('accounts/accounts')
    const body = { name: 'named', username: 'patched', secret: 'kept', asset: assetId, comment: 'before' }
    const { id } = await accounts.create(body)
    const path = `/api/v1/accounts/accounts/${id}/`
    const kept = { name: 'named', username: 'patched' }
    for (const change of [{ comment: 'x' }, { is_active: false }, { privileged: true }, { secret: 'other' }, {}]) {
      const { secret: _secret, ...shown } = change as { secret?: string }
      expect(await server.admin.request('PATCH', path, change)).toMatchObject({ ...kept, ...shown })
    }
    for (const name of [null, undefined, ''])
      expect([name, await server.admin.request('PATCH', path, { name, comment: 'y' })]).toMatchObject([name, kept])
    expect(await server.admin.request('PATCH', '/api/v1/accounts/accounts/', [{ id, comment: 'z' }])).toMatchObject([
      { ...kept, comment: 'z' },
    ])
    expect(await server.admin.request('PUT', path, { ...body, name: undefined })).toMatchObject(kept)
    expect(await server.admin.request('GET', path)).toMatchObject({ ...kept, has_secret: true, version: 2 })
  })
})

describe('accounts of a template', () => {
  it('follow it on request, unless the asset already has such an account', async () => {
    const templates = server.admin.collection('accounts/account-templates')
    const template = await templates.create({ name: 'followed', username: 'early', secret: 'first' })
    const other = await server.admin
      .collection('assets/hosts')
      .create({ name: 'follows', address: '127.0.0.2', platform: 1, accounts: [{ username: 'late' }] })
    const made = await accounts().create({ asset: assetId, template: template.id })
    const kept = await accounts().create({ asset: other.id, template: template.id })
    await templates.change(template.id, { username: 'late', secret: 'second' })
    const path = `/api/v1/accounts/account-templates/${template.id}/sync-related-accounts/`
    expect(await server.admin.request('PATCH', path)).toEqual({ task: expect.any(String) })
    await expect
      .poll(() => accounts().get(made.id), { timeout: 10_000 })
      .toMatchObject({
        ...{ username: 'late', version: 2, source_id: template.id },
      })
    await expect
      .poll(() => accounts().get(kept.id), { timeout: 10_000 })
      .toMatchObject({
        ...{ username: 'early', version: 1, source_id: null },
      })
  })

  it('with rules for passwords of another type than text are refused', async () => {
    const templates = server.admin.collection('accounts/account-templates')
    const rules = (exclude_symbols: unknown) =>
      failed(
        templates.create({
          name: `without ${JSON.stringify(exclude_symbols)}`,
          username: 'app',
          secret_strategy: 'random',
          password_rules: { length: 20, exclude_symbols },
        }),
      )
    for (const wrong of [5, true, ['#'], {}])
      expect(await rules(wrong)).toEqual({
        status: 400,
        body: { password_rules: { exclude_symbols: [expect.any(String)] } },
      })
    expect(await rules('#')).toBeUndefined()
  })

  it('may be switched from those of other templates, but not in a circle', async () => {
    const templates = server.admin.collection('accounts/account-templates')
    const base = await templates.create({ name: 'base', username: 'base' })
    const above = await templates.create({ name: 'above', username: 'above', su_from: base.id })
    const path = '/api/v1/accounts/account-templates/su-from-account-templates/'
    const names = async (query: string) =>
      (await server.admin.request<{ name: string }[]>('GET', path + query)).map(({ name }) => name)
    expect(await names(`?template_id=${above.id}`)).toContain('base')
    for (const name of ['base', 'above']) expect(await names(`?template_id=${base.id}`)).not.toContain(name)
  })
})

describe('accounts with options for their creation', () => {
  it('with the policy `error` are rejected as a whole on a conflict', async () => {
    await accounts().create({ asset: assetId, username: 'taken' })
    expect(await failed(accounts().create({ asset: assetId, username: 'taken', on_invalid: 'error' }))).toEqual({
      status: 400,
      body: { non_field_errors: [expect.any(String)] },
    })
  })

  it('on assets that do not exist get an error for the asset', async () => {
    const bulk = (assets: unknown) =>
      failed(server.admin.request('POST', '/api/v1/accounts/accounts/bulk/', { assets, username: 'nowhere' }))
    for (const wrong of [[randomUUID()], ['none'], []])
      expect(await bulk(wrong)).toMatchObject({ status: 400, body: { assets: [expect.any(String)] } })
  })
})

describeWith('ssh-keygen', 'private keys', () => {
  it('are read in every form OpenSSH writes, decrypted, and kept so that OpenSSH reads them again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-keys-'))
    const keygen = (...args: string[]) => execFileSync('ssh-keygen', args, { encoding: 'utf8' })
    try {
      for (const [index, args] of [
        ['-t', 'ed25519', '-N', ''],
        ['-t', 'ed25519', '-N', 'pass phrase'],
        ['-t', 'rsa', '-b', '2048', '-N', 'pass phrase'],
        ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', 'pass phrase'],
        ['-t', 'ecdsa', '-b', '384', '-N', ''],
        ['-t', 'ecdsa', '-b', '521', '-m', 'PKCS8', '-N', 'pass phrase'],
      ].entries()) {
        const file = join(folder, `key${index}`)
        keygen('-q', '-f', file, ...args)
        const passphrase = args.at(-1) || undefined
        const key = readPrivateKey(readFileSync(file, 'utf8'), passphrase)
        expect(key?.fingerprint, args.join(' ')).toBe(keygen('-E', 'md5', '-lf', `${file}.pub`).split(' ')[1])
        const stored = join(folder, `stored${index}`)
        writeFileSync(stored, key?.pem ?? '', { mode: 0o600 })
        expect(keygen('-y', '-f', stored).trim().split(' ')[1]).toBe(readFileSync(`${file}.pub`, 'utf8').split(' ')[1])
        if (passphrase) expect(readPrivateKey(readFileSync(file, 'utf8'), 'wrong')).toBeUndefined()
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('random passwords', () => {
  it('have the configured length and character kinds, with symbols neither first nor last', () => {
    for (let round = 0; round < 200; round++) {
      const password = randomPassword({ length: 16 }) ?? ''
      expect(password).toHaveLength(16)
      for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/]) expect(password).toMatch(kind)
      expect(password).toMatch(/^[A-Za-z0-9].*[A-Za-z0-9]$/)
    }
    expect(randomPassword({ length: 3 })).toBeUndefined()
    expect(randomPassword({ lowercase: false, uppercase: false, digit: false })).toBeUndefined()
  })
})
