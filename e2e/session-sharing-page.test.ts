import { randomBytes } from 'node:crypto'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { barriersOn } from './accessibility.ts'

const password = 'Share-pages-42!'
const patience = { timeout: 20_000, interval: 100 }

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'sharing a session in the browser', () => {
  let product: RunningProduct
  let target: RealSshd
  let browser: Browser
  let admin: Client
  let host: AnyRow
  const suffix = randomBytes(3).toString('hex')
  const [owner, guest] = [`wendy-${suffix}`, `gus-${suffix}`]

  beforeAll(async () => {
    ;[product, target] = await Promise.all([sharedProduct(), startSshd()])
    browser = await sharedBrowser()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, `harbour-${suffix}`)
    await permit(admin, await makePerson(admin, owner, password), [host])
    await makePerson(admin, guest, password)
    for (const name of [owner, guest])
      await (await signIn(product.url, name, password)).request('PATCH', '/api/v1/users/profile/', {
        is_first_login: false,
      })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await target?.stop()
  })

  async function windowOf(name: string) {
    const window = await openWindow(browser)
    window.page.setDefaultTimeout(15_000)
    await signInWindow(window.page, product.url, name, password)
    return window
  }
  const shows = (page: Page, text: string | RegExp) =>
    vi.waitFor(async () => expect(await page.locator('.xterm-rows').innerText()).toMatch(text), patience)

  it('invites with a link and a code, shows who is there, and removes a participant', async () => {
    const { page } = await windowOf(owner)
    await page.goto(`${product.url}/luna/connect?asset=${host.id}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await shows(page, /[$#]\s*$/)
    await page.getByRole('button', { name: 'Share session' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share session' })
    await dialog.getByText('Can type').click()
    await dialog.getByRole('combobox', { name: 'Users' }).pressSequentially('gus')
    await page.locator('.ant-select-item-option', { hasText: guest }).click()
    await page.keyboard.press('Escape')
    // It is measured when the choices are gone, not on their way out.
    await page.locator('.ant-select-item-option', { hasText: guest }).waitFor({ state: 'hidden' })
    expect(await barriersOn(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    const code = await dialog.getByRole('textbox', { name: 'Code' }).inputValue()
    expect(link).toMatch(new RegExp(`^${product.url}/koko/share/[-0-9a-f]{36}/$`))

    const other = (await windowOf(guest)).page
    await other.goto(link)
    await other.getByRole('textbox', { name: 'Code' }).fill('nope')
    await other.getByRole('button', { name: 'Join' }).click()
    await other.getByText('The code is wrong').waitFor()
    expect(await barriersOn(other)).toEqual([])
    await other.getByRole('textbox', { name: 'Code' }).fill(code)
    await other.keyboard.press('Enter')
    await shows(other, /[$#]\s*$/)
    await other.getByRole('list', { name: 'Participants' }).getByText(guest).first().waitFor()
    expect(await barriersOn(other)).toEqual([])
    await other.keyboard.type('echo typed-by-guest-$((6*7))\n')
    await shows(page, 'typed-by-guest-42')

    await dialog.getByRole('button', { name: new RegExp(`^Remove ${guest}`) }).click()
    await other.getByText('The owner has removed you').waitFor()
    await other.keyboard.type('echo late-$((6*7))\n')
    await page.keyboard.press('Escape')
    await page.locator('.xterm-helper-textarea').focus()
    await page.keyboard.type('echo alone-$((6*7))\n')
    await shows(page, 'alone-42')
    expect(await page.locator('.xterm-rows').innerText()).not.toContain('late-')
    const [record] = await admin.collection('terminal/session-join-records').all({ is_success: true, search: '' })
    expect(record).toMatchObject({ is_finished: true })
  })
})
