import { signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { completeProfiles, fill, hostName, people } from '../scripts/demo/content.ts'

describeWith(['sshd', 'sftp-server'], 'what `npm run demo` creates', () => {
  const password = 'Demo-for-tests-1'
  let product: Product
  let target: Awaited<ReturnType<typeof startSshd>>

  beforeAll(async () => {
    target = await startSshd()
    product = await startProduct()
    const admin = await signIn(product.url, 'admin', product.adminPassword)
    await fill(admin, target, password)
    await completeProfiles(admin, product.url, password)
  })
  afterAll(async () => {
    await product?.stop()
    await target?.stop()
  })

  it('lets everybody sign in', async () => {
    for (const { username } of people) {
      const client = await signIn(product.url, username, password)
      const is_first_login = username === 'newcomer'
      expect(await client.request('GET', '/api/v1/users/profile/')).toMatchObject({ username, is_first_login })
    }
  })

  it('gives each what the list of people says', async () => {
    const assetsOf = async (username: string) => {
      const client = await signIn(product.url, username, password)
      return (await client.collection('perms/users/self/assets').all()).map((asset) => asset.name)
    }
    expect((await assetsOf('olivia')).length).toBeGreaterThan(5)
    expect(await assetsOf('daichi')).toEqual([hostName])
    expect(await assetsOf('newcomer')).toEqual([])
  })

  it('has a command filter that refuses and one that warns', async () => {
    const client = await signIn(product.url, 'admin', product.adminPassword)
    const filters = await client.collection<{ id: string; action: { value: string } }>('acls/command-filter-acls').all()
    expect(filters.map((filter) => filter.action.value).sort()).toEqual(['reject', 'warning'])
  })
})
