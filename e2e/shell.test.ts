import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { openWindow, signInByPage, signInWindow } from '@castellan/testing/browser'
import { type Client, signIn } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { makePerson } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { framesPassed } from './open-pages.ts'

const run = promisify(execFile)
const patience = { timeout: 15_000, interval: 50 }
const password = 'Olivia-shell-12'

describeWith('chromium', 'the shell', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let browser: Browser
  let admin: Client
  let page: Page
  let branch: { id: string }

  beforeAll(async () => {
    opened = await openConsole({
      newcomer: true,
      prepare: async (client) => {
        branch = await client.collection('orgs/orgs').create({ name: 'Branch' })
      },
    })
    ;({ product, browser, admin, page } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  const open = async (address: string, where = page) => {
    await where.goto(`${product.url}/ui/#${address}`)
    await where.locator('h1').first().waitFor()
  }
  const hash = (text: string | RegExp) => vi.waitFor(() => expect(new URL(page.url()).hash).toMatch(text), patience)
  const tabs = () => page.getByRole('navigation', { name: 'Visited pages' })

  it('tells once that there are several views', async () => {
    const hint = page.getByText('Switch views')
    await page.goto(`${product.url}/ui/`)
    await hint.waitFor()
    await page.locator('.page-head').first().waitFor()
    // It covers neither the heading nor what stands beside it. Both in one look: the page replaces its first heading.
    const places = () =>
      page.locator('body').evaluate((body) => {
        const box = (selector: string) => body.querySelector(selector)?.getBoundingClientRect()
        return { hint: box('.content > .ant-alert')?.bottom, heading: box('.page-head')?.top }
      })
    await vi.waitFor(async () => {
      const { hint, heading } = await places()
      expect(hint).toBeGreaterThan(0)
      expect(heading).toBeGreaterThanOrEqual(hint ?? Number.NaN)
    }, patience)
    await page.getByRole('button', { name: 'Got it' }).click()
    await hint.waitFor({ state: 'hidden' })
    await page.reload()
    await page.locator('h1').first().waitFor()
    expect(await hint.count()).toBe(0)
  })

  it('switches views and remembers the last one', async () => {
    await page.locator('.topbar .switch').click()
    await page.getByRole('menuitem', { name: 'Audit' }).click()
    await hash(/^#\/audit\/dashboard/)
    await page.goto('about:blank')
    await page.goto(`${product.url}/ui/`)
    await hash(/^#\/audit\/dashboard/)
    await page.getByRole('menuitem', { name: 'Sign-ins' }).waitFor()
    expect(await page.evaluate("localStorage.getItem('PreView')")).toBe('audit')
    await page.goto(`${product.url}/ui/#/audit/nowhere`)
    await hash('#/404')
    expect(await page.locator('.topbar .switch').innerText()).toBe('Audit')
    await page.goto(`${product.url}/ui/#/audit/dashboard`)
  })

  it('keeps a strip of visited pages that closes one, others and all', async () => {
    for (const [path, title] of [
      ['/console/users/users', 'Users'],
      ['/console/users/groups', 'User groups'],
      ['/console/perms/asset-permissions', 'Asset permissions'],
    ] as const) {
      await open(path)
      await tabs().getByRole('link', { name: title, exact: true }).waitFor()
    }
    const titles = () => tabs().getByRole('link').allInnerTexts()
    await tabs().getByRole('button', { name: 'Close User groups' }).click()
    await vi.waitFor(async () => expect(await titles()).not.toContain('User groups'), patience)
    await tabs().getByRole('link', { name: 'Users' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Close others' }).click()
    // The first pages of both views stay.
    await vi.waitFor(async () => expect(await titles()).toEqual(['Dashboard', 'Console: Dashboard', 'Users']), patience)
    await hash(/^#\/console\/users\/users/)
    await tabs().getByRole('link', { name: 'Users' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Close all' }).click()
    await hash(/^#\/console\/dashboard/)
  })

  it('takes the tab of a form away once it is saved', async () => {
    await open('/console/users/groups/create')
    await tabs().getByRole('link', { name: 'Create user group' }).waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('made and done with')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('made and done with').first().waitFor()
    expect(await tabs().getByRole('link').allInnerTexts()).not.toContain('Create user group')
  })

  it('remembers whether its menu is open', async () => {
    await page.getByRole('button', { name: 'Collapse the menu' }).click()
    expect(await page.evaluate('document.cookie')).toContain('sidebarStatus=0')
    await page.reload()
    await page.getByRole('button', { name: 'Expand the menu' }).click()
    expect(await page.evaluate('document.cookie')).toContain('sidebarStatus=1')
  })

  it('changes the organization and keeps the place, without what names an object', async () => {
    const one = await admin.collection('users/groups').create({ name: 'only in the default one' })
    await open(`/console/users/groups/${one.id}`)
    await page.getByRole('combobox', { name: 'Organization' }).click()
    const reloaded = page.waitForEvent('load')
    await page.getByTitle('Branch').last().click()
    await reloaded
    await hash(/^#\/console\/users\/groups$/)
    await page.locator('.org-select').getByText('Branch').waitFor()
    await page.locator('h1').first().waitFor()
    expect(await page.getByText('only in the default one').count()).toBe(0)
    expect(await page.evaluate('document.cookie')).toContain(`X-JMS-ORG=${branch.id}`)
    await page.goto('about:blank')
    await open(`/console/users/groups?oid=${defaultOrgId}`)
    await page.getByRole('link', { name: 'only in the default one' }).waitFor()
  })

  it('asks for an organization where something new would belong to none, and goes on with the form in it', async () => {
    await page.goto('about:blank')
    await open('/console/users/groups')
    await page.getByRole('combobox', { name: 'Organization' }).click()
    const seeingAll = page.waitForEvent('load')
    await page.getByTitle('GLOBAL', { exact: true }).last().click()
    await seeingAll
    await page.getByRole('link', { name: 'only in the default one' }).waitFor()
    // Nothing can be changed there: rows are ticked for a file of them, and nothing else is offered.
    await page.locator('tbody tr[data-row-key]').first().getByRole('checkbox').check()
    const bar = page.locator('.selection-bar')
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Export', 'Clear'])
    await bar.getByRole('button', { name: 'Export' }).click()
    const choice = page.getByRole('dialog', { name: 'Export' })
    expect(await choice.getByRole('radio', { name: /^Selected/ }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    for (const address of ['/console/users/groups/create', `/console/users/groups/create?oid=${rootOrgId}`]) {
      await open(address)
      await page.getByText('You are viewing all organizations.').waitFor()
    }
    expect(await page.getByRole('button', { name: 'Create', exact: true }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Choose an organization' }).click()
    const reloaded = page.waitForEvent('load')
    await page.getByTitle('Branch', { exact: true }).last().click()
    await reloaded
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('of the branch')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('link', { name: 'of the branch' }).first().waitFor()
    const names = async (where: string) =>
      (await admin.in(where).collection('users/groups').all()).map(({ name }) => name)
    expect(await names(branch.id)).toContain('of the branch')
    expect(await names(defaultOrgId)).not.toContain('of the branch')
    await page.goto('about:blank')
    await open(`/console/users/groups?oid=${defaultOrgId}`)
  })

  it('makes an organization from the selector, and offers it at once', async () => {
    await page.goto('about:blank')
    await open('/console/users/users')
    await page.getByRole('combobox', { name: 'Organization' }).click()
    await page.getByTitle('Create organization').last().click()
    await hash(/^#\/settings\/orgs\/create/)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Second branch')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('row').getByRole('link', { name: 'Second branch' }).waitFor()
    await open('/console/users/users')
    await page.getByRole('combobox', { name: 'Organization' }).click()
    await page.getByTitle('Second branch').last().waitFor()
    expect(
      await page
        .locator('.ant-select-item')
        .filter({ hasText: /^System/ })
        .count(),
    ).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('shows a message for its whole time, also one that replaces another', async () => {
    const { context, page: other } = await openWindow(opened.browser)
    await signInWindow(other, product.url, 'admin', product.adminPassword)
    await other.clock.install()
    await other.goto('about:blank')
    await open('/settings/license', other)
    const refused = async (msg: string) => {
      await other.route('**/xpack/license/import', (route) => route.fulfill({ json: { status: false, msg } }))
      await other
        .locator('input[type=file]')
        .setInputFiles({ name: `${msg}.lic`, mimeType: 'text/plain', buffer: Buffer.from(msg) })
      await other.locator('.ant-message').getByText(msg).waitFor()
    }
    await refused('first')
    // An error stays for five seconds; after four of them comes the next.
    await other.clock.fastForward(4000)
    await refused('second')
    await other.clock.fastForward(3000)
    expect(await other.locator('.ant-message').innerText()).toBe('second')
    await other.clock.fastForward(5000)
    await other.locator('.ant-message').getByText('second').waitFor({ state: 'detached' })
    await context.close()
  })

  it('shows the license, takes another one, and refuses what is none', async () => {
    await open('/settings/license')
    await page.getByText('No expiry date').waitFor()
    await page.getByText(', no limit').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'wrong.lic', mimeType: 'text/plain', buffer: Buffer.from('no.license') })
    await page
      .locator('.ant-message')
      .getByText(/licen[cs]e/i)
      .waitFor()

    const words = ['packages/server/src/issue-license.ts', '--days', '3', '--assets', '500']
    const env = { ...process.env, CASTELLAN_DATA_DIR: product.dataDir }
    const { stdout } = await run(process.execPath, words, { env })
    const reloaded = page.waitForEvent('load')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'example.lic', mimeType: 'text/plain', buffer: Buffer.from(stdout) })
    await reloaded
    await page.getByText('of 500').waitFor()
    await open('/console/users/users')
    await page.getByRole('alert').getByText('The license ends in').waitFor()
  })

  it('leads from the help to the page for own tools, in its own tab and the same language', async () => {
    await page.getByRole('button', { name: 'Help' }).click()
    const opening = page.context().waitForEvent('page')
    await page.getByRole('menuitem', { name: 'Connect with your own tools' }).click()
    const tools = await opening
    await tools.getByRole('heading', { name: 'Connect with your own tools' }).waitFor()
    expect(await tools.getByText(/^ssh -p \d+ you@/).count()).toBe(2)
    await tools.close()
  })

  it('leads somebody to the first view they may enter, and says 403 and 404 where that is the answer', async () => {
    await makePerson(admin, 'olivia', password)
    const client = await signIn(product.url, 'olivia', password)
    await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const own = await openWindow(browser)
    await signInByPage(own.page, product.url, 'olivia', password)
    await own.page.waitForURL(/workbench\/home/)
    await own.page.goto(`${product.url}/ui/#/console/users/users`)
    await own.page.getByRole('alert').getByText('403').waitFor()
    await own.page.goto(`${product.url}/ui/#/workbench/nowhere`)
    await own.page.waitForURL(/#\/404/)
    await own.page.getByRole('alert').getByText('404').waitFor()
    expect(await own.page.locator('.topbar .switch').innerText()).toBe('Workbench')
    expect(await own.page.locator('.topbar').getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await own.context.close()
  })

  it('begins the dashboard with what needs a person, each line leading to its list', async () => {
    await admin.collection('users/users').create({ name: 'Peter', username: 'peter', email: 'peter@example.com' })
    for (let tried = 0; tried < 8; tried++) await signIn(product.url, 'peter', 'not-this-one').catch(() => {})
    const [soon, late] = [3, 30].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    await admin.collection('perms/asset-permissions').create({ name: 'Nearly over', date_expired: soon })
    await admin.collection('perms/asset-permissions').create({ name: 'Not yet', date_expired: late })
    const own = await openWindow(browser)
    await own.page.goto(`${product.url}/core/auth/login/`)
    await own.page.locator('input[name=username]').fill('olivia')
    await own.page.locator('input[type=password]').fill('not-this-one')
    await own.page.keyboard.press('Enter')
    await own.page.getByRole('alert').first().waitFor()
    await signInWindow(own.page, product.url, 'admin', product.adminPassword)
    await own.page.goto(`${product.url}/ui/#/console/dashboard`)
    await own.page.getByRole('heading', { name: 'Live now' }).waitFor()
    await own.page.getByRole('link', { name: /sign-ins were refused since yesterday most recently olivia/ }).click()
    await own.page.waitForURL(/audits\/login-logs.*status=0/)
    await own.page.getByRole('row').filter({ hasText: 'olivia' }).first().waitFor()
    await own.page.goto(`${product.url}/ui/#/console/dashboard`)
    await own.page.getByRole('link', { name: /1 user is locked after failed sign-ins/ }).click()
    await own.page.waitForURL(/users\/users.*locked=true/)
    await own.page.getByRole('link', { name: 'Peter', exact: true }).waitFor()
    expect(await own.page.locator('tbody tr[data-row-key]').count()).toBe(1)
    await own.page.goto(`${product.url}/ui/#/console/dashboard`)
    await own.page.getByRole('link', { name: /1 permission ends within 7 days/ }).click()
    await own.page.getByRole('link', { name: 'Nearly over', exact: true }).waitFor()
    await own.page.locator('.chip').getByText('7 days').waitFor()
    expect(await own.page.locator('tbody tr[data-row-key]').count()).toBe(1)
    await own.context.close()
  })

  it('shows a message the moment it is sent, and what was read is no longer counted', async () => {
    await page.goto('about:blank')
    await open('/console/users/users')
    const bell = page.getByRole('button', { name: /^Messages/ })
    const me = await admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
    await admin.request('PATCH', `/api/v1/users/users/${me.id}/pubkey/reset/`, {})
    await bell.and(page.getByRole('button', { name: /unread/ })).waitFor()
    await bell.click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page
      .getByRole('dialog', { name: 'Mark all as read' })
      .getByRole('button', { name: 'Mark all as read' })
      .click()
    await page.getByText('No unread messages').waitFor()
    await page.getByRole('button', { name: 'Messages', exact: true }).waitFor()
  })

  it('finds screens and objects by name', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    // At once: whoever knows where they go does not wait for the field.
    await page.keyboard.type('User groups')
    const palette = page.getByRole('dialog')
    await vi.waitFor(async () => expect(await palette.locator('input').inputValue()).toBe('User groups'))
    await palette.getByText('User groups').first().waitFor()
    const lit = await palette.getByRole('combobox').getAttribute('aria-activedescendant')
    const option = palette.getByRole('option', { selected: true })
    expect([await option.getAttribute('id'), await option.innerText()]).toEqual([
      lit,
      expect.stringMatching(/^User groups/),
    ])
    await page.keyboard.press('Enter')
    await hash(/^#\/console\/users\/groups/)
  })

  it('is light or dark in every window at once', async () => {
    const windows = [page, await page.context().newPage(), await page.context().newPage()] as const
    await windows[1].goto(`${product.url}/ui/#/console/users/groups`)
    await windows[2].goto(`${product.url}/luna/`)
    const looks = () => Promise.all(windows.map((one) => one.locator('html').getAttribute('data-theme')))
    const choose = async (word: string, look: string) => {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: word }).click()
      await vi.waitFor(async () => expect(await looks()).toEqual([look, look, look]), patience)
    }
    await windows[1].getByRole('heading', { level: 1 }).first().waitFor()
    await choose('Dark', 'dark')
    await choose('Light', 'light')
    await windows[1].close()
    await windows[2].close()
  })

  it('ends the session on the way out', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/core\/auth\/login/)
    await page.goto(`${product.url}/ui/#/console/users/groups`)
    await page.waitForURL(/core\/auth\/login/)
    await signInByPage(page, product.url, 'admin', product.adminPassword)
    await hash(/^#\/audit\/dashboard/)
  })

  it('the dashboard keeps its shape while its numbers come in', async () => {
    const other = await page.context().newPage()
    await other.addInitScript(`{
      window.moved = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    }`)
    // What comes late, as from far away: when all else is there and drawn.
    const late = /terminal\/sessions|login-logs|dates_/
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await other.route(late, async (route) => {
      await arrived
      await route.continue()
    })
    const near = new Set<Request>()
    other.on('request', (request) => !late.test(request.url()) && near.add(request))
    const ended = (request: Request) => void near.delete(request)
    other.on('requestfinished', ended).on('requestfailed', ended)
    // Nobody is told their first steps, which come above all of it once.
    await other.route('**/perms/asset-permissions/?*', (route) => route.abort())
    await open('/console/dashboard', other)
    await other.locator('.plot[aria-busy]').first().waitFor()
    await vi.waitFor(() => expect(near.size).toBe(0), patience)
    await framesPassed(other)
    arrive()
    await other.waitForLoadState('networkidle')
    await other.locator('.plot canvas, .plot svg').first().waitFor()
    expect(await other.evaluate('moved')).toBeLessThan(0.05)
    // Its numbers for whoever does not see its curves: seven days and what they are.
    const numbers = other.getByRole('table', { name: 'Active users and assets per day' })
    expect(await numbers.getByRole('row').count()).toBe(8)
    await other.close()
  })
})
