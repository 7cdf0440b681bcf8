import { openWindow, signInWindow } from '@castellan/testing/browser'
import { type Client, signIn } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const patience = { timeout: 15_000, interval: 100 }
const people = 24

const makePeople = (client: Client) =>
  client.collection('users/users').createMany(
    Array.from({ length: people }, (_, at) => ({
      name: `Person ${String(at).padStart(2, '0')}`,
      username: `person${String(at).padStart(2, '0')}`,
      email: `person${at}@example.com`,
      password_strategy: 'email',
    })),
  )

describeWith(['chromium'], 'forms', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let browser: Browser
  let page: Page
  let faults: string[]
  let admin: Client

  beforeAll(async () => {
    opened = await openConsole({ prepare: makePeople })
    ;({ product, browser, admin, page, faults } = opened)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
  })
  beforeEach(() => opened.tidy())

  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const select = (name: string) => page.getByRole('combobox', { name, exact: true })
  const option = (name: string | RegExp) => page.locator('.ant-select-item-option').filter({ hasText: name })
  const open = async (path: string) => {
    await opened.visit(path)
    await page.locator('.form-shell .field').first().waitFor()
  }
  const groups = () => admin.collection<{ id: string; name: string; comment: string }, object>('users/groups')

  it('say what is required when a field is left, and bring the keyboard to the first error', async () => {
    await open('/console/users/groups/create')
    await box('Name').focus()
    await page.keyboard.press('Tab')
    await page.getByRole('alert').filter({ hasText: 'This field is required' }).waitFor()
    await select('Users').focus()
    await button('Create').click()
    await box('Name').and(page.locator(':focus')).waitFor()
    expect(await box('Name').getAttribute('aria-invalid')).toBe('true')
    const note = await box('Name').getAttribute('aria-describedby')
    expect(await page.locator(`[id="${note}"]`).innerText()).toBe('This field is required')
    expect(await page.locator('.form-foot').innerText()).toContain('1 field needs attention')
  })

  it('lead to the list after saving, the newest first, with a link to what was made', async () => {
    await open('/console/users/groups/create')
    await box('Name').fill('  blue team  ')
    await button('Create').click()
    const message = page.locator('.ant-message-notice').filter({ hasText: 'blue team was created' })
    const link = await message.getByRole('link', { name: 'blue team' }).getAttribute('href')
    await page.waitForURL(/users\/groups$/)
    expect(await page.locator('tbody tr[data-row-key]').first().innerText()).toContain('blue team')
    const [made] = await groups().all({ name: 'blue team' })
    expect(link).toBe(`#/console/users/groups/${made?.id}`)
  })

  it('stay for another one with what was typed', async () => {
    await open('/console/users/groups/create')
    await box('Name').fill('first of two')
    await button('Save and add another').click()
    await page.getByText('The form is ready for the next one').waitFor()
    expect(await box('Name').inputValue()).toBe('first of two')
    await box('Name').fill('second of two')
    await button('Create').click()
    await page.waitForURL(/users\/groups$/)
    expect((await groups().all({ search: 'of two' })).map(({ name }) => name).sort()).toEqual([
      'first of two',
      'second of two',
    ])
  })

  it("put the server's refusal beside its field until that is changed", async () => {
    await groups().create({ name: 'taken' })
    await open('/console/users/groups/create')
    await box('Name').fill('taken')
    await button('Create').click()
    const error = page
      .locator('.field.bad')
      .filter({ has: box('Name') })
      .getByRole('alert')
    await error.waitFor()
    await box('Name').fill('free')
    await error.waitFor({ state: 'detached' })
    await button('Create').click()
    await page.waitForURL(/users\/groups$/)
  })

  it('put back what was loaded', async () => {
    const group = await groups().create({ name: 'resettable', comment: 'as it was' })
    await open(`/console/users/groups/${group.id}/update`)
    expect(await button('Reset').isDisabled()).toBe(true)
    await box('Name').fill('something else')
    await button('Reset').click()
    expect(await box('Name').inputValue()).toBe('resettable')
    await box('Name').fill('something else')
    await box('Name').fill('resettable')
    expect(await page.getByText('Unsaved changes').count()).toBe(0)
    await box('Name').fill('renamed')
    await button('Save').click()
    await page.waitForURL(/users\/groups$/)
    expect((await groups().get(group.id)).name).toBe('renamed')
  })

  it('copy an object under a name of its own', async () => {
    const group = await groups().create({ name: 'original', comment: 'copied too' })
    await open(`/console/users/groups/create?clone_from=${group.id}`)
    await vi.waitFor(async () => expect(await box('Name').inputValue()).toBe('Copy of original'), patience)
    await button('Create').click()
    await page.waitForURL(/users\/groups$/)
    const [copy] = await groups().all({ name: 'Copy of original' })
    expect(copy?.comment).toBe('copied too')
  })

  it('ask before a link, the back button or another organization takes unsaved changes away', async () => {
    await admin.collection('orgs/orgs').create({ name: 'Branch' })
    // Organizations are read at the start.
    await opened.load('/console/users/groups')
    await button('Create user group').click()
    await page.waitForURL(/create$/)
    await box('Name').fill('not yet saved')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    const stay = async () => {
      await dialog.getByRole('button', { name: /Stay|Cancel/ }).click()
      await dialog.waitFor({ state: 'hidden' })
      expect(await box('Name').inputValue()).toBe('not yet saved')
    }
    await page.locator('.sidebar, nav').getByText('Roles', { exact: true }).first().click()
    await dialog.waitFor()
    await stay()
    await page.goBack()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await box('Name').inputValue()).toBe('not yet saved')
    // An address that is typed, and the way back from one.
    await page.evaluate(`location.hash = '/console/users/users'`)
    await dialog.waitFor()
    await stay()
    await page.goBack()
    await dialog.waitFor()
    await stay()
    await select('Organization').click()
    await option('Branch').click()
    await dialog.waitFor()
    await stay()
    const strip = page.getByRole('navigation', { name: 'Visited pages' })
    await strip.getByRole('button', { name: 'Close Create user group' }).click()
    await dialog.waitFor()
    await stay()
    await strip.getByRole('link', { name: 'Create user group' }).waitFor()
    // Another tab that is read anew: asked once, not again for the way there.
    await strip.getByRole('link', { name: 'User groups' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Refresh' }).click()
    await dialog.waitFor()
    expect(await dialog.count()).toBe(1)
    await stay()
    await page.locator('.sidebar, nav').getByText('Roles', { exact: true }).first().click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(/users\/roles/)
  })

  it('ask before the page itself is closed, and only then', async () => {
    const asked: string[] = []
    page.removeAllListeners('dialog')
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await open('/console/users/groups/create')
    await page.reload()
    expect(asked).toEqual([])
    await box('Name').fill('not yet saved')
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
  })

  it('in a dialog: Esc closes an untouched one, and asks when something was typed', async () => {
    const host = await admin.collection<{ id: string }, object>('assets/hosts').create({
      name: 'dialog-host',
      address: '10.0.0.9',
      platform: 1,
      protocols: [{ name: 'ssh', port: 22 }],
    })
    await opened.visit(`/console/assets/assets/${host.id}?activeTab=Account`)
    const add = page.getByRole('button', { name: /^Add/ }).first()
    await add.click()
    const form = page.getByRole('dialog', { name: /Add account/ })
    await form.waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    await add.click()
    await form.getByRole('textbox', { name: 'Username', exact: true }).fill('root')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await form.getByRole('textbox', { name: 'Username', exact: true }).inputValue()).toBe('root')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave' }).click()
    await form.waitFor({ state: 'hidden' })
  })

  it('offer objects ten at a time, more when scrolled, and search on the server', async () => {
    await open('/console/users/groups/create')
    const asked: URL[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/api/v1/users/users/' && request.method() === 'GET') asked.push(url)
    })
    await select('Users').click()
    await option(/Administrator/).waitFor()
    expect(asked.at(-1)?.searchParams.get('limit')).toBe('10')
    await option('Person 03').hover()
    await page.mouse.wheel(0, 2000)
    await vi.waitFor(() => expect(asked.some((url) => url.searchParams.get('offset') === '10')).toBe(true), patience)
    await page.keyboard.type('person23')
    await option('Person 23').click()
    expect(asked.at(-1)?.searchParams.get('search')).toBe('person23')
    await page.keyboard.press('Escape')
    page.removeAllListeners('request')
    await box('Name').fill('searched')
    await button('Create').click()
    await page.waitForURL(/users\/groups$/)
    const [group] = (await groups().all({ name: 'searched' })) as unknown as [{ users: { name: string }[] }]
    expect(group.users.map(({ name }) => name)).toEqual(['Person 23'])
  })

  it('fold more than ten chosen objects, and name those that were chosen before', async () => {
    const all = await admin.collection<{ id: string }, object>('users/users').all({ search: 'person' })
    const group = await groups().create({ name: 'crowd', users: all.map(({ id }) => id) })
    await open(`/console/users/groups/${group.id}/update`)
    const field = page.locator('.field').filter({ has: select('Users') })
    await field.getByText('Person 00(person00)').waitFor()
    await field.getByText(`+ ${people - 10} ...`).waitFor()
  })

  it('keep what is set where the person may not list the choices', async () => {
    const group = await groups().create({ name: 'kept' })
    const codes = ['rbac.view_console', 'users.view_usergroup', 'users.change_usergroup']
    const permissions = (
      await admin
        .collection<{ id: string; codename: string; content_type: { app_label: string } }, object>('rbac/permissions')
        .all()
    ).filter(({ codename, content_type }) => codes.includes(`${content_type.app_label}.${codename}`))
    const role = await admin
      .collection<{ id: string }, object>('rbac/org-roles')
      .create({ name: 'group keeper', scope: 'org', permissions: permissions.map(({ id }) => id) })
    await admin.collection('users/users').create({
      name: 'Keeper',
      username: 'keeper',
      email: 'keeper@example.com',
      password_strategy: 'custom',
      password: 'Keeper-of-groups-1',
      need_update_password: false,
      org_roles: [role.id],
    })
    const keeper = await signIn(product.url, 'keeper', 'Keeper-of-groups-1')
    await keeper.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const window = await openWindow(browser)
    await signInWindow(window.page, product.url, 'keeper', 'Keeper-of-groups-1')
    await window.page.goto(`${product.url}/ui/#/console/users/groups/${group.id}/update`)
    const users = window.page.getByRole('combobox', { name: 'Users', exact: true })
    await users.click()
    await window.page.getByText('You have no permission to list these. The current values are not changed.').waitFor()
    expect(await users.isDisabled()).toBe(true)
    await window.page.getByRole('textbox', { name: 'Name', exact: true }).fill('kept and renamed')
    await window.page.getByRole('button', { name: 'Save', exact: true }).click()
    await window.page.waitForURL(/users\/groups$/)
    await window.context.close()
  })

  it('choose by attributes, with a live count and the list behind it', async () => {
    await open('/console/perms/cmd-acls/create')
    const users = page.getByRole('radiogroup', { name: 'Users' })
    const field = page.locator('.field').filter({ has: users })
    const dialog = page.getByRole('dialog', { name: 'Add attribute' })
    await users.getByText('By attributes').click()
    await field.getByRole('button', { name: 'Add attribute' }).click()
    await dialog.getByRole('textbox', { name: 'Value' }).click()
    // Who is about to give an attribute is not told that one is missing.
    expect(await page.locator('.field.bad').count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await button('Create').click()
    await page.locator('.field.bad').filter({ has: users }).getByText('This field is required').waitFor()
    await field.getByRole('button', { name: 'Add attribute' }).click()
    await dialog.getByRole('combobox', { name: 'Attribute' }).click()
    await option('Username').click()
    await dialog.getByRole('combobox', { name: 'Match' }).click()
    await option('starts with').click()
    await dialog.getByRole('textbox', { name: 'Value' }).fill('person')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await button(`${people} match now`).click()
    const matches = page.getByRole('dialog', { name: `${people} match now` })
    await matches.getByRole('cell', { name: 'Person 00', exact: true }).waitFor()
    await matches.getByTitle('Next page').click()
    await matches.getByRole('cell', { name: 'Person 10', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await matches.waitFor({ state: 'hidden' })
  })

  it('take addresses and times of a rule: pasted at once, checked, and marked with the keyboard', async () => {
    await open('/console/perms/login-asset-acls/create')
    await box('Name').fill('office hours')
    const addresses = box('IP group')
    await addresses.focus()
    await page.keyboard.press('Backspace')
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text', '10.0.0.0/8, nowhere\\n2001:db8::/32')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    }`)
    await page.getByText('Not an address, network or range: nowhere').waitFor()
    await button('Remove nowhere').click()
    await page.getByText('Not an address, network or range: nowhere').waitFor({ state: 'detached' })
    const cell = page.getByRole('gridcell', { name: 'Monday 09:00–09:30' })
    await cell.focus()
    await page.keyboard.press('Space')
    for (let step = 0; step < 5; step++) await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('09:00–12:00').waitFor()
    await button('Create').click()
    await page.waitForURL(/login-asset-acls$/)
    const [rule] = await admin
      .collection<{ id: string; rules: { ip_group: string[]; time_period: { id: number; value: string }[] } }, object>(
        'acls/login-asset-acls',
      )
      .all()
    expect(rule?.rules.ip_group).toEqual(['10.0.0.0/8', '2001:db8::/32'])
    expect(rule?.rules.time_period.slice(0, 3)).toEqual([
      { id: 1, value: '09:00~12:00' },
      { id: 2, value: '11:30~12:00' },
      { id: 3, value: '' },
    ])
  })

  it('show the platform’s protocols and refuse a port that is none', async () => {
    await open('/console/assets/hosts/create')
    await button('Settings of ssh').click()
    const dialog = page.getByRole('dialog', { name: 'Settings of ssh' })
    await dialog.getByText('These settings belong to the platform').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await button('Remove ssh').isDisabled()).toBe(true)
    await box('Name').fill('with a wrong port')
    await box('Address').fill('10.0.0.77')
    const port = page.getByRole('spinbutton', { name: 'Port of ssh' })
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
    for (const typed of ['70000', '0', '', 'ssh']) {
      await port.fill(typed)
      await box('Address').focus()
      const said = page.locator('.field.bad').filter({ hasText: 'Protocols' }).getByRole('alert')
      await said.getByText('ssh: Port Error, please check', { exact: true }).waitFor()
      await button('Create').click()
      await page.getByText('1 field needs attention').waitFor()
      await port.fill('22')
    }
    expect(asked.filter((url) => url.includes('/assets/hosts/'))).toEqual([])
  })

  it('say on leaving a name which signs it must not have, and leave a name alone that has them already', async () => {
    await open('/console/assets/hosts/create')
    for (const [name, typed, text] of [
      ['Name', 'web 🚀', 'No special emoji allowed'],
      ['Name', 'web (old)', 'Not contain ( )'],
      ['Address', '🚀.example.com', 'No special emoji allowed'],
    ] as const) {
      await box(name).fill(typed)
      await page.keyboard.press('Tab')
      await page.locator('.field').filter({ hasText: name }).getByText(text, { exact: true }).waitFor()
      await box(name).fill('web-1')
    }
    const { id } = await groups().create({ name: 'old 🚀' })
    await open(`/console/users/groups/${id}/update`)
    await box('Description').fill('changed')
    await button('Save').click()
    await page.waitForURL(/users\/groups$/)
    expect(await groups().get(id)).toMatchObject({ name: 'old 🚀', comment: 'changed' })
  })

  it('give a field that nobody knows a name one can read', async () => {
    await page.route('**/api/v1/users/groups/', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { date_of_review: ['This field is required.'] } })
        : route.continue(),
    )
    await open('/console/users/groups/create')
    await box('Name').fill('reviewed')
    await button('Create').click()
    await page.getByRole('alert').getByText('Date of review: This field is required.').waitFor()
    await page.unroute('**/api/v1/users/groups/')
  })

  it('can be filled in and sent with the keyboard alone', async () => {
    await open('/console/users/groups/create')
    await box('Name').focus()
    await page.keyboard.type('by keyboard')
    await page.keyboard.press('Enter')
    await page.waitForURL(/users\/groups$/)
    expect((await groups().all({ name: 'by keyboard' })).length).toBe(1)
  })

  it('a role is made with its rights, copied with them, and changed', async () => {
    const roles = admin.collection<{ id: string }, object>('rbac/org-roles')
    const codesOf = async (name: string) => {
      const [role] = await roles.all({ name })
      const rights = await admin.request<{ codename: string }[]>(
        'GET',
        `/api/v1/rbac/org-roles/${role?.id}/permissions/`,
      )
      return rights.map(({ codename }) => codename).sort()
    }
    const find = page.getByPlaceholder('Find a permission')
    const tick = async (code: string, words: string) => {
      await find.fill(code)
      const row = page.locator('.rights .ant-tree-treenode').filter({ has: page.getByTitle(words, { exact: true }) })
      await row.locator('.ant-tree-checkbox').click()
    }
    await open('/console/users/roles/create?scope=org')
    await box('Name').fill('of commands')
    await tick('add_commandgroup', 'acls.add_commandgroup')
    await button('Create').click()
    await page.waitForURL(/users\/roles\/[\da-f-]+\?scope=org/)
    // The scope of the role belongs to its page, whichever tab is open.
    await page.locator('[data-tab=RoleUsers]').click()
    await page.waitForURL(/users\/roles\/[\da-f-]+\?(?=.*activeTab=RoleUsers)(?=.*scope=org)/)
    await page.getByRole('heading', { name: 'of commands' }).waitFor()
    const made = ['add_commandgroup', 'view_commandfilteracl', 'view_commandgroup', 'view_user']
    expect(await codesOf('of commands')).toEqual(made)

    const [role] = await roles.all({ name: 'of commands' })
    await open(`/console/users/roles/create?scope=org&clone_from=${role?.id}`)
    await box('Name').fill('a copy')
    await button('Create').click()
    await page.waitForURL(/scope=org$/)
    expect(await codesOf('a copy')).toEqual(made)

    await open(`/console/users/roles/${role?.id}/update?scope=org`)
    await tick('add_commandgroup', 'acls.add_commandgroup')
    await button('Save').click()
    await page.waitForURL(/users\/roles\/[\da-f-]+\?scope=org/)
    expect(await codesOf('of commands')).toEqual(made.slice(1))
  })
})
