import { defaultOrgId } from '@castellan/contract/ids'
import { openWindow, signInByPage } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { makePerson } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const patience = { timeout: 15_000, interval: 50 }
const password = 'Beatrice-branch-12'

/** Somebody who holds these roles, by organization, and has been through the first sign-in's questions. */
async function makeMember(admin: Client, url: string, name: string, roles: Record<string, string>): Promise<void> {
  const [[first, role] = ['', ''], ...others] = Object.entries(roles)
  const user = await makePerson(admin.in(first), name, password, { org_roles: [role] })
  for (const [org, other] of others)
    await admin.in(org).request('POST', '/api/v1/rbac/org-role-bindings/', { user: user.id, role: other, org })
  const own = await signIn(url, name, password)
  await own.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
}

async function roleOf(admin: Client, name: string): Promise<string> {
  const roles = await admin.collection<AnyRow & { name: string }>('rbac/org-roles').all()
  return roles.find((row) => row.name === name)?.id ?? ''
}

/** A role that enters the console and sees user groups, and nothing else. */
async function makeConsoleRole(admin: Client): Promise<string> {
  const all = await admin
    .collection<AnyRow & { codename: string; content_type: { app_label: string } }>('rbac/permissions')
    .all()
  const wanted = ['rbac.view_console', 'users.view_usergroup']
  const permissions = all
    .filter(({ codename, content_type }) => wanted.includes(`${content_type.app_label}.${codename}`))
    .map(({ id }) => id)
  return (await admin.collection('rbac/org-roles').create({ name: 'console only', scope: 'org', permissions })).id
}

