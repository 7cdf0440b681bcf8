import { createCipheriv, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inRoot, type ResourceTests, startResourceTests } from '../../testing/resources.ts'
import { fresh, marker, samples } from '../../testing/samples.ts'
import { Sealed, Vault } from './secrets.ts'

const key = randomBytes(32)
const vault = new Vault()
vault.addDataKey('k1', key)

describe('a sealed secret', () => {
  it('opens for the column it was sealed for, and no other', () => {
    const sealed = vault.seal('hush', 'accounts_account.secret')
    expect(vault.open(sealed)).toBe('hush')
    expect(() => vault.open(new Sealed(sealed.stored(), 'assets_asset.client_key'))).toThrow()
  })

  it('cannot be passed off as one of the old format, which is not bound to a column', () => {
    const old = vault.seal('hush', 'accounts_account.secret').stored().replace(/^s2/, 's1')
    expect(() => vault.open(new Sealed(old, 'assets_asset.client_key'))).toThrow()
  })

  it('of the old format still opens, and is bound when it is stored in another column', () => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('k1'))
    const body = Buffer.concat([cipher.update('hush'), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))
    const old = new Sealed(['s1', 'k1', ...parts].join('.'), 'accounts_accounttemplate.secret')
    expect(vault.open(old)).toBe('hush')
    const moved = vault.stored(old, 'accounts_account.secret') ?? ''
    expect(vault.open(new Sealed(moved, 'accounts_account.secret'))).toBe('hush')
    expect(() => vault.open(new Sealed(moved, 'accounts_accounttemplate.secret'))).toThrow()
  })
})

describe('in the database', () => {
  let tests: ResourceTests
  beforeAll(async () => {
    tests = await startResourceTests()
  })
  afterAll(() => tests[Symbol.asyncDispose]())

  it('a secret that was moved to a readable column is not shown', async () => {
    const { admin, application } = tests.server
    const body = { ...(await samples['accounts/accounts']?.(admin)), name: fresh('moved') }
    const { id } = await admin.collection('accounts/accounts').create(body)
    const path = `/api/v1/accounts/account-secrets/${id}/`
    expect((await tests.ask('GET', path, inRoot)).body.secret).toBe(marker)
    const db = application.services.database.writer
    const other = db.selectFrom('settings_setting').select('value').where('name', '=', 'LICENSE_PRIVATE_KEY')
    await db.updateTable('accounts_account').set({ secret: other }).where('id', '=', id).execute()
    const { status, text } = await tests.ask('GET', path, inRoot)
    expect([status, text.includes('PRIVATE')]).toEqual([500, false])
  })
})
