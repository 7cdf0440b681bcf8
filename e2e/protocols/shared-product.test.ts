import { type AnyRow, confirmed, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { sharedProduct } from '@castellan/testing/shared-product'
import { describe, expect, it, vi } from 'vitest'

describe('the product that files share', () => {
  it('is empty again for the next one, in every organization', async () => {
    const product = await sharedProduct()
    const admin = await signIn(product.url, 'admin', product.adminPassword)
    const everything = async () => {
      const paths = ['users/users', 'users/groups', 'assets/hosts', 'assets/nodes', 'rbac/org-roles', 'orgs/orgs']
      return Promise.all(
        paths.map(async (path) => (await admin.collection<AnyRow>(path).all()).map(({ name, value }) => name ?? value)),
      )
    }
    const before = await everything()
    const branch = await admin.collection('orgs/orgs').create({ name: 'Branch' })
    for (const there of [admin, admin.in(branch.id)]) {
      const host = { name: 'web-1', address: '10.0.0.1', platform: 1, protocols: [{ name: 'ssh', port: 22 }] }
      const accounts = [{ name: 'root', username: 'root', secret_type: 'password' }]
      const made = await there.collection('assets/hosts').create({ ...host, accounts })
      const user = await makePerson(there, there === admin ? 'ada' : 'ben', 'Ada-shares-1')
      await there.collection('users/groups').create({ name: 'pilots', users: [user.id] })
      await there.collection('perms/asset-permissions').create({ name: 'all', users: [user.id], assets: [made.id] })
    }
    const next = await sharedProduct()
    expect(next.url).toBe(product.url)
    expect(await everything()).toEqual(before)
  })

  it('has its settings again when they were left changed, and no secret that was set', async () => {
    const product = await sharedProduct()
    const admin = await signIn(product.url, 'admin', product.adminPassword)
    const all = '/api/v1/settings/setting/?category=all'
    const state = '/api/v1/settings/setting/state/?category=email'
    const before = await admin.request('GET', all)
    const mail = {
      EMAIL_HOST: '127.0.0.1',
      EMAIL_PORT: '2525',
      EMAIL_HOST_USER: 'ada',
      EMAIL_HOST_PASSWORD: 'Of-mail-1',
    }
    await admin.request('PATCH', '/api/v1/settings/setting/?category=security', { SECURITY_LOGIN_LIMIT_COUNT: 3 })
    const sure = await confirmed(admin, product.adminPassword)
    await sure.request('PATCH', '/api/v1/settings/setting/?category=email', mail)
    expect(await admin.request('GET', state)).toMatchObject({ secrets: ['EMAIL_HOST_PASSWORD'] })
    const next = await sharedProduct()
    expect(next.url).toBe(product.url)
    expect(await admin.request('GET', all)).toEqual(before)
    expect(await admin.request('GET', state)).toMatchObject({ stored: {}, secrets: [] })
  })

  it('goes on when a test has killed a program of it', async () => {
    const product = await sharedProduct()
    const { programs } = await product.status()
    await product.kill('worker')
    const next = await sharedProduct()
    expect(next.url).toBe(product.url)
    const now = await next.status()
    expect([now.ready, now.programs.worker.pid === programs.worker.pid]).toEqual([true, false])
  })

  it('is another one when a program of it has ended', async () => {
    const product = await sharedProduct()
    const { programs } = await product.status()
    process.kill(programs.worker.pid ?? 0, 'SIGKILL')
    const restarts = programs.worker.restarts + 1
    await vi.waitFor(async () => expect((await product.status()).programs.worker.restarts).toBe(restarts), 15_000)
    const next = await sharedProduct()
    expect(next.url).not.toBe(product.url)
  })
})
