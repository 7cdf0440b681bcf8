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

const password = 'Olivia-reach-12'
const patience = { timeout: 20_000, interval: 100 }

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'the terminal, a watched and a recorded session', () => {
  let product: RunningProduct
  let target: RealSshd
  let browser: Browser
  let admin: Client
  let host: AnyRow

  beforeAll(async () => {
    ;[product, target] = await Promise.all([sharedProduct(), startSshd()])
    browser = await sharedBrowser()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    host = await makeHost(admin, target, 'lighthouse')
    const other = await makeHost(admin, target, 'lantern')
    await permit(admin, await makePerson(admin, 'olivia', password), [host, other])
    const own = await signIn(product.url, 'olivia', password)
    await own.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await target?.stop()
  })

  async function windowOf(name: string, secret: string, theme = 'light') {
    const window = await openWindow(browser)
    window.page.setDefaultTimeout(15_000)
    await signInWindow(window.page, product.url, name, secret)
    const chosen = `if (location.protocol !== 'about:') localStorage.setItem('theme', '${theme}')`
    await window.context.addInitScript(chosen)
    return window
  }
  const screenOf = (page: Page) => page.locator('.xterm-rows')
  const shows = (page: Page, text: string | RegExp) =>
    vi.waitFor(async () => expect(await screenOf(page).innerText()).toMatch(text), patience)
  const sessions = (query: object) =>
    admin.collection<AnyRow & { has_replay: boolean }>('terminal/sessions').all({ type: 'normal', ...query })

  /** What axe finds, told with the place it was found in. */
  async function faultsOf(page: Page, place: string): Promise<string[]> {
    return (await barriersOn(page)).map((barrier) => `${place}: ${barrier}`)
  }

  it('are all reached and left with the keyboard alone', async () => {
    const { page, context, faults } = await windowOf('olivia', password)
    await page.goto(`${product.url}/luna/`)
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.press('Control+Shift+O')
    // Enter at once takes what the whole word finds, not what stood there before.
    await page.keyboard.type('lighthouse')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /lighthouse/ })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+Shift+O')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    await shows(page, /\$\s*$/)
    await page.keyboard.type('echo reached-$((6*7))\n')
    await shows(page, 'reached-42')
    expect(await page.title()).toMatch(/^lighthouse - /)
    await page.keyboard.press('Control+Shift+F')
    await page.keyboard.type('reached')
    await page.getByText(/of \d/).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('exit\n')
    await page.getByText('The session has ended.').waitFor()
    // Out of the terminal to its tab, which Delete closes.
    await page.getByRole('tab').focus()
    await page.keyboard.press('Delete')
    await vi.waitFor(async () => expect(await page.getByRole('tab').count()).toBe(0), patience)
    expect(faults).toEqual([])
    await context.close()
  })

  it('end when the browser they were opened in is signed out, and in no other browser', async () => {
    const elsewhere = await windowOf('olivia', password)
    const { page, context } = await windowOf('olivia', password)
    for (const where of [elsewhere.page, page]) {
      await where.goto(`${product.url}/luna/?login_to=${host.id}`)
      await where.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
      await shows(where, /\$\s*$/)
    }
    const console = await context.newPage()
    await console.goto(`${product.url}/core/auth/logout/`)
    const left = Date.now()
    await page.getByRole('status').getByText('You have signed out: the session has ended.').waitFor()
    // Told, not found out at the next look, which is half a minute away.
    expect(Date.now() - left).toBeLessThan(10_000)
    // The question who it is may stand there already.
    await page.getByRole('button', { name: /Reconnect/ }).dispatchEvent('click')
    await page.getByRole('dialog').getByRole('link', { name: 'Sign in in a new tab' }).waitFor()
    await elsewhere.page.locator('.xterm-screen').click()
    await elsewhere.page.keyboard.type('echo goes-on-$((6*7))\n')
    await shows(elsewhere.page, 'goes-on-42')
    await context.close()
    await elsewhere.context.close()
  })

  it.each(['light', 'dark'])('are accessible: %s', async (theme) => {
    const { page, context, faults } = await windowOf('olivia', password, theme)
    const found: string[] = []
    await page.goto(`${product.url}/luna/`)
    await page.getByRole('treeitem').first().waitFor()
    found.push(...(await faultsOf(page, 'empty')))
    await page.goto(`${product.url}/luna/?login_to=${host.id}`)
    const connect = page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true })
    await connect.waitFor()
    found.push(...(await faultsOf(page, 'connect dialog')))
    const before = new Set((await sessions({})).map(({ id }) => id))
    await connect.click()
    await shows(page, /\$\s*$/)
    await page.keyboard.press('Control+Shift+F')
    found.push(...(await faultsOf(page, 'terminal with its search')))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Terminal settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Terminal settings' })
    await settings.waitFor()
    // Where something is chosen, not on the cross.
    await vi.waitFor(async () => expect(await settings.locator('input[type=radio]:focus').count()).toBe(1), patience)
    found.push(...(await faultsOf(page, 'settings')))
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'hidden' })

    const auditor = await windowOf('admin', product.adminPassword, theme)
    const live = await vi.waitFor(async () => {
      const row = (await sessions({ is_finished: false })).find(({ id }) => !before.has(id))
      expect(row).toBeDefined()
      return row
    }, patience)
    await auditor.page.goto(`${product.url}/luna/monitor/${live?.id}`)
    await shows(auditor.page, /\$/)
    found.push(...(await faultsOf(auditor.page, 'live view')))
    await page.locator('.xterm-screen').click()
    await page.keyboard.type('exit\n')
    await page.getByText('The session has ended.').waitFor()
    await vi.waitFor(
      async () =>
        expect((await sessions({ is_finished: true })).find(({ id }) => id === live?.id)?.has_replay).toBe(true),
      patience,
    )
    await auditor.page.goto(`${product.url}/luna/replay/${live?.id}`)
    await auditor.page.getByRole('slider').first().waitFor()
    expect(await auditor.page.title()).toContain('lighthouse')
    found.push(...(await faultsOf(auditor.page, 'recording')))

    await page.goto(`${product.url}/luna/sftp?login_to=${host.id}`)
    const upload = page.getByRole('button', { name: 'Upload', exact: true, disabled: false })
    await connect.or(upload).waitFor()
    if (await connect.isVisible()) await connect.click()
    await upload.waitFor()
    found.push(...(await faultsOf(page, 'files')))
    await page.setViewportSize({ width: 390, height: 844 })
    found.push(...(await faultsOf(page, 'files on a phone')))
    const broken = await page
      .locator('.file-row .num')
      .evaluateAll((cells) => cells.filter((cell) => cell.clientHeight > 24).map((cell) => cell.textContent))
    expect(broken).toEqual([])
    expect(found).toEqual([])
    expect([...faults, ...auditor.faults]).toEqual([])
    await auditor.context.close()
    await context.close()
  })
})
