import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type Client, confirmed, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const password = 'Chosen-by-mail-1'
const patience = { timeout: 30_000, interval: 100 }

describeWith('chromium', 'mail', () => {
  let product: RunningProduct
  let mail: MailServer
  let admin: Client
  let browser: Browser

  beforeAll(async () => {
    ;[product, mail, browser] = await Promise.all([sharedProduct(), startMailServer(), sharedBrowser()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await mail?.[Symbol.asyncDispose]()
  })

  const testMail = (body: object = {}) =>
    admin.request<{ msg: string }>('POST', '/api/v1/settings/mail/testing/', body).then(
      ({ msg }) => msg,
      (error: { status: number; body: { error: string } }) => `${error.status} ${error.body.error}`,
    )
  const lastTo = (address: string) =>
    vi.waitFor(() => {
      const found = mail.received.findLast(({ to }) => to.includes(address))
      if (!found) throw new Error(`No mail to ${address} yet.`)
      return found
    }, patience)
  const linkIn = (text: string) => /href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  async function choose(page: Page, address: string, chosen: string): Promise<void> {
    await page.goto(address)
    await page.locator('input[type=password]').nth(0).fill(chosen)
    await page.locator('input[type=password]').nth(1).fill(chosen)
    await page.keyboard.press('Enter')
    await page.getByText('The password is changed').waitFor()
  }

  it('is not promised where no server is set', async () => {
    expect(await testMail()).toContain('400 No mail server is configured')
    const person = await makePerson(admin, 'early', password)
    const { context, page } = await openWindow(browser)
    await page.goto(`${product.url}/core/auth/login/`)
    expect(await page.getByRole('link', { name: 'Forgot' }).count()).toBe(0)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
    await page.goto(`${product.url}/ui/#/console/users/users/${person.id}`)
    await page.getByText('No mail server is configured').waitFor()
    await context.close()
  })

  it('is tested with the saved settings, and the server’s own words tell what is wrong', async () => {
    const sure = await confirmed(admin, product.adminPassword)
    const save = (settings: object) => sure.request('PATCH', '/api/v1/settings/setting/?category=email', settings)
    await save({ ...mail.settings, EMAIL_HOST_PASSWORD: 'not-this-one' })
    expect(await testMail()).toMatch(/^400 The mail server rejected the email: .*wrong user name or password/)
    await save(mail.settings)
    expect(await testMail({ EMAIL_RECIPIENT: 'somebody@example.com' })).toContain('somebody@example.com')
    const { from, text } = await lastTo('somebody@example.com')
    expect(from).toBe(mail.username)
    expect(text).toContain('Subject: [Castellan] Test email')
    await save({ ...mail.settings, EMAIL_PORT: '1' })
    expect(await testMail()).toMatch(/^400 .*ECONNREFUSED/)
    await save(mail.settings)
  })

  it('welcomes a new person with a link to the first password', async () => {
    await admin.collection('users/users').create({ name: 'Nora', username: 'nora', email: 'nora@example.com' })
    const { text } = await lastTo('nora@example.com')
    expect(text).toContain('Your account is ready')
    const { context, page, faults } = await openWindow(browser)
    await choose(page, linkIn(text), password)
    await page.goto(linkIn(text))
    await page.getByText('This link is not valid').waitFor()
    await signInWindow(page, product.url, 'nora', password)
    expect(faults).toEqual([])
    await context.close()
  })

  it('brings back who forgot the password, by a code that is theirs alone', async () => {
    const { context, page, faults } = await openWindow(browser)
    const begin = async (username: string) => {
      await page.goto(`${product.url}/core/auth/login/`)
      await page.getByRole('link', { name: /forgot/i }).click()
      await page.locator('input[name=username]').fill(username)
      await page.keyboard.press('Enter')
      await page.locator('input[name=email]').waitFor()
    }
    const askCode = async (address: string) => {
      await page.locator('input[name=email]').fill(address)
      await page.getByRole('button', { name: 'Send code' }).click()
    }
    // A name that nobody has looks like one whose address is another.
    for (const username of ['nobody-at-all', 'early']) {
      await begin(username)
      await askCode('nora@example.com')
      await page.getByText('The username and the address do not match.').waitFor()
    }
    await begin('nora@example.com')
    const before = mail.received.length
    await askCode('Nora@Example.com')
    await vi.waitFor(() => expect(mail.received.length).toBe(before + 1), patience)
    const code = /Your code: (\d{6})/.exec((await lastTo('nora@example.com')).text)?.[1] ?? ''
    const show = async (shown: string) => {
      await page.locator('input[name=email]').fill('nora@example.com')
      await page.locator('input[name=code]').fill(shown)
      await page.keyboard.press('Enter')
    }
    await show(code === '000000' ? '000001' : '000000')
    await page.getByText('The code is wrong or no longer valid.').waitFor()
    await show(code)
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await choose(page, page.url(), `${password}-again`)
    await signInWindow(page, product.url, 'nora', `${password}-again`)
    expect(faults).toEqual([])
    await context.close()
  })

  it('carries the link of an administrator’s reset, which stands nowhere else', async () => {
    const [nora] = await admin.collection('users/users').all({ username: 'nora' })
    await admin.request('PATCH', `/api/v1/users/users/${nora?.id}/password/reset/`, {})
    const { text } = await vi.waitFor(async () => {
      const found = await lastTo('nora@example.com')
      expect(found.text).toContain('Your password was reset')
      return found
    }, patience)
    await expect(signIn(product.url, 'nora', `${password}-again`)).rejects.toThrow()
    const { context, page } = await openWindow(browser)
    await choose(page, linkIn(text), `${password}-a-third`)
    await context.close()
    const again = await signIn(product.url, 'nora', `${password}-a-third`)
    const messages = await again.request<unknown>('GET', '/api/v1/notifications/site-messages/')
    expect(JSON.stringify(messages)).toContain('Your password was reset')
    expect(JSON.stringify(messages)).not.toContain('token=')
  })
})
