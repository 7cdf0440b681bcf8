import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { closeWindows, type Language, openWindow, sharedBrowser } from '@castellan/testing/browser'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { comingCode, presentCode } from './one-time-codes.ts'

const ownPassword = 'Castellan-story-1'

async function submit(page: Page, username: string, password: string): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
}

describeWith('chromium', 'the administrator’s first sign-in', () => {
  let product: Product
  let browser: Browser
  let secret = ''
  let used = ''
  let state: Awaited<ReturnType<BrowserContext['storageState']>> | undefined

  beforeAll(async () => {
    product = await startProduct({ adminPassword: null })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await product?.stop()
  })

  const titles: Record<Language, string> = {
    en: 'Sign in to Castellan',
    zh: '登录 Castellan',
    ja: 'Castellan にログイン',
  }
  it.each(Object.entries(titles))('speaks %s', async (language, title) => {
    const { context, page, faults } = await openWindow(browser, { language: language as Language })
    await page.goto(product.url)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('refuses a wrong password without telling whether the person exists', async () => {
    const { context, page } = await openWindow(browser)
    const refusals: string[] = []
    for (const name of ['admin', 'nobody-at-all']) {
      await page.goto(`${product.url}/core/auth/login/`)
      await submit(page, name, 'not-the-password')
      refusals.push((await page.getByRole('alert').first().innerText()).trim())
    }
    expect(refusals[0]).toContain('Wrong username or password')
    expect(refusals[1]).toBe(refusals[0])
    await context.close()
  })

  it('shows a picture with a calculation to who keeps guessing, and another one when asked', async () => {
    const { context, page } = await openWindow(browser)
    for (let tries = 0; tries < 3; tries++) {
      await page.goto(`${product.url}/core/auth/login/`)
      await submit(page, 'guessed-at', 'not-the-password')
      await page.getByRole('alert').first().waitFor()
    }
    const picture = page.getByRole('img', { name: 'Result of the calculation' })
    // The element has the size of its picture once that is loaded.
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(180)
    const first = await picture.getAttribute('src')
    await page.getByRole('button', { name: 'New picture' }).click()
    await expect.poll(() => picture.getAttribute('src')).not.toBe(first)
    await submit(page, 'guessed-at', 'not-the-password')
    await page.getByText('This field is required.').waitFor()
    await context.close()
  })

  it('takes the password that was generated, and demands another one', async () => {
    const file = join(product.dataDir, 'first-password')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { context, page, faults } = await openWindow(browser)
    await page.goto(`${product.url}/core/auth/login/`)
    const generated = readFileSync(file, 'utf8').trim()
    await submit(page, 'admin', generated)
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    const fields = page.locator('input[type=password]')
    await fields.nth(0).fill(generated)
    await fields.nth(1).fill(generated)
    await page.keyboard.press('Enter')
    await page.getByText('must differ from your last').waitFor()
    await fields.nth(0).fill(ownPassword)
    expect(await page.getByText('must differ from your last').count()).toBe(0)
    await fields.nth(1).fill(ownPassword)
    await page.keyboard.press('Enter')
    await page.getByText('The password is changed').waitFor()
    await page.goto(`${product.url}/core/auth/login/`)
    await submit(page, 'admin', ownPassword)
    await page.waitForURL(/\/ui\//)
    expect(faults).toEqual([])
    await context.close()
  })

  it('sets up one-time passwords by QR code', async () => {
    const { context, page } = await openWindow(browser)
    await page.goto(`${product.url}/core/auth/login/`)
    await submit(page, 'admin', ownPassword)
    await page.waitForURL(/\/ui\//)
    await page.goto(`${product.url}/core/auth/profile/otp/enable/start/`)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Scan the code' }).waitFor()
    expect(await page.locator('svg path').count()).toBeGreaterThan(0)
    await page.locator('input[name=otp_code]').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This is a new QR code').waitFor()
    secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
    used = presentCode(secret)
    await page.locator('input[name=otp_code]').fill(used)
    await page.keyboard.press('Enter')
    await page.getByText('One-time passwords are on').waitFor()
    await context.close()
  })

  it('asks for a code from then on, takes none twice, and asks for a few facts once', async () => {
    const { context, page } = await openWindow(browser, { newcomer: true })
    await page.goto(`${product.url}/core/auth/login/`)
    await submit(page, 'admin', ownPassword)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await page.locator('input[name=code]').fill(used)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').first().waitFor()
    await page.locator('input[name=code]').fill(comingCode(secret))
    await page.keyboard.press('Enter')
    await page.waitForURL(/profile\/improvement/)
    await page.getByText('Force enable', { exact: true }).click()
    await page.getByRole('checkbox', { name: /agree/ }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Administrator was saved').waitFor()
    await page.waitForURL(/#\/console\/dashboard/)
    // What was answered stands in the profile at once.
    await page.goto(`${product.url}/ui/#/profile/info`)
    await page.getByText('Force enable', { exact: true }).waitFor()
    state = await context.storageState()
    await context.close()
  })

  it('says what is to be done before anybody can connect, and hides no page behind its hint', async () => {
    const { context, page } = await openWindow(browser, { newcomer: true, storageState: state })
    await page.goto(`${product.url}/ui/#/console/dashboard`)
    const hint = page.getByText('Switch views')
    await hint.waitFor()
    const steps = page.locator('.first-steps')
    await steps.getByText('Create host').last().waitFor()
    await page.getByRole('heading', { name: 'Live now' }).click()
    await page.getByRole('button', { name: 'Got it' }).click()
    await hint.waitFor({ state: 'hidden' })
    await steps.getByRole('link', { name: 'Create user' }).click()
    // No mail is set up: the password is to be given here.
    await page.getByRole('radio', { name: 'Set password' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Set password' }).isChecked()).toBe(true)
    await context.close()
  })
})