describeWith('chromium', 'a session in the console', () => {
  let opened: OpenConsole
  let branch: AnyRow

  beforeAll(async () => {
    opened = await openConsole({
      prepare: async (client) => {
        branch = await client.collection('orgs/orgs').create({ name: 'Branch' })
        await client.collection('users/groups').create({ name: 'of the default organization' })
      },
    })
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  /** A window of its own for somebody, so that what happens to its session happens to nobody else. */
  async function windowOf(name: string, secret: string): Promise<{ page: Page; close: () => Promise<void> }> {
    const { page, context } = await openWindow(opened.browser)
    page.setDefaultTimeout(15_000)
    await signInByPage(page, opened.product.url, name, secret)
    return { page, close: () => context.close() }
  }
  const asAdmin = () => windowOf('admin', opened.product.adminPassword)
  async function open(page: Page, address: string): Promise<void> {
    await page.goto('about:blank')
    await page.goto(`${opened.product.url}/ui/#${address}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }

  it('begins in whichever of two sign-in pages is filled in, both opened at once', async () => {
    const { context, page } = await openWindow(opened.browser)
    const address = `${opened.product.url}/core/auth/login/`
    await page.goto(address)
    // The other one was asked for before the first was answered: it begins a session of its own.
    await context.clearCookies()
    await (await context.newPage()).goto(address)
    await page.locator('input[name=username]').fill('admin')
    await page.locator('input[type=password]').fill(opened.product.adminPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/ui\//)
    await context.close()
  })

  it('begins with the rights of the organization it begins in, where that is not the default one', async () => {
    const { admin, product } = opened
    await makeMember(admin, product.url, 'beatrice', { [branch.id]: await roleOf(admin, 'OrgAdmin') })
    const { page, close } = await windowOf('beatrice', password)
    await page.waitForURL(/#\/console\/dashboard/)
    await page.locator('.org-select').getByText('Branch').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await page.getByRole('menuitem', { name: 'Permissions' }).waitFor()
    await open(page, '/console/users/groups')
    await page.getByRole('button', { name: 'Create user group' }).first().waitFor()
    // A screen of all organizations shows those who do not see all what theirs has.
    await open(page, '/console/users/roles')
    await page.getByRole('link', { name: 'Organization admin' }).waitFor()
    await close()
  })

  it('changes to an organization the view has, with the rights in it, and stays there', async () => {
    const { admin, product } = opened
    await makeMember(admin, product.url, 'aurelia', {
      [branch.id]: await makeConsoleRole(admin),
      [defaultOrgId]: await roleOf(admin, 'OrgAuditor'),
    })
    const { page, close } = await windowOf('aurelia', password)
    await open(page, '/console/users/groups')
    const worksIn = (name: string) => page.locator('.org-select').getByText(name).waitFor()
    await worksIn('Branch')
    await page.locator('.topbar .switch').click()
    await page.getByRole('menuitem', { name: 'Audit' }).click()
    await page.waitForURL(/#\/audit\/dashboard/)
    await worksIn('Default')
    await page.getByRole('menuitem', { name: 'Sign-ins' }).click()
    await page.getByRole('link', { name: 'aurelia' }).first().waitFor()
    await page.goBack()
    await page.goBack()
    await page.waitForURL(/#\/console\/users\/groups/)
    await worksIn('Branch')
    await close()
  })

  it('that has ended is said wherever somebody goes on working, with the way to sign in', async () => {
    const { page, close } = await asAdmin()
    const question = page.getByRole('dialog', { name: 'You are signed out' })
    await open(page, '/console/users/groups')
    // What the page began with is answered.
    await page.getByRole('link', { name: 'of the default organization' }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.evaluate("location.hash = '/console/users/groups/create'")
    await question.getByRole('button', { name: 'Re-Login' }).click()
    await page.waitForURL(/core\/auth\/login\/\?next=/)
    await page.locator('input[name=username]').fill('admin')
    await page.locator('input[type=password]').fill(opened.product.adminPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/console\/users\/groups\/create/)
    await close()
  })

  it('that has ended while a form is filled in takes nothing of it away: signed in elsewhere, one goes on', async () => {
    const { page, close } = await asAdmin()
    await open(page, '/console/users/groups/create')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('kept through the night')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'You are signed out' })
    await question.getByRole('button', { name: 'Re-Login' }).and(page.locator(':focus')).waitFor()
    // The dialog takes keys once it stands, a moment after its button has the focus.
    await page.locator('.ant-modal:not([class*=ant-zoom])').waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    const other = await page.context().newPage()
    await signInByPage(other, opened.product.url, 'admin', opened.product.adminPassword)
    await other.close()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('kept through the night was created').waitFor()
    await close()
  })

  it('of somebody else, begun in another window, takes over before anything is asked or done in their name', async () => {
    const { admin, product } = opened
    await makeMember(admin, product.url, 'clotilde', { [branch.id]: await roleOf(admin, 'OrgAdmin') })
    const { page, close } = await asAdmin()
    await open(page, '/console/users/groups/create')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('by whom')
    const other = await page.context().newPage()
    await other.goto(`${product.url}/core/auth/logout/`)
    await signInByPage(other, product.url, 'clotilde', password)
    await other.close()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('.topbar .me').getByText('clotilde').waitFor()
    for (const org of [defaultOrgId, branch.id])
      expect(await admin.in(org).collection('users/groups').all({ name: 'by whom' })).toEqual([])
    await close()
  })

  it('in one window exports the rows it shows, whatever organization another window went to', async () => {
    const { page, close } = await asAdmin()
    await open(page, '/console/users/groups')
    await page.getByRole('link', { name: 'of the default organization' }).waitFor()
    // What the other window does.
    await page.evaluate(`document.cookie = 'X-JMS-ORG=${branch.id}; path=/'`)
    await page.getByRole('button', { name: 'Export' }).click()
    const exported = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const stream = await (await exported).createReadStream()
    let text = ''
    for await (const part of stream) text += String(part)
    expect(text).toContain('of the default organization')
    await close()
  })

  it('asks who it is before a protected step, in the field the keyboard is in, and then goes on by itself', async () => {
    const { page, close } = await asAdmin()
    const group = await opened.admin.collection('users/groups').create({ name: 'aa protected' })
    const sent: { mfa_type?: string; secret_key?: string }[] = []
    let known = false
    await page.route(`**/api/v1/users/groups/${group.id}/`, (route) =>
      route.request().method() === 'DELETE' && !known
        ? route.fulfill({ status: 412, json: { type: 'user_confirm_required', code: 'mfa', detail: '' } })
        : route.continue(),
    )
    const content = [
      { name: 'otp', display_name: 'One-time code', disabled: true },
      { name: 'sms', display_name: 'Message', disabled: false },
      { name: 'otp_radius', display_name: 'Radius', disabled: false },
    ]
    const choices = content.map((choice) => ({ ...choice, disabled: false }))
    let enabled = content
    await page.route('**/api/v1/authentication/mfa/select/', (route) => route.fulfill({ json: {} }))
    await page.route('**/api/v1/authentication/confirm/**', (route) => {
      const request = route.request()
      if (request.method() === 'GET') return route.fulfill({ json: { confirm_type: 'mfa', content: enabled } })
      sent.push(request.postDataJSON())
      known = sent.length > 1
      return known
        ? route.fulfill({ status: 201, json: 'ok' })
        : route.fulfill({ status: 400, json: { detail: 'No such code' } })
    })
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions for aa protected' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('dialog', { name: 'Delete user group' }).getByRole('button', { name: 'Delete' }).click()
    }
    const step = page.getByRole('dialog', { name: 'Confirm your identity' })
    await open(page, '/console/users/groups?order=name')
    await remove()
    // The first that can be used is chosen; a message is sent once a minute.
    await step.getByLabel('Message', { exact: true }).last().waitFor()
    await step.getByRole('button', { name: 'Send code' }).click()
    const wait = step.getByRole('button', { name: /\d+ s/ })
    await wait.waitFor()
    expect(await wait.isDisabled()).toBe(true)
    await step.getByRole('button', { name: 'Cancel' }).click()
    await step.waitFor({ state: 'hidden' })
    expect((await opened.admin.collection('users/groups').get(group.id)).name).toBe('aa protected')
    await page.keyboard.press('Escape')

    enabled = choices
    await remove()
    await step.waitFor()
    await vi.waitFor(
      async () => expect(await page.evaluate('document.activeElement.id')).toBe('confirm-secret'),
      patience,
    )
    await page.keyboard.type('12345')
    await page.keyboard.press('Enter')
    await step.getByRole('alert').waitFor()
    expect(sent).toEqual([])
    await page.keyboard.type('6')
    await page.keyboard.press('Enter')
    await step.getByText('No such code').waitFor()
    await page.keyboard.type('654321')
    await page.keyboard.press('Enter')
    await step.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'aa protected' }).waitFor({ state: 'hidden' })
    expect(sent.map(({ mfa_type }) => mfa_type)).toEqual(['otp', 'otp'])
    await close()
  })

  it('confirms who it is where the profile or the MFA page changes a way in', async () => {
    await makeMember(opened.admin, opened.product.url, 'profiled', {
      [defaultOrgId]: await roleOf(opened.admin, 'OrgUser'),
    })
    const { page, close } = await windowOf('profiled', password)
    await open(page, '/profile/setting?activeTab=ProfileUpdate')
    await page.getByRole('textbox', { name: 'Phone' }).fill('13800138000')
    await page.getByRole('button', { name: 'Save' }).click()
    const step = page.getByRole('dialog', { name: 'Confirm your identity' })
    await step.waitFor()
    const saved = page.waitForResponse((one) => one.request().method() === 'PATCH' && one.status() === 200)
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await step.waitFor({ state: 'hidden' })
    await saved
    const [row] = await opened.admin
      .collection<AnyRow & { phone: { phone: number } }>('users/users')
      .all({ username: 'profiled' })
    expect(row?.phone.phone).toBe(13800138000)
    await close()
    const other = await windowOf('profiled', password)
    await other.page.goto(`${opened.product.url}/core/auth/profile/mfa/`)
    await other.page.getByRole('checkbox').click()
    await other.page.waitForURL(/password\/verify/)
    await other.page.locator('input[type=password]').fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/profile\/mfa/)
    const changed = other.page.waitForResponse((one) => one.request().method() === 'PATCH' && one.status() === 200)
    await other.page.getByRole('checkbox').click()
    await changed
    expect(await other.page.getByRole('checkbox').isChecked()).toBe(true)
    await other.close()
  })

  it('reads a message with the cross or the button, and leaves it unread with Cancel or Esc', async () => {
    const { page, close } = await asAdmin()
    const me = await opened.admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
    for (let twice = 0; twice < 2; twice++)
      await opened.admin.request('PATCH', `/api/v1/users/users/${me.id}/pubkey/reset/`, {})
    await open(page, '/console/users/groups')
    await page.getByRole('button', { name: /2 unread/ }).click()
    const subjects = page.locator('.ant-drawer .message')
    const dialog = page.locator('.ant-modal').getByRole('dialog').or(page.locator('.ant-modal[role=dialog]'))
    const leave = async (by: () => Promise<unknown>, left: number) => {
      await subjects.first().getByRole('button').first().click()
      await dialog.waitFor()
      await by()
      await dialog.waitFor({ state: 'hidden' })
      await vi.waitFor(async () => expect(await subjects.count()).toBe(left), patience)
    }
    await leave(() => page.keyboard.press('Escape'), 2)
    await leave(() => dialog.getByRole('button', { name: 'Cancel' }).click(), 2)
    await leave(() => dialog.getByRole('button', { name: 'Close' }).click(), 1)
    await leave(() => dialog.getByRole('button', { name: 'Mark as read' }).click(), 0)
    await page.getByText('No unread messages').waitFor()
    await close()
  })

  it('says in the drawer that the messages could not be read, and reads them again', async () => {
    const { page, close } = await asAdmin()
    await open(page, '/console/users/groups')
    await page.route('**/notifications/site-messages/**', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('button', { name: 'Messages' }).click()
    const drawer = page.locator('.ant-drawer')
    await drawer.getByRole('alert').getByText('HTTP 503').waitFor()
    await page.unroute('**/notifications/site-messages/**')
    await drawer.getByRole('button', { name: 'Try again' }).click()
    await drawer.getByText('No unread messages').waitFor()
    await close()
  })
})
