import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith(['chromium'], 'the secret of an account in the console', () => {
  let product: Product
  let browser: Browser
  let faults: string[]
  let page: Page
  let admin: Client
  let account: AnyRow

  beforeAll(async () => {
    // Secrets are shown after a second factor only, which is not what this is about.
    ;[product, browser] = await Promise.all([
      startProduct({ env: { SECURITY_VIEW_AUTH_NEED_MFA: 'false' } }),
      sharedBrowser(),
    ])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const host = await admin.collection('assets/hosts').create({
      name: 'vaulted',
      address: '192.0.2.1',
      platform: 1,
      protocols: [{ name: 'ssh', port: 22 }],
      accounts: [{ name: 'backup', username: 'backup', secret_type: 'password', secret: 'First-1' }],
    })
    ;[account] = (await admin.collection<AnyRow>('accounts/accounts').all({ asset: host.id })) as [AnyRow]
    ;({ page, faults } = await openWindow(browser, { newcomer: false }))
    page.setDefaultTimeout(15_000)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    if (browser) await closeWindows(browser)
    await product?.stop()
  })

  const dialog = () => page.getByRole('dialog', { name: 'Secret of backup' })
  const fact = (name: string) => dialog().locator(`[data-field=${name}] dd`)

  it('a password is changed where it is shown, and the earlier one is kept', async () => {
    await page.goto(`${product.url}/ui/#/console/accounts/accounts/${account.id}?activeTab=Detail`)
    await page.getByRole('button', { name: 'View secret', exact: true }).click()
    expect(await fact('name').innerText()).toBe('backup')
    await fact('histories').getByText('0', { exact: true }).waitFor()
    await fact('secret').getByRole('button', { name: 'Show' }).click()
    await fact('secret').getByText('First-1', { exact: true }).waitFor()
    await fact('secret').getByRole('button', { name: 'Change password' }).click()
    const password = dialog().getByRole('textbox', { name: 'Password' })
    const save = dialog().getByRole('button', { name: 'Save' })
    expect([await password.inputValue(), await save.isDisabled()]).toEqual(['First-1', true])
    await password.fill('Second-{{2}}')
    await save.click()
    await page.getByText('A password cannot contain', { exact: false }).first().waitFor()
    await password.fill('Second-2')
    await save.click()
    await fact('histories').getByRole('button', { name: '1' }).click()
    const earlier = dialog().locator('[data-version]').first()
    await earlier.getByRole('button', { name: 'Show' }).click()
    await earlier.getByText('First-1', { exact: true }).waitFor()
    const secretNow = async () => (await admin.collection<AnyRow>('accounts/account-secrets').get(account.id)).secret
    expect(await secretNow()).toBe('Second-2')
    await earlier.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog', { name: 'Restore earlier secret' }).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored', { exact: true }).waitFor()
    expect(await secretNow()).toBe('First-1')
    await fact('histories').getByRole('button', { name: '2' }).waitFor()
  })
})
