import { openWindow, signInWindow } from '@castellan/testing/browser'
import type { Client } from '@castellan/testing/client'
import { startHangingTarget } from '@castellan/testing/hanging-target'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type GroupList, openGroupList, patience } from './group-list.ts'
import { framesPassed } from './open-pages.ts'

describeWith('chromium', 'the behavior every screen shares', () => {
  let opened: GroupList
  let product: RunningProduct
  let admin: Client
  let page: Page
  let open: GroupList['open']
  let start: GroupList['start']
  let button: GroupList['button']
  let rows: GroupList['rows']
  let leads: GroupList['leads']

  beforeAll(async () => {
    opened = await openGroupList()
    ;({ product, admin, page, open, start, button, rows, leads } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  beforeEach(() => opened.tidy())
  /** A page of its own for the same person, before it goes anywhere. */
  async function newPage(): Promise<Page> {
    const other = await page.context().newPage()
    other.setDefaultTimeout(10_000)
    return other
  }

  it('old addresses of sessions and logs lead to the screens', async () => {
    await open('/terminal/sessions/0c1f8e0a-0000-4000-8000-000000000001')
    await leads(/^#\/audit\/sessions\/sessions\/0c1f8e0a/)
    await open('/audit/logs/login-logs?search=admin')
    await leads(/^#\/audit\/audits\/login-logs\?search=admin/)
    await open('/console/users?search=admin')
    await leads(/^#\/console\/users\/users\?search=admin/)
  })

  it('help leads to its addresses in a page of its own, and About says edition and version', async () => {
    const other = await newPage()
    /** As an installation with other settings tells them. */
    const settings = (more: object) =>
      other.route('**/api/v1/settings/public/', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...more } })
      })
    const help = async () => {
      await start('/console/users/groups', other)
      await other.getByRole('button', { name: 'Help' }).click()
      return other.locator('.ant-dropdown').getByRole('menuitem')
    }
    const aboutSays = async (edition: string, source?: string) => {
      await other.getByRole('menuitem', { name: 'About' }).click()
      const about = other.getByRole('dialog', { name: 'About' })
      await about.getByText(edition).waitFor()
      await about.getByText('v3.9.1').waitFor()
      const links = await about
        .getByRole('link', { name: 'Source code' })
        .evaluateAll((found) => found.map((link) => [link.getAttribute('href'), link.getAttribute('target')]))
      expect(links).toEqual(source ? [[source, '_blank']] : [])
      await other.keyboard.press('Escape')
      await about.waitFor({ state: 'hidden' })
    }
    const sourceUrl = `${product.url}/api/health/?source`
    await settings({ HELP_DOCUMENT_URL: `${product.url}/api/health/`, SOURCE_URL: sourceUrl })
    // Nobody has named where support is to be had.
    const entries = ['Documentation', 'Connect with your own tools', 'About']
    expect(await (await help()).allInnerTexts()).toEqual(entries)
    const documents = other.getByRole('menuitem', { name: 'Documentation' })
    const [opened] = await Promise.all([page.context().waitForEvent('page'), documents.click()])
    await opened.waitForURL(/api\/health/)
    await opened.close()
    await help()
    await aboutSays('Enterprise edition', sourceUrl)
    expect(await other.getByText('Apache-2.0').count()).toBe(0)
    await settings({ XPACK_LICENSE_IS_VALID: false })
    expect(await (await help()).allInnerTexts()).toContain('Enterprise edition')
    await aboutSays('Community edition, open source under Apache-2.0')
    await other.setViewportSize({ width: 390, height: 844 })
    await other.getByRole('button', { name: 'Help' }).waitFor({ state: 'hidden' })
    await other.getByRole('button', { name: 'Account' }).click()
    await aboutSays('Community edition')
    await other.close()
  })

  it('how many statements an answer took stands above the page while the server says so', async () => {
    const other = await newPage()
    await other.route('**/api/v1/users/groups/?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-jms-sql-count': '12' } })
    })
    await start('/console/users/groups', other)
    const counts = other.getByRole('region', { name: 'Database statements of recent responses' })
    expect(await counts.innerText()).toMatch(/\/users\/groups\/\s+12/)
    await other.unrouteAll({ behavior: 'wait' })
    await start('/console/users/groups', other)
    await counts.waitFor({ state: 'detached' })
    await other.close()
  })

  it('a part that a new version took away renews the page, unless something unsaved would be lost', async () => {
    const other = await newPage()
    const isRenewed = async () => !(await other.evaluate('window.isOld === true'))
    const gone = (name: string) => other.route(`**/assets/${name}-*.js`, (route) => route.fulfill({ status: 404 }))
    await gone('ExportDialog')
    await open('/console/users/groups', other)
    await other.evaluate('window.isOld = true')
    await other.getByRole('button', { name: 'Export' }).click()
    await expect.poll(isRenewed, patience).toBe(true)
    await other.unroute('**/assets/ExportDialog-*.js')
    await other.getByRole('button', { name: 'Export' }).click()
    await other.getByRole('dialog', { name: 'Export' }).waitFor()

    await gone('Palette')
    await open('/console/users/groups/create', other)
    await other.getByLabel('Name').fill('typed')
    await other.evaluate('window.isOld = true')
    for (let times = 0; times < 2; times++) {
      await other.keyboard.press('Control+k')
      await other.getByText('A part of the page could not be loaded').waitFor()
    }
    expect([await other.getByLabel('Name').inputValue(), await isRenewed()]).toEqual(['typed', false])
    await other.close({ runBeforeUnload: false })
  })

  it('the log of a task that nobody knows says so, and offers nothing to stop', async () => {
    const log = await newPage()
    await log.goto(`${product.url}/ui/#/ops/celery/task/${crypto.randomUUID()}/log/`)
    await log
      .getByRole('alert')
      .getByText('This task does not exist, or you have no permission to view its log.')
      .waitFor()
    expect(await log.getByText('Running').count()).toBe(0)
    expect(await log.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    await log.close()
  })

  it('a task that takes long is stopped from its log', async () => {
    await using target = await startHangingTarget('greeting')
    const host = await admin.collection('assets/hosts').create({
      name: 'says nothing',
      address: '127.0.0.1',
      platform: 1,
      protocols: [{ name: 'ssh', port: target.port }],
      nodes_display: ['/Default'],
      accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'any' }],
    })
    const test = { action: 'test' }
    const { task } = await admin.request<{ task: string }>('POST', `/api/v1/assets/assets/${host.id}/tasks/`, test)
    const log = await newPage()
    await log.goto(`${product.url}/ui/#/ops/celery/task/${task}/log/`)
    await log.getByText('Running').waitFor()
    await log.getByRole('button', { name: 'Stop' }).click()
    await log.getByText('Stopped', { exact: true }).waitFor()
    await log.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    await log.close()
    // A test that was broken off says nothing about the host.
    const { connectivity } = await admin.collection('assets/hosts').get(host.id)
    expect(connectivity).toEqual(host.connectivity)
  })

  it('the switch of views flashes twice, a second each, after the page was loaded, and not where motion is unwanted', async () => {
    const other = await newPage()
    const flashes = async () => {
      await start('/console/users/groups', other)
      const pulse = await other.evaluate(`{
        const style = getComputedStyle(document.querySelector('.topbar .switch'))
        ;[style.animationName, style.animationDuration, style.animationIterationCount].join(' ')
      }`)
      await other.locator('.topbar .switch:not(.pulse)').waitFor()
      return pulse
    }
    await other.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await flashes()).toBe('switch-pulse 1s 2')
    await other.emulateMedia({ reducedMotion: 'reduce' })
    expect(await flashes()).toMatch(/^none/)
    await other.close()
  })

  it('what lies outside the console opens in a page of its own, with nothing of this one', async () => {
    const outside = async (address: string, click: () => Promise<unknown>) => {
      const [other] = await Promise.all([page.context().waitForEvent('page'), click()])
      await other.waitForURL(new RegExp(address))
      expect(await other.evaluate('window.opener')).toBeNull()
      await other.close()
    }
    await open('/workbench/home')
    await outside('/luna/\\?_=\\d+$', () => page.getByRole('menuitem', { name: 'Web terminal' }).click())
    await outside('/luna/sftp\\?_=\\d+$', () => page.getByRole('menuitem', { name: 'File manager' }).click())
    await outside('/luna/\\?_=\\d+$', () =>
      page.locator('.topbar').getByRole('button', { name: 'Web terminal' }).click(),
    )
    await leads(/^#\/workbench\/home/)
  })

  it('the window bears the brand of the installation: its icon, and its name behind the title of the screen', async () => {
    const other = await newPage()
    const icon = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
    await other.route('**/api/v1/settings/public/', async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as { INTERFACE: object }
      await route.fulfill({
        response,
        json: { ...json, INTERFACE: { ...json.INTERFACE, favicon: icon, login_title: 'Halden' } },
      })
    })
    await start('/console/users/groups', other)
    expect(await other.title()).toBe('User groups - Halden')
    expect(await other.locator('link[rel=icon]').getAttribute('href')).toBe(icon)
    await other.close()
  })

  it('the back arrow leads nowhere on a dashboard, and back from a form', async () => {
    await open('/console/dashboard')
    expect(await button('Back').isDisabled()).toBe(true)
    await open('/console/users/groups/create')
    await button('Back').click()
    await leads(/^#\/console\/users\/groups$/)
  })

  it('the organization is locked on screens of all organizations', async () => {
    await open('/console/users/roles')
    expect(await page.getByRole('combobox', { name: 'Organization' }).isDisabled()).toBe(true)
    await open('/console/users/groups')
    expect(await page.getByRole('combobox', { name: 'Organization' }).isDisabled()).toBe(false)
  })

  it('a start that is refused says why, and names the trusted domains where these are missing', async () => {
    const other = await newPage()
    await other.route('**/api/v1/settings/public/', (route) => route.fulfill({ status: 400, json: { detail: 'host' } }))
    await other.goto(`${product.url}/ui/`)
    await other.getByText('Trusted domains or hosts must be configured').waitFor()
    await other.unroute('**/api/v1/settings/public/')
    await other.getByRole('button').click()
    await other.getByRole('heading', { level: 1 }).waitFor()
    await other.close()
  })

  it('a socket that cannot be had is said', async () => {
    const other = await newPage()
    await other.addInitScript(`window.WebSocket = class extends WebSocket {
      constructor() { super('ws://127.0.0.1:9/') }
    }`)
    await other.goto(`${product.url}/ui/#/console/users/groups`)
    await other.getByText('Connect Websocket failed').waitFor()
    await other.close()
  })

  it('a socket that is lost each time it is had is said once', async () => {
    const other = await newPage()
    let lost = 0
    await other.routeWebSocket('**/ws/notifications/site-msg/', (socket) => {
      // Closed at once, it would never have been open: what the server says first comes to an open one.
      socket.connectToServer().onMessage(() => void socket.close().then(() => (lost += 1)))
    })
    await other.goto(`${product.url}/ui/#/console/users/groups`)
    const said = other.getByText('Websocket disconnection')
    await said.waitFor()
    await said.waitFor({ state: 'hidden' })
    const before = lost
    await vi.waitFor(() => expect(lost).toBeGreaterThan(before), patience)
    await framesPassed(other)
    expect(await said.count()).toBe(0)
    await other.close()
  })

  it('a confirmation nobody can name cancels what was asked for', async () => {
    const other = await newPage()
    await other.route('**/api/v1/users/groups/*/', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 412, json: { type: 'user_confirm_required', code: 'password', detail: '' } })
        : route.continue(),
    )
    await other.route('**/api/v1/authentication/confirm/**', (route) => route.fulfill({ status: 400, json: {} }))
    await open('/console/users/groups?order=name', other)
    await other.getByRole('button', { name: 'Actions for group 100' }).click()
    await other.getByRole('menuitem', { name: 'Delete' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await other.locator('.ant-message').first().waitFor()
    expect(await other.getByRole('dialog', { name: 'Confirm' }).count()).toBe(0)
    expect(await admin.collection('users/groups').all({ name: 'group 100' })).toHaveLength(1)
    await other.close()
  })

  it('a confirmation is typed into at once, and a list read after the session has ended says where to sign in', async () => {
    const { context, page: other } = await openWindow(opened.browser)
    other.setDefaultTimeout(10_000)
    await signInWindow(other, product.url, 'admin', product.adminPassword)
    await other.route('**/api/v1/users/groups/*/', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 412, json: { type: 'user_confirm_required', code: 'password', detail: '' } })
        : route.continue(),
    )
    await open('/console/users/groups?order=name', other)
    await other.getByRole('button', { name: 'Actions for group 100' }).click()
    await other.getByRole('menuitem', { name: 'Delete' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const field = other.locator('#confirm-secret')
    await field.and(other.locator(':focus')).waitFor()
    await other.keyboard.type('secret')
    expect(await field.inputValue()).toBe('secret')
    await other.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await other.keyboard.press('Escape')

    await context.clearCookies()
    await other.getByRole('button', { name: 'Refresh' }).click()
    await other.getByRole('dialog', { name: 'You are signed out' }).waitFor()
    await other.getByRole('dialog').getByRole('button', { name: 'Re-Login' }).click()
    await other.waitForURL(/core\/auth\/login/)
    await context.close()
  })

  it('half a minute after an answer the session is kept alive, once', async () => {
    const other = await newPage()
    await other.clock.install()
    await open('/console/users/groups', other)
    await other.locator('tbody tr[data-row-key]').first().waitFor()
    // An answer that is still on its way would begin the half minute again.
    await other.waitForLoadState('networkidle')
    let asked = 0
    other.on('request', (request) => {
      if (request.url().endsWith('/api/v1/users/profile/')) asked++
    })
    await other.clock.runFor(31_000)
    await vi.waitFor(() => expect(asked).toBe(1), patience)
    await other.clock.runFor(60_000)
    expect(asked).toBe(1)
    await other.close()
  })

  it('the columns of a list are asked for once, however often its pages are turned', async () => {
    await open('/console/users/groups')
    await rows().first().waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'OPTIONS') asked++
    })
    for (const at of ['2', '3', '1']) {
      await button(`Page ${at}`).click()
      await page.locator('.pages [aria-current=page]').getByText(at, { exact: true }).waitFor()
    }
    expect(asked).toBe(0)
  })

  it("the head's box ticks the rows in view; a refresh, a filter or Clear drops them", async () => {
    await open('/console/users/groups')
    const all = page.getByRole('checkbox', { name: 'Select all' })
    const chosen = page.locator('.selection-bar').getByText('15 selected')
    await all.check()
    await chosen.waitFor()
    await button('Refresh').click()
    await chosen.waitFor({ state: 'hidden' })
    await all.check()
    await chosen.waitFor()
    await button('Clear').click()
    await chosen.waitFor({ state: 'hidden' })
    await rows().first().getByRole('checkbox').check()
    expect(await page.evaluate(`document.querySelector('thead .box').indeterminate`)).toBe(true)
    await page.getByRole('combobox', { name: 'Filter' }).fill('group 10')
    await page.keyboard.press('Enter')
    await page.locator('.selection-bar').waitFor({ state: 'hidden' })
  })

  it('a dated list begins with seven days, and takes another range by its shortcuts into the address', async () => {
    const other = await newPage()
    const asked: URLSearchParams[] = []
    other.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/api/v1/audits/operate-logs/' && request.method() === 'GET') asked.push(url.searchParams)
    })
    const days = (params: URLSearchParams | undefined) =>
      Math.round((Date.now() - Date.parse(params?.get('date_from') ?? '')) / 86_400_000)
    await open('/audit/audits/operate-logs', other)
    await other.locator('tbody tr[data-row-key]').first().waitFor()
    expect(days(asked.at(-1))).toBe(7)
    await other.locator('.date-range').click()
    await other.getByText('Last 3 months').click()
    await vi.waitFor(() => expect(days(asked.at(-1))).toBe(90), patience)
    await other.getByRole('button', { name: 'Last month' }).waitFor({ state: 'hidden' })
    // And with the keyboard: down into the shortcuts, and back to the field when one is chosen.
    await other.locator('.date-range input').first().press('ArrowDown')
    await other.getByRole('button', { name: 'Last 24 hours' }).and(other.locator(':focus')).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await other.keyboard.press(key)
    await vi.waitFor(() => expect(days(asked.at(-1))).toBe(30), patience)
    await other.locator('.date-range input').first().and(other.locator(':focus')).waitFor()
    await other.locator('.date-range').click()
    await other.getByText('Last 3 months').click()
    await vi.waitFor(() => expect(days(asked.at(-1))).toBe(90), patience)
    expect(days(new URLSearchParams(new URL(other.url()).hash.split('?')[1]))).toBe(90)
    await other.close()
  })

  it('the way back leads to where a list was scrolled to, every other way to the top; its pager shows five pages', async () => {
    const place = () => page.evaluate(`document.getElementById('content').scrollTop`)
    await page.evaluate(`localStorage.setItem('paginationSize', '50')`)
    await open('/console/users/groups?order=name')
    await rows().nth(39).waitFor()
    await page.evaluate(`document.getElementById('content').scrollTop = 500`)
    await rows().nth(20).getByRole('link').click()
    await page.getByRole('heading', { name: /^User group: / }).waitFor()
    expect(await place()).toBe(0)
    await page.goBack()
    await vi.waitFor(async () => expect(await place()).toBe(500), patience)
    await page.evaluate(`localStorage.removeItem('paginationSize')`)
    await open('/audit/audits/operate-logs')
    await page.route('**/api/v1/audits/operate-logs/?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), count: 400 } })
    })
    await button('Refresh').click()
    await button('Page 27').waitFor()
    expect(
      await page
        .locator('.pages')
        .getByRole('button', { name: /^Page / })
        .allInnerTexts(),
    ).toEqual(['1', '2', '3', '4', '27'])
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('a form is busy while it is sent, and a permission names at least one asset or node', async () => {
    await open('/console/perms/asset-permissions/create')
    await button('Create').click()
    await page.getByText('Select at least one asset or node').waitFor()
    await open('/console/users/groups/create')
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/v1/users/groups/', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('slowly made')
    await button('Create').click()
    await page.locator('.form-foot .ant-btn-loading').waitFor()
    expect(await button('Save and add another').isDisabled()).toBe(true)
    letGo()
    await leads(/^#\/console\/users\/groups$/)
    await page.unrouteAll({ behavior: 'wait' })
  })
})
