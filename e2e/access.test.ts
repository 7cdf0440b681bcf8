import { roleIds } from '@castellan/contract/ids'
import type { AnyRow } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith('chromium', 'who may reach what, in the console', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let page: Page
  let faults: string[]
  let person: AnyRow
  let host: AnyRow
  let permission: AnyRow

  beforeAll(async () => {
    opened = await openConsole({
      prepare: async (client) => {
        person = await client.collection('users/users').create({
          name: 'Ada',
          username: 'ada',
          email: 'ada@example.com',
          password_strategy: 'email',
          system_roles: [roleIds.user],
          org_roles: [roleIds.orgUser],
        })
        host = await client.collection('assets/hosts').create({
          name: 'web-1',
          address: '10.0.0.1',
          platform: { pk: 1 },
          protocols: [{ name: 'ssh', port: 22 }],
          nodes_display: ['/Default/Shop'],
          accounts: [{ name: 'root', username: 'root', secret_type: 'password' }],
        })
        permission = await client
          .collection('perms/asset-permissions')
          .create({ name: 'Shop admins', users: [person.id], assets: [host.id], accounts: ['@ALL'], is_active: false })
        await client
          .collection('perms/asset-permissions')
          .create({ name: 'Nobody', nodes: [(host.nodes as AnyRow[])[0]?.id], accounts: ['@ALL'] })
      },
    })
    ;({ product, page, faults } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  const open = (path: string) => page.goto(`${product.url}/ui/#/console/${path}`)

  it('explains from the person’s page why an asset is out of reach', async () => {
    await open(`users/users/${person.id}`)
    await page.getByRole('button', { name: 'Explain access' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Asset').click()
    await page.getByText('web-1(10.0.0.1)').first().click()
    await drawer.getByText('Not allowed').waitFor()
    await drawer.getByText('The permission is disabled.').waitFor()
    await drawer.getByRole('link', { name: 'Shop admins' }).waitFor()
  })

  it('shows beside the form who gains an asset by what is about to be saved', async () => {
    await open(`perms/asset-permissions/${permission.id}/update`)
    const effect = page.locator('.effect-panel')
    await effect.getByText('Saving does not change').waitFor()
    await page.getByRole('switch', { name: 'Active' }).click()
    await effect.getByText('1 user gains 1 asset').waitFor()
    await effect.getByText('Ada').waitFor()
    // Unsaved changes would hold the next address back.
    await page.getByRole('button', { name: 'Reset' }).click()
  })

  it('lists whom permissions let reach an asset, and with which accounts of which asset', async () => {
    await open(`assets/assets/${host.id}?activeTab=PermUserList`)
    const rows = page.locator('.list-body tbody tr')
    await rows.getByRole('link', { name: 'Ada' }).waitFor()
    await rows.getByText('ada@example.com').waitFor()
    await open(`perms/asset-permissions/${permission.id}?activeTab=AssetPermissionAccount`)
    await rows.getByRole('link', { name: 'web-1' }).waitFor()
    await open(`perms/asset-permissions/${permission.id}?activeTab=AssetPermissionAsset`)
    await rows.getByText('10.0.0.1', { exact: true }).waitFor()
  })

  it('shows on a phone the whole of the tab that an address names', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(`users/users/${person.id}?activeTab=Activity`)
    const shown = page.locator('main .ant-tabs-nav-wrap')
    const tab = shown.getByRole('tab', { name: 'Activity', selected: true })
    await tab.waitFor()
    const hidden = async () => {
      const [outer, inner] = [await shown.boundingBox(), await tab.boundingBox()]
      return outer && inner ? Math.max(outer.x - inner.x, inner.x + inner.width - outer.x - outer.width) : undefined
    }
    await expect.poll(hidden).toBeLessThanOrEqual(1)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('lists permissions that are worth a look', async () => {
    await open('perms/asset-permissions')
    await page.getByRole('tab', { name: 'Findings' }).click()
    await page.getByText('Grants nothing').waitFor()
    await page.getByText('It includes no user.').waitFor()
    expect(faults).toEqual([])
  })
})
