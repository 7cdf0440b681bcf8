import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const password = 'Asks-in-a-tree-1'

describeWith('chromium', 'a request of a user who is granted nothing', () => {
  let product: RunningProduct
  let admin: Client
  let browser: Browser
  let host: AnyRow

  beforeAll(async () => {
    ;[product, browser] = await Promise.all([sharedProduct(), sharedBrowser()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await admin.collection('assets/hosts').create({ name: 'payments-db', address: '10.0.0.1', platform: 1 })
    await makePerson(admin, 'asks', password)
    await (await signIn(product.url, 'asks', password)).request('PATCH', '/api/v1/users/profile/', {
      is_first_login: false,
    })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
  })

  it.each([
    ['on a desktop', 1440],
    ['on a phone', 390],
  ])('names an asset found in the tree %s, and becomes a permission', async (_where, width) => {
    const { context, page, faults } = await openWindow(browser)
    await page.setViewportSize({ width, height: 900 })
    await signInWindow(page, product.url, 'asks', password)
    await page.goto(`${product.url}/ui/#/tickets/tickets/request-host-perm/create`)
    await page.locator('[data-field=title] input').fill(`payments at ${width}`)
    await page.locator('[data-field=apply_assets]').getByRole('combobox').click()
    const dialog = page.getByRole('dialog', { name: 'Choose assets' })
    await dialog.getByRole('textbox').fill('payments')
    const leaf = dialog.locator('.ant-tree-treenode', { hasText: 'payments-db' })
    await leaf.locator('.ant-tree-checkbox').click()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await dialog.getByRole('button', { name: /1/ }).click()
    await page.locator('[data-field=apply_assets]').getByText('payments-db').last().waitFor()
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.waitForURL(/my-tickets/)
    const [ticket] = await admin.request<AnyRow[]>(
      'GET',
      `/api/v1/tickets/apply-asset-tickets/?title=payments at ${width}`,
    )
    expect(ticket).toMatchObject({
      title: `payments at ${width}`,
      rel_snapshot: { apply_assets: ['payments-db(10.0.0.1)'] },
    })
    await admin.request('PUT', `/api/v1/tickets/apply-asset-tickets/${ticket?.id}/approve/`, {
      ...{ org_id: ticket?.org_id, apply_assets: [host.id], apply_nodes: [], apply_accounts: ['@ALL'] },
      ...{
        apply_actions: ['connect'],
        apply_date_start: ticket?.apply_date_start,
        apply_date_expired: ticket?.apply_date_expired,
      },
    })
    const mine = await (await signIn(product.url, 'asks', password)).request<AnyRow[]>(
      'GET',
      '/api/v1/perms/users/self/assets/',
    )
    expect(mine.map(({ name }) => name)).toEqual(['payments-db'])
    expect(faults).toEqual([])
    await context.close()
  })
})
