import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { openWindow, signInByPage } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answering, type OpenPages, openPages, settingsRead } from './open-pages.ts'

const password = 'Matilda-address-12'
/** As an installation with other settings tells them. */
const withSettings = (page: Page, more: object) => answering(page, settingsRead, (json) => ({ ...json, ...more }))

describeWith('chromium', 'addresses, views and organizations', () => {
  let opened: OpenPages
  let open: OpenPages['open']
  let start: OpenPages['start']
  let leads: OpenPages['leads']
  let admin: Client
  let page: Page
  let group: AnyRow

  beforeAll(async () => {
    opened = await openPages(async (client) => {
      await client.collection('orgs/orgs').create({ name: 'Branch' })
      group = await client.collection('users/groups').create({ name: 'web1 people' })
    })
    ;({ admin, page, open, start, leads } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  const stored = (name: string) => page.evaluate(`JSON.parse(localStorage.getItem('${name}'))`)
  const remember = (org: object) =>
    page.evaluate(`localStorage.setItem('jms_current_org_admin', '${JSON.stringify(org)}')`)
  /** A window of its own for somebody who has been through the first sign-in's questions, unless they have not. */
  async function windowOf(name: string, isFirst = false): Promise<{ page: Page; close: () => Promise<void> }> {
    await makePerson(admin, name, password)
    const own = await signIn(opened.product.url, name, password)
    if (!isFirst) await own.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const { context, page } = await openWindow(opened.browser)
    page.setDefaultTimeout(15_000)
    await signInByPage(page, opened.product.url, name, password)
    return { page, close: () => context.close() }
  }

  it.each([
    ['without the paid extension', { XPACK_ENABLED: false, XPACK_LICENSE_IS_VALID: false }],
    ['after the license has ended', { XPACK_LICENSE_IS_VALID: false }],
  ])('%s the organization is the default one, whatever was chosen before', async (_when, settings) => {
    await start('/console/users/groups')
    await remember({ id: rootOrgId, name: 'GLOBAL' })
    await page.evaluate(`document.cookie = 'X-JMS-ORG=${rootOrgId}; path=/'`)
    await withSettings(page, settings)
    const asked = page.waitForRequest(/users\/groups\/\?/)
    await start('/console/users/groups')
    expect((await asked).headers()['x-jms-org']).toBe(defaultOrgId)
    await page.getByRole('button', { name: 'Create user group' }).first().waitFor()
    await page.getByRole('button', { name: 'Import' }).waitFor()
    await page.getByRole('button', { name: 'Actions for web1 people' }).waitFor()
    expect(await page.locator('.org-select').count()).toBe(0)
    // The web terminal too.
    await page.context().addCookies([{ name: 'X-JMS-LUNA-ORG', value: rootOrgId, url: opened.product.url }])
    const tree = page.waitForRequest(/perms\/users\/self/)
    await page.goto(`${opened.product.url}/luna/`)
    expect((await tree).headers()['x-jms-org']).toBe(defaultOrgId)
    await page.unroute(settingsRead)
  })

  it('enters the organization of the settings from the selector, and restores the one before on leaving', async () => {
    await start('/console/users/groups')
    await page.getByRole('combobox', { name: 'Organization' }).click()
    await page.getByTitle('Settings', { exact: true }).last().click()
    await leads(/^#\/settings\//)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await stored('jms_current_org_admin')).toMatchObject({ id: systemOrgId, name: 'SystemSetting' })
    expect(await stored('PRE_ORG_admin')).toMatchObject({ id: defaultOrgId })
    expect(await page.evaluate('document.cookie')).toContain(`X-JMS-ORG=${systemOrgId}`)
    await start('/settings/orgs')
    await start('/console/users/groups')
    await page.locator('.org-select').getByText('Default').waitFor()
    expect(await stored('jms_current_org_admin')).toMatchObject({ id: defaultOrgId })
    expect(await page.evaluate('document.cookie')).toContain(`X-JMS-ORG=${defaultOrgId}`)
  })

  it('keeps what was searched for when the organization is changed', async () => {
    await start('/console/users/groups?search=web1&page=2')
    await page.getByRole('combobox', { name: 'Organization' }).click()
    const reloaded = page.waitForEvent('load')
    await page.getByTitle('Branch').last().click()
    await reloaded
    await leads(/^#\/console\/users\/groups\?search=web1$/)
    await remember({ id: defaultOrgId, name: 'Default' })
  })

  it('changes nothing where all organizations are seen, and says where it is changed', async () => {
    await start('/console/users/groups')
    await remember({ id: rootOrgId, name: 'GLOBAL' })
    await start(`/console/users/groups/${group.id}/update`)
    await page.getByText('Switch to the organization of this object to change it').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Switch to an organization' }).click()
    const reloaded = page.waitForEvent('load')
    await page.getByTitle('Default', { exact: true }).last().click()
    await reloaded
    await leads(/^#\/console\/users\/groups$/)
    await page.getByRole('button', { name: 'Actions for web1 people' }).waitFor()
  })

  it.each([
    ['/console/assets', '/console/assets/assets'],
    ['/console/accounts', '/console/accounts/accounts'],
    ['/console/perms', '/console/perms/asset-permissions'],
    ['/audit/logs', '/audit/audits/login-logs'],
    ['/console/users/', '/console/users/users'],
    ['/console', '/console/dashboard'],
  ])('%s, which is no screen, leads to the first one below', async (address, to) => {
    await open(address)
    await leads(new RegExp(`^#${to}$`))
    await page.getByRole('alert').getByText('404').waitFor({ state: 'detached' })
  })

  it('takes an address with a slash at its end for the same page, and leads to no other host', async () => {
    await start('/console/users/groups')
    await page.evaluate("location.hash = '/console/users/groups/?search=web1'")
    await leads(/^#\/console\/users\/groups\?search=web1$/)
    const tabs = page.getByRole('navigation', { name: 'Visited pages' }).getByRole('link', { name: 'User groups' })
    expect(await tabs.count()).toBe(1)
    for (const away of ['//example.com/', '/redirect//example.com/', '/redirect/\\example.com']) {
      await opened.load(away)
      await leads(/^#\/404/)
      expect(new URL(page.url()).origin).toBe(opened.product.url)
    }
  })

  it('says 403 at an address somebody may not see, and leads from a view they lack to their first one', async () => {
    const { page: own, close } = await windowOf('matilda')
    await own.waitForURL(/#\/workbench\/home/)
    for (const address of ['/console/users/users', '/audit/audits/login-logs', '/settings/license']) {
      await open(address, own)
      await own.getByRole('heading', { name: 'No permission' }).waitFor()
      await own.getByText('Ask an administrator for a role').waitFor()
      await leads(address, own)
    }
    for (const address of ['/console', '/console/dashboard', '/settings']) {
      await start(address, own)
      await leads(/^#\/workbench\/home/, own)
    }
    // With one view there is nothing to switch to, and from their own pages a way back.
    await own.locator('.topbar .switch').getByText('Workbench').waitFor()
    expect(await own.locator('.topbar').getByRole('button', { name: 'Workbench' }).count()).toBe(0)
    await start('/profile/info', own)
    await own.locator('.topbar').getByRole('link', { name: 'Workbench' }).click()
    await leads(/^#\/workbench\/home/, own)
    await close()
  })

  it('leads from a view that is missing to the first one, not to the one before', async () => {
    const withoutConsole = async (route: Parameters<Parameters<Page['route']>[1]>[0]) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), console_orgs: [] } })
    }
    await page.route('**/api/v1/users/profile/', withoutConsole)
    await page.evaluate("localStorage.setItem('PreView', 'workbench')")
    await start('/console')
    await leads(/^#\/audit\/dashboard/)
    await page.unroute('**/api/v1/users/profile/')
    await page.evaluate("localStorage.removeItem('PreView')")
  })

  it('says that the license is the reason where it is', async () => {
    await withSettings(page, { XPACK_LICENSE_IS_VALID: false })
    await start('/console/users/roles')
    await page.getByRole('heading', { name: 'No valid license' }).waitFor()
    expect(await page.getByText('Ask an administrator for a role').count()).toBe(0)
    await page.getByRole('link', { name: 'Show the license' }).last().click()
    await leads(/^#\/settings\/license/)
    await page.unroute(settingsRead)
  })

  it('holds whoever comes for the first time until they have answered, and then leads where they wanted to', async () => {
    const { page: own, close } = await windowOf('newcomer', true)
    for (const address of ['/workbench/assets?search=web1', '/profile/info', '/workbench/assets?search=web1']) {
      await opened.load(address, own)
      await leads(/^#\/profile\/improvement/, own)
    }
    await own.getByRole('menuitem', { name: 'Preferences' }).click()
    await leads(/^#\/profile\/improvement/, own)
    await start('/workbench/assets?search=web1', own)
    await own.getByRole('checkbox', { name: /agree/ }).check()
    await own.getByRole('button', { name: 'Done' }).click()
    await leads(/^#\/workbench\/assets\?search=web1/, own)
    await start('/profile/info', own)
    await leads(/^#\/profile\/info/, own)
    await close()
  })
})
