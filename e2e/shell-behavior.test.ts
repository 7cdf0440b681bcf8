import { openWindow, signInByPage, signInWindow } from '@castellan/testing/browser'
import type { AnyRow, Client } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { answering, type OpenPages, openPages, patience, settingsRead } from './open-pages.ts'

const groupsRead = /\/api\/v1\/users\/groups\/\?/

describeWith('chromium', 'what stands around every screen', () => {
  let opened: OpenPages
  let open: OpenPages['open']
  let start: OpenPages['start']
  let admin: Client
  let page: Page
  let group: AnyRow

  beforeAll(async () => {
    opened = await openPages(async (client) => {
      group = await client.collection('users/groups').create({ name: 'first of all' })
    })
    ;({ admin, page, open, start } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  const tabs = () => page.getByRole('navigation', { name: 'Visited pages' })
  const refresh = async (name: string) => {
    await tabs().getByRole('link', { name, exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Refresh' }).click()
  }

  it('speaks English to a browser that asks for none of its languages, on every page and in every call', async () => {
    const context = await opened.browser.newContext({ locale: 'fr-FR', reducedMotion: 'reduce' })
    const french = await context.newPage()
    const said: (string | undefined)[] = []
    const answered: (string | undefined)[] = []
    french.on('response', (response) => {
      if (!response.url().includes('/api/v1/')) return
      said.push(response.request().headers()['accept-language'])
      answered.push(response.headers()['content-language'])
    })
    await french.goto(`${opened.product.url}/core/auth/login/`)
    await french.getByRole('heading', { name: 'Sign in to Castellan' }).waitFor()
    await signInByPage(french, opened.product.url, 'admin', opened.product.adminPassword)
    await start('/console/users/users', french)
    await french.locator('thead').getByText('Name', { exact: true }).waitFor()
    expect(await french.evaluate('document.cookie')).toContain('django_language=en')
    expect([...new Set(said)]).toEqual(['en'])
    expect([...new Set(answered)]).toEqual(['en'])
    // Another language, chosen on the sign-in page, is the console's and the web terminal's too.
    await french.goto(`${opened.product.url}/core/auth/logout/`)
    await french.goto(`${opened.product.url}/core/auth/login/`)
    await french.getByRole('button', { name: '日本語' }).click()
    await french.getByRole('heading', { name: 'Castellan にログイン' }).waitFor()
    await signInByPage(french, opened.product.url, 'admin', opened.product.adminPassword)
    await start('/console/users/users', french)
    await french.locator('thead').getByText('名前', { exact: true }).waitFor()
    expect((await context.cookies()).find(({ name }) => name === 'django_language')?.value).toBe('ja')
    await french.goto(`${opened.product.url}/luna/`)
    await vi.waitFor(async () => expect(await french.evaluate('document.documentElement.lang')).toBe('ja'), patience)
    await context.close()
  })

  const starts = [
    ['/ui/', 'en', 'The page could not start', 'The server cannot be reached.', 'Try again'],
    ['/luna/', 'en', 'The page could not start', 'The server cannot be reached.', 'Try again'],
    ['/ui/', 'zh', '页面无法启动', '无法连接服务器', '重试'],
    ['/luna/', 'ja', 'ページを起動できません', 'サーバーに接続できません', '再試行'],
  ] as const
  it.each(starts)(
    '%s that cannot start says so in words (%s), and once more when it is told',
    async (path, language, title, network, again) => {
      const { context, page: own } = await openWindow(opened.browser, {
        language,
        storageState: await page.context().storageState(),
      })
      await own.addInitScript(`localStorage.removeItem('lang')`)
      await context.clearCookies({ name: 'django_language' })
      const profile = '**/api/v1/users/profile/'
      await own.route(profile, (route) => route.abort())
      await own.goto(`${opened.product.url}${path}`)
      await own.getByRole('heading', { name: title }).waitFor()
      await own.getByText(network).waitFor()
      // In the middle of the page, as every state that fills one.
      const { x, width } = (await own.getByRole('heading', { name: title }).boundingBox()) ?? { x: 0, width: 0 }
      expect(Math.abs(x + width / 2 - 720)).toBeLessThan(2)
      await own.unroute(profile)
      await own.route(profile, (route) => route.fulfill({ status: 500, body: 'oops' }))
      await own.getByRole('button', { name: again }).click()
      await own.getByText(network).waitFor({ state: 'hidden' })
      await own.getByRole('heading', { name: title }).waitFor()
      expect(await own.locator('body').innerText()).not.toMatch(/error[A-Z]|oops/)
      await own.unroute(profile)
      await own.getByRole('button', { name: again }).click()
      await own.getByRole('heading', { name: title }).waitFor({ state: 'hidden' })
      await context.close()
    },
  )

  it('says so too when parts of the page itself are not there', async () => {
    const { context, page: own } = await openWindow(opened.browser, {
      storageState: await page.context().storageState(),
    })
    await own.route('**/assets/en-*.js', (route) => route.abort())
    await own.goto(`${opened.product.url}/ui/`)
    await own.getByRole('heading', { name: 'The page could not start' }).waitFor()
    await context.close()
  })

  it('reads a tab anew when it is refreshed, however short ago it was read, and no other one', async () => {
    await open('/console/users/groups')
    await page.getByRole('link', { name: 'first of all' }).waitFor()
    const read: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/v1/')) read.push(new URL(request.url()).pathname)
    })
    await admin.collection('users/groups').create({ name: 'second' })
    await refresh('User groups')
    await page.getByRole('link', { name: 'second' }).waitFor()
    expect([...new Set(read)]).toEqual(['/api/v1/users/groups/'])
    await page.evaluate("location.hash = '/console/users/users'")
    await page.getByRole('link', { name: 'Administrator' }).waitFor()
    read.length = 0
    await admin.collection('users/groups').create({ name: 'third' })
    await refresh('User groups')
    await page.getByRole('link', { name: 'third' }).waitFor()
    expect([...new Set(read)]).toEqual(['/api/v1/users/groups/'])
    page.removeAllListeners('request')
  })

  it('keeps the first pages of both views in the strip, and closes the others', async () => {
    await start('/console/users/groups')
    const titles = () => tabs().getByRole('link').allInnerTexts()
    await vi.waitFor(async () => expect(await titles()).toEqual(['Dashboard', 'User groups']), patience)
    await page.evaluate("location.hash = '/audit/audits/login-logs'")
    await vi.waitFor(
      async () => expect(await titles()).toEqual(['Dashboard', 'Audit: Dashboard', 'User groups', 'Sign-ins']),
      patience,
    )
    await tabs().getByRole('link', { name: 'Sign-ins' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Close all' }).click()
    await vi.waitFor(async () => expect(await titles()).toEqual(['Dashboard', 'Audit: Dashboard']), patience)
    await vi.waitFor(() => expect(page.url()).toMatch(/#\/audit\/dashboard/), patience)
  })

  it('makes a call that fails no second time by itself', async () => {
    let asked = 0
    await page.route(groupsRead, (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      asked += 1
      return route.abort()
    })
    await start('/console/users/groups')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(asked).toBe(1)
    await page.unroute(groupsRead)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'first of all' }).waitFor()
  })

  it('offers to delete an object beside changing it, and calls one that is gone not found', async () => {
    const gone = await admin.collection('users/groups').create({ name: 'soon gone' })
    await open(`/console/users/groups/${gone.id}`)
    await page.getByRole('button', { name: 'Update', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/#\/console\/users\/groups$/)
    await open(`/console/users/groups/${gone.id}`)
    await page.getByRole('heading', { level: 1, name: 'User group not found' }).waitFor()
    await page.route(`**/api/v1/users/groups/${group.id}/`, (route) => route.fulfill({ status: 403, json: {} }))
    await open(`/console/users/groups/${group.id}`)
    await page.getByRole('heading', { level: 1, name: 'User group cannot be loaded' }).waitFor()
    await page.unroute(`**/api/v1/users/groups/${group.id}/`)
  })

  it('says once what is the matter with the license, and leads to its page from others only', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await answering(page, '**/api/v1/xpack/license/detail', (json) => ({ ...json, date_expired: today }))
    await start('/console/users/groups')
    await page.getByText('The license ends today').waitFor()
    await page.getByRole('link', { name: 'Show the license' }).click()
    await page.getByRole('heading', { level: 1, name: 'License' }).waitFor()
    await page.getByText(today).waitFor()
    const facts = await page.locator('dl dd').allInnerTexts()
    expect(facts).toEqual([...new Set(facts)])
    expect(await page.getByText('The license ends today').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Show the license' }).count()).toBe(0)
    await page.unroute('**/api/v1/xpack/license/detail')
  })

  it('names the window of a task log as every other, and has a menu without what leads nowhere', async () => {
    await answering(page, settingsRead, (json) => ({
      ...json,
      HELP_DOCUMENT_URL: '',
      HELP_SUPPORT_URL: '',
      INTERFACE: { ...(json.INTERFACE as object), login_title: 'Halden' },
    }))
    await opened.load('/ops/celery/task/0c1f8e0a-0000-4000-8000-000000000001/log/')
    await vi.waitFor(async () => expect(await page.title()).toBe('Task log - Halden'), patience)
    // Nobody knows this task: it neither runs nor can be stopped.
    await page.getByText('This task does not exist').waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    await start('/console/users/groups')
    await page.getByRole('button', { name: 'Help' }).click()
    const help = page.locator('.ant-dropdown').getByRole('menuitem')
    await vi.waitFor(
      async () => expect(await help.allInnerTexts()).toEqual(['Connect with your own tools', 'About']),
      patience,
    )
    await page.unroute(settingsRead)
  })

  it('wears every color of the installation, and words on them stay readable', async () => {
    const colors = {
      '--color-primary': '#7a1fa2',
      '--color-success': '#0b7a3b',
      '--color-warning': '#a05a00',
      '--color-danger': '#b00020',
      '--color-info': '#0b5cad',
      '--banner-bg': '#123456',
      '--menu-bg': '#ffe0f0',
      '--submenu-bg': '#fff0f8',
      '--menu-text': '#333344',
      '--menu-text-active': '#7a1fa2',
      '--menu-hover': '#fff8fc',
    }
    await answering(page, settingsRead, (json) => ({
      ...json,
      INTERFACE: { ...(json.INTERFACE as object), theme_info: { name: 'own', colors } },
    }))
    await start('/console/users/groups')
    await page.emulateMedia({ colorScheme: 'light' })
    const of = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`)
    await vi.waitFor(async () => expect(await of('.topbar', 'background-color')).toBe('rgb(18, 52, 86)'), patience)
    expect(await of('.topbar .switch', 'color')).toBe('rgb(255, 255, 255)')
    expect(await of('.sidebar', 'background-color')).toBe('rgb(255, 224, 240)')
    expect(await of('.sidebar .ant-menu-sub', 'background-color')).toBe('rgb(255, 240, 248)')
    expect(
      await of('.sidebar .ant-menu-submenu:not(.ant-menu-submenu-selected) > .ant-menu-submenu-title', 'color'),
    ).toBe('rgb(51, 51, 68)')
    for (const [own, value] of [
      ['--accent', '#7a1fa2'],
      ['--ok', '#0b7a3b'],
      ['--danger', '#b00020'],
      ['--info', '#0b5cad'],
      ['--warning', '#a05a00'],
    ])
      expect([own, await of('html', own ?? '')]).toEqual([own, value])
    for (const [name, value] of Object.entries(colors)) expect([name, await of('html', name)]).toEqual([name, value])
    // What was chosen for a light page is not painted on a dark one.
    await page.emulateMedia({ colorScheme: 'dark' })
    await vi.waitFor(async () => expect(await of('.topbar', 'background-color')).toBe('rgba(0, 0, 0, 0)'), patience)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.unroute(settingsRead)
  })

  it('answers where themes are fetched, and where pages that keep a state of their own sign out', async () => {
    for (const name of ['element-ui', 'element-extra']) {
      const answer = await fetch(`${opened.product.url}/ui/theme/${name}.css`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/css/)])
    }
    const { context, page: own } = await openWindow(opened.browser)
    await signInWindow(own, opened.product.url, 'admin', opened.product.adminPassword)
    const address = `${opened.product.url}/vue-admin-template/user/logout`
    const token = (await context.cookies()).find(({ name }) => name.endsWith('csrftoken'))?.value ?? ''
    expect((await own.request.post(address)).status()).toBe(403)
    const headers = { 'X-CSRFToken': token, Referer: `${opened.product.url}/ui/` }
    expect((await own.request.post(address, { headers })).status()).toBe(200)
    expect((await own.request.get(`${opened.product.url}/api/v1/users/profile/`)).status()).toBe(401)
    await context.close()
  })
})
