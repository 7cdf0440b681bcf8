import { closeWindows, openWindow, sharedBrowser, signInByPage } from '@castellan/testing/browser'
import { type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { confirmOnce } from './screens.ts'

const password = 'Own-1-password'

/** Chromium's own authenticator, without a device: it holds keys and verifies its user. */
async function withAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

describeWith('chromium', 'passkeys in the browser', () => {
  let product: Product
  let browser: Browser
  let admin: Client
  let url = ''

  beforeAll(async () => {
    product = await startProduct({ env: { AUTH_TEMP_TOKEN: 'true' } })
    browser = await sharedBrowser()
    url = product.url.replace('127.0.0.1', 'localhost')
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/settings/setting/?category=passkey', { AUTH_PASSKEY: true })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await product?.stop()
  })

  it('are created in the profile, sign in, pass the second factor and confirm', async () => {
    const user = await makePerson(admin, 'keyholder', password)
    const own = await signIn(product.url, 'keyholder', password)
    await own.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const { page, context, faults } = await openWindow(browser)
    page.setDefaultTimeout(20_000)
    await withAuthenticator(page)
    await signInByPage(page, url, 'keyholder', password)
    await confirmOnce(page, url, password)
    await page.goto(`${url}/ui/#/profile/passkeys`)
    await page.getByRole('button', { name: 'Create passkey' }).first().click()
    await page.locator('#passkey-name').fill('Work laptop')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('main').getByText('Work laptop').waitFor()

    await page.goto(`${url}/core/auth/logout/`)
    await page.goto(`${url}/core/auth/login/`)
    await page.getByRole('link', { name: 'Passkey' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(/\/ui\//)

    await admin.request('PATCH', `/api/v1/users/users/${user.id}/`, { mfa_level: 2 })
    await page.goto(`${url}/core/auth/logout/`)
    await page.goto(`${url}/core/auth/login/`)
    await page.locator('input[name=username]').fill('keyholder')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(/\/ui\//)

    await page.goto(`${url}/ui/#/profile/api-keys`)
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The secret is shown only once').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('stand beside temporary passwords, which sign in once and can be expired', async () => {
    await makePerson(admin, 'visitor', password)
    const own = await signIn(product.url, 'visitor', password)
    await own.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const { page, context, faults } = await openWindow(browser)
    page.setDefaultTimeout(20_000)
    await signInByPage(page, url, 'visitor', password)
    await page.goto(`${url}/ui/#/profile/temp-password`)
    await page.getByRole('button', { name: 'Create temporary password' }).first().click()
    const secret = await page.getByRole('dialog').locator('code').last().innerText()
    await page.keyboard.press('Escape')
    await page.goto(`${url}/core/auth/logout/`)
    await signInByPage(page, url, 'visitor', secret)
    await page.goto(`${url}/ui/#/profile/temp-password`)
    await page.locator('main').getByText('Over').waitFor()
    await page.goto(`${url}/ui/#/profile/connection-token`)
    await page.locator('main').getByText('There is none now').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('says so where the address has no name', async () => {
    const { page, context } = await openWindow(browser)
    await page.goto(`${product.url}/api/v1/authentication/passkeys/login/`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('alert').getByText('cannot use passkeys here').waitFor()
    await context.close()
  })
})
