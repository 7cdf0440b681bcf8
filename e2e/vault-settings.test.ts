import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { startVault, type VaultServer } from '@castellan/testing/vault-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith(['chromium', 'vault'], 'the vault in the settings', () => {
  let product: Product
  let vault: VaultServer
  let browser: Browser
  let faults: string[]
  let page: Page
  let admin: Client
  let account: AnyRow

  beforeAll(async () => {
    ;[product, browser, vault] = await Promise.all([
      startProduct({ env: { SECURITY_VIEW_AUTH_NEED_MFA: 'false' } }),
      sharedBrowser(),
      startVault(),
    ])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const host = await admin.collection('assets/hosts').create({
      name: 'stored',
      address: '192.0.2.1',
      platform: 1,
      protocols: [{ name: 'ssh', port: 22 }],
      accounts: [{ name: 'backup', username: 'backup', secret_type: 'password', secret: 'Of-the-vault-1' }],
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
    await vault?.stop()
  })

  const field = (name: string) => page.locator(`[data-field=${name}]`)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const save = async () => {
    const [saved] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'PATCH'),
      press('Save'),
    ])
    expect(saved.status()).toBe(200)
  }
  /** Starts the synchronization, and returns what its window shows at the end. */
  async function synchronize(end: string): Promise<string> {
    const [log] = await Promise.all([page.waitForEvent('popup'), press('Synchronize')])
    await log.getByText(end, { exact: false }).first().waitFor()
    const said = await log.locator('body').innerText()
    await log.close()
    return said
  }
  const secret = async () => (await admin.collection<AnyRow>('accounts/account-secrets').get(account.id)).secret

  it('is set up, tested, filled and emptied again, and says what is wrong with it', async () => {
    await page.goto(`${product.url}/ui/#/settings/features?activeTab=Vault`)
    await field('VAULT_ENABLED').waitFor()
    expect(await field('VAULT_HCP_HOST').count(), 'nothing to fill in while it is not used').toBe(0)
    await field('VAULT_ENABLED').getByRole('switch').click()
    await field('VAULT_HCP_HOST').getByRole('textbox').fill(vault.url)
    await field('VAULT_HCP_TOKEN').locator('input').fill('of somebody else')
    await press('Test')
    await page.getByText('Check the token or the AppRole and its policy.', { exact: false }).first().waitFor()
    await field('VAULT_HCP_TOKEN').locator('input').fill(vault.token)
    await press('Test')
    await page.getByText('The vault works.', { exact: true }).first().waitFor()
    expect(
      await admin.request('GET', '/api/v1/settings/setting/?category=vault'),
      'a test saves nothing',
    ).toMatchObject({
      VAULT_ENABLED: false,
      VAULT_HCP_HOST: '',
    })
    await save()
    expect(await synchronize('Earlier secrets: 1 moved')).toContain('Accounts: 1 moved, 0 failed')
    expect(await secret()).toBe('Of-the-vault-1')

    await page.reload()
    await field('VAULT_HCP_HOST').waitFor()
    expect(await field('VAULT_HCP_TOKEN').locator('input').inputValue(), 'a token is not readable').toBe('')
    await press('Test')
    await page.getByText('The vault works.', { exact: true }).first().waitFor()
    await field('VAULT_ENABLED').getByRole('switch').click()
    expect(await field('VAULT_HCP_HOST').count(), 'secrets are still there').toBe(1)
    await save()
    expect(await synchronize('removed from the vault')).toContain('Accounts: 1 moved, 0 failed')
    expect(await secret()).toBe('Of-the-vault-1')
  })
})
