import { roleIds } from '@castellan/contract/ids'
import { openWindow, signInByPage, startBrowser } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith('chromium', 'who may reach what, in the console', () => {
  let product: Product
  let browser: Browser
  let admin: Client
  let page: Page
  let faults: string[]
  let person: AnyRow
  let permission: AnyRow

  beforeAll(async () => {
    product = await startProduct()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    person = await admin.collection('users/users').create({
      name: 'Ada',
      username: 'ada',
      email: 'ada@example.com',
      password_strategy: 'email',
      system_roles: [roleIds.user],
      org_roles: [roleIds.orgUser],
    })
    const host = await admin.collection('assets/hosts').create({
      name: 'web-1',
      address: '10.0.0.1',
      platform: { pk: 1 },
      protocols: [{ name: 'ssh', port: 22 }],
      nodes_display: ['/Default/Shop'],
      accounts: [{ name: 'root', username: 'root', secret_type: 'password' }],
    })
    permission = await admin
      .collection('perms/asset-permissions')
      .create({ name: 'Shop admins', users: [person.id], assets: [host.id], accounts: ['@ALL'], is_active: false })
    await admin
      .collection('perms/asset-permissions')
      .create({ name: 'Nobody', nodes: [(host.nodes as AnyRow[])[0]?.id], accounts: ['@ALL'] })
    browser = await startBrowser()
    const window = await openWindow(browser)
    page = window.page
    faults = window.faults
    await signInByPage(page, product.url, 'admin', product.adminPassword)
    // The first sign-in asks for a profile once; whoever goes on is not asked again.
    await page.getByRole('button', { name: 'Done' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  const open = (path: string) => page.goto(`${product.url}/ui/#/console/${path}`)

  it('explains from the person’s page why an asset is out of reach', async () => {
    await open(`users/users/${person.id}`)
    await page.getByRole('button', { name: 'Why?' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Asset').click()
    await page.getByText('web-1(10.0.0.1)').first().click()
    await drawer.getByText('Not allowed').waitFor()
    await drawer.getByText('The permission is switched off.').waitFor()
    await drawer.getByRole('link', { name: 'Shop admins' }).waitFor()
  })

  it('shows beside the form who gains an asset by what is about to be saved', async () => {
    await open(`perms/asset-permissions/${permission.id}/update`)
    const effect = page.locator('.effect-panel')
    await effect.getByText('Saving does not change').waitFor()
    await page.getByRole('switch', { name: 'Active' }).click()
    await effect.getByText('1 people gain 1 assets').waitFor()
    await effect.getByText('Ada').waitFor()
  })

  it('lists permissions that are worth a look', async () => {
    await open('perms/asset-permissions')
    await page.getByRole('tab', { name: 'Findings' }).click()
    await page.getByText('Gives nothing').waitFor()
    await page.getByText('It names nobody.').waitFor()
    expect(faults).toEqual([])
  })
})
