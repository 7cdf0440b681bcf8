import type { Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const patience = { timeout: 15_000, interval: 50 }
const groups = '/console/users/groups'
const names = Array.from({ length: 40 }, (_, at) => `group ${String(at + 1).padStart(2, '0')}`)

describeWith('chromium', 'lists', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let admin: Client
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    opened = await openConsole({
      prepare: (client) =>
        client
          .collection('users/groups')
          .createMany(names.map((name, at) => ({ name, comment: at % 2 === 0 ? 'even' : 'odd' }))),
    })
    ;({ product, admin, page, faults } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await opened.tidy()
    await open(`${groups}?order=name`)
  })

  const rows = () => page.locator('tbody tr[data-row-key]')
  const row = (name: string) => rows().filter({ has: page.getByRole('link', { name, exact: true }) })
  const filter = () => page.getByRole('combobox', { name: 'Filter' })
  const count = () => page.locator('.page-head .count')
  const reads = (where: Locator, text: string) =>
    vi.waitFor(async () => expect((await where.innerText()).trim()).toBe(text), patience)
  async function open(address: string, how = opened.visit): Promise<void> {
    await how(address)
    await rows().first().waitFor()
  }

  it('shows the next page in the rows that are there, with nothing of those before', async () => {
    const ids = new Map((await admin.collection('users/groups').all()).map((group) => [group.name, group.id]))
    await row('group 02').getByRole('checkbox').check()
    await row('group 01')
      .getByRole('button', { name: /group 01/ })
      .click()
    await page.getByRole('menuitem', { name: 'Update' }).waitFor()
    // As somebody does who uses the keyboard: a click elsewhere would have closed the menu.
    await page.getByRole('button', { name: 'Next page' }).press('Enter')
    await row('group 16').waitFor()
    expect(await page.getByRole('menuitem', { name: 'Update' }).count()).toBe(0)
    expect(await rows().getByRole('checkbox', { checked: true }).count()).toBe(0)
    for (const name of ['group 16', 'group 25']) {
      expect(await row(name).getAttribute('data-row-key')).toBe(ids.get(name))
      expect(await row(name).getByRole('link', { name }).getAttribute('href')).toContain(ids.get(name))
    }
    await page.getByRole('button', { name: 'Previous page' }).press('Enter')
    await row('group 02').waitFor()
    expect(await row('group 02').getByRole('checkbox').isChecked()).toBe(true)
  })

  it('say how many there are, and how many of them a filter finds', async () => {
    await reads(count(), '41')
    await filter().fill('group 1')
    await filter().press('Enter')
    // Every word of a search must be found: the ones with a 1 in them.
    await reads(count(), '13 of 41')
    expect(page.url()).toContain('search=group+1')
  })

  it('keep filters, order and page in the address, so that a reload shows the same', async () => {
    await page.getByRole('columnheader', { name: 'Name' }).click()
    await vi.waitFor(() => expect(page.url()).toContain('order=-name'), patience)
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await vi.waitFor(() => expect(page.url()).toContain('page=2'), patience)
    const address = new URL(page.url()).hash.slice(1)
    await row('group 25').waitFor()
    await open(address, opened.load)
    await row('group 25').waitFor()
    expect(await row('group 40').count()).toBe(0)
  })

  it('a field and its value are chosen with the keyboard, edited by a click and taken away by backspace twice', async () => {
    await page.keyboard.press('/')
    await filter().pressSequentially('nam')
    await filter().press('ArrowDown')
    // Said to whoever does not see which one is lit.
    const lit = await filter().getAttribute('aria-activedescendant')
    expect(await page.getByRole('listbox').locator(`[id="${lit}"]`).innerText()).toBe('Name')
    await filter().press('Enter')
    await filter().fill('group 07')
    await filter().press('Enter')
    await reads(count(), '1 of 41')
    const chip = page.locator('.chip')
    await chip.getByRole('button').first().click()
    expect(await filter().inputValue()).toBe('group 07')
    await filter().fill('group 08')
    await filter().press('Enter')
    await reads(count(), '1 of 41')
    await row('group 08').waitFor()
    await filter().press('Backspace')
    expect(await chip.count()).toBe(1)
    await filter().press('Backspace')
    await reads(count(), '41')
    expect(await chip.count()).toBe(0)
  })

  it('a filter that is being edited stays in force until another value is confirmed, and Esc leaves it as it was', async () => {
    await open(`${groups}?order=name&name=group+03`)
    const chip = page.locator('.chip')
    await chip.getByRole('button').first().click()
    expect(await chip.count()).toBe(0)
    await filter().fill('group 04')
    await filter().press('Escape')
    await chip.getByText('group 03').waitFor()
    expect(await filter().inputValue()).toBe('')
    expect(page.url()).toContain('name=group+03')
    await reads(count(), '1 of 41')
  })

  it('an empty value takes the field’s filter away, and the same word counts once', async () => {
    await open(`${groups}?order=name&name=group+03`)
    await reads(count(), '1 of 41')
    await page.locator('.chip').getByRole('button').first().click()
    await filter().fill('')
    await filter().press('Enter')
    await reads(count(), '41')
    for (let twice = 0; twice < 2; twice++) {
      await filter().fill('  group 4 ')
      await filter().press('Enter')
    }
    await reads(count(), '5 of 41')
    expect(await page.locator('.chip').count()).toBe(1)
  })

  it('a filter of an address with a value its field does not have is shown as one without effect', async () => {
    const chip = page.locator('.chip')
    await open('/console/users/users?is_active=banana')
    await chip.getByText('no effect').waitFor()
    expect(await chip.getAttribute('title')).toMatch(/“banana” is not a value of/)
    await reads(count(), '1')
    await page.getByRole('button', { name: 'Export' }).click()
    expect(await page.getByRole('radio', { name: /Filtered/ }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove the filter banana' }).click()
    await vi.waitFor(() => expect(page.url()).not.toContain('banana'), patience)
    // Any spelling the server takes is one.
    await open('/console/users/users?is_active=1')
    await chip.getByText('Yes').waitFor()
    await reads(count(), '1 of 1')
    expect(await chip.getByText('no effect').count()).toBe(0)
  })

  it('typed words search when the keyboard goes elsewhere, and Esc takes them back', async () => {
    await filter().fill('group 1')
    await page.getByTitle('Enter searches for this').waitFor()
    await page.locator('h1').click()
    await reads(count(), '13 of 41')
    expect(await filter().inputValue()).toBe('')
    await filter().fill('nothing at all')
    await filter().press('Escape')
    await page.locator('h1').click()
    expect(await filter().inputValue()).toBe('')
    await page.locator('.chip').getByRole('button').first().click()
    await filter().fill('group 2')
    await page.locator('h1').click()
    await page.locator('.chip').getByText('group 2').waitFor()
    expect(await page.locator('.chip').count()).toBe(1)
    expect(page.url()).toContain('search=group+2')
  })

  it('unknown fields in the address are no filters', async () => {
    await open(`${groups}?order=name&nonsense=1`)
    await reads(count(), '41')
    expect(await page.locator('.chip').count()).toBe(0)
  })

  it('the arrow keys go from row to row', async () => {
    await row('group 02').getByRole('link').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('group 03')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('group 01')
  })

  it('a selection goes over pages, and what is selected is deleted after a question that says how many', async () => {
    const [first, second] = await admin
      .collection('users/groups')
      .createMany([{ name: 'zz gone 1' }, { name: 'aa gone 2' }])
    await open(`${groups}?order=name`)
    await row('aa gone 2').getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Page 3', exact: true }).click()
    await row('zz gone 1').getByRole('checkbox').click()
    await page.locator('.selection-bar').getByText('2 selected').waitFor()
    await page.locator('.selection-bar').getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 2 user groups' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.waitFor({ state: 'hidden' })
    for (const gone of [first, second])
      await expect(admin.collection('users/groups').get(gone?.id ?? '')).rejects.toThrow()
  })

  it('a row that was deleted by its own menu is no longer selected', async () => {
    await admin.collection('users/groups').create({ name: 'aa gone 3' })
    await open(`${groups}?order=name`)
    await row('aa gone 3').getByRole('checkbox').click()
    await row('group 01').getByRole('checkbox').click()
    await page.locator('.selection-bar').getByText('2 selected').waitFor()
    await row('aa gone 3')
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.selection-bar').getByText('1 selected').waitFor()
  })

  it('a dialog that is closed gives the keyboard back to what opened it', async () => {
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')")
    const opens = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await vi.waitFor(async () => expect(await focused()).toBe(name), patience)
    }
    for (const name of ['Columns', 'Import', 'Export']) await opens(name)
    const account = page.getByRole('button', { name: 'Account' })
    await account.press('Enter')
    const inMenu = () => page.evaluate("document.activeElement.closest('[role=menu]') !== null")
    await vi.waitFor(async () => expect(await inMenu()).toBe(true), patience)
    await page.keyboard.press('Escape')
    await vi.waitFor(async () => expect(await focused()).toBe('Account'), patience)
    const dots = row('group 02').getByRole('button', { name: /Actions/ })
    await dots.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await vi.waitFor(async () => expect(await focused()).toBe(await dots.getAttribute('aria-label')), patience)
  })

  it('only the ticked fields of the selected rows are changed', async () => {
    await row('group 05').getByRole('checkbox').click()
    await row('group 06').getByRole('checkbox').click()
    await page.locator('.selection-bar').getByRole('button', { name: 'Update' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: /^Update 2/ }).isDisabled()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Description' }).click()
    await dialog.getByRole('textbox', { name: 'Description' }).fill('changed together')
    await dialog.getByRole('button', { name: /^Update 2/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    const changed = await admin.collection<{ id: string; name: string; comment: string }>('users/groups').all()
    expect(changed.filter(({ comment }) => comment === 'changed together').map(({ name }) => name)).toEqual([
      'group 05',
      'group 06',
    ])
  })

  it('an act on the selected rows that is refused says why, and leaves them selected', async () => {
    await open('/console/users/users')
    await page.route('**/api/v1/users/users/', (route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body: '{"detail":"Not these"}' }),
    )
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.locator('.selection-bar').getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('Not these').waitFor()
    expect(await page.locator('.selection-bar').count()).toBe(1)
    await page.unroute('**/api/v1/users/users/')
    expect(faults).toEqual([])
  })

  it('an edit leads back to the list as it was left', async () => {
    await open(`${groups}?order=name&search=08`)
    await reads(count(), '1 of 41')
    await row('group 08')
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Update' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('edited')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await row('group 08').waitFor()
    expect(page.url()).toContain('search=08')
    expect(page.url()).toContain('order=name')
  })

  it('an object deleted on its own page leaves nothing behind: no tab, and no way back to it', async () => {
    const gone = await admin.collection('users/groups').create({ name: 'aa gone 4' })
    await open(`${groups}?order=name`)
    await row('aa gone 4').getByRole('link').click()
    const strip = page.getByRole('navigation', { name: 'Visited pages' })
    await strip.getByRole('link', { name: 'User group: aa gone 4' }).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await rows().first().waitFor()
    expect(await strip.getByRole('link', { name: 'User group: aa gone 4' }).count()).toBe(0)
    await page.goBack()
    await vi.waitFor(() => expect(page.url()).not.toContain(gone.id), patience)
    await rows().first().waitFor()
    expect(page.url()).not.toContain(gone.id)
  })

  it('the tree of types narrows the list beside it, which then begins at its first page', async () => {
    const host = (at: number, platform: number) => ({ name: `host ${at}`, address: `10.9.0.${at}`, platform })
    await admin.collection('assets/hosts').createMany(Array.from({ length: 20 }, (_, at) => host(at + 1, 1)))
    await admin.collection('assets/hosts').createMany([host(30, 5), host(31, 5)])
    await open('/console/assets/assets?page=2')
    await page.locator('.ant-segmented').getByText('Types', { exact: true }).click()
    const branch = (name: string) => page.getByRole('tree').getByText(name, { exact: true }).first()
    const shows = (range: string) => page.locator('.pager').getByText(range).waitFor()
    await branch('Host').click()
    await shows('1–15 of 22')
    await page.goBack()
    await shows('16–22 of 22')
    await branch('Host').click()
    await shows('1–15 of 22')
    await branch('Windows').click()
    await shows('1–2 of 2')
    expect(page.url()).toMatch(/category=host&type=windows/)
    await page.reload()
    await shows('1–2 of 2')
    const windows = page.getByRole('tree').locator('.ant-tree-node-selected', { hasText: 'Windows' })
    await windows.waitFor()
    // The other tree, and the way back to what was chosen of this one.
    await page.locator('.ant-segmented').getByText('Nodes', { exact: true }).click()
    await shows('1–15 of 22')
    await page.goBack()
    await shows('1–2 of 2')
    await windows.waitFor()
    await page.goBack()
    await shows('1–15 of 22')
    await branch('All types').click()
    await shows('1–15 of 22')
  })

  it('the chosen node stands in the address, and is chosen again by it', async () => {
    const [root] = await admin.collection<{ id: string; name: string }, object>('assets/nodes').all()
    const made = await admin.request<{ id: string }>('POST', `/api/v1/assets/nodes/${root?.id}/children/`, {
      value: 'Linked',
    })
    const accounts = [{ name: 'root', username: 'root', secret_type: 'password', secret: 'Linked-1' }]
    const host = { name: 'of it', address: '10.9.1.1', platform: 1, nodes: [made.id], accounts }
    await admin.collection('assets/hosts').create(host)
    await open(`/console/assets/assets?node_id=${made.id}`)
    await page.locator('.pager').getByText('1–1 of 1').waitFor()
    await page.getByRole('tree').locator('.ant-tree-node-selected', { hasText: 'Linked' }).waitFor()
    await open(`/console/accounts/accounts?node_id=${made.id}`)
    await page.getByRole('tree').locator('.ant-tree-node-selected', { hasText: 'Linked' }).waitFor()
  })

  it('says what it is for until somebody closes that, and not again after a reload', async () => {
    await page.goto(`${product.url}/ui/#/console/assets/labels`)
    const help = page.getByText('Shown as name:value on every asset with this label.')
    await help.waitFor()
    await page.getByRole('button', { name: 'Close this help' }).click()
    await help.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Labels' }).waitFor()
    expect(await help.count()).toBe(0)
    await page.goto(`${product.url}/ui/#/console/perms/asset-permissions`)
    await page.getByText('Without one, nobody reaches an asset.').waitFor()
  })

  it('each tab of a list keeps its own filters, and the way back leads through the tabs', async () => {
    const tab = (name: string) => page.getByRole('tab', { name })
    const chips = () => page.locator('.chip').allInnerTexts()
    const search = async (word: string) => {
      await filter().fill(word)
      await filter().press('Enter')
      await page.locator('.chip').getByText(word).waitFor()
    }
    const shows = async (name: string, words: string[]) => {
      await vi.waitFor(async () => expect(await tab(name).getAttribute('aria-selected')).toBe('true'), patience)
      await vi.waitFor(async () => expect((await chips()).map((word) => word.trim())).toEqual(words), patience)
    }
    await open('/console/users/roles')
    await search('audit')
    await tab('Organization roles').click()
    await shows('Organization roles', [])
    await search('admin')
    await tab('System roles').click()
    await shows('System roles', ['audit'])
    await tab('Organization roles').click()
    await shows('Organization roles', ['admin'])
    await page.goBack()
    await shows('System roles', ['audit'])
    await page.goBack()
    await shows('Organization roles', ['admin'])
    await page.goBack()
    await shows('System roles', ['audit'])
    await page.goForward()
    await shows('Organization roles', ['admin'])
    // An address without a tab opens the one that was opened last; the name of a tab is found in any case.
    await open('/console/users/roles', opened.load)
    await shows('Organization roles', [])
    await open('/console/users/roles?activeTab=sysrolelist')
    await shows('System roles', [])
  })

  it('a value that is cut short is shown whole, and copied', async () => {
    const long = `a description that is much too long for its column ${'and goes on '.repeat(12)}`
    await admin.collection('users/groups').create({ name: 'aaa long', comment: long })
    await open(`${groups}?order=name`)
    await row('aaa long').getByRole('cell').nth(3).hover()
    const tip = page.getByRole('tooltip')
    await tip.getByText('and goes on').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await tip.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(String(await page.evaluate('navigator.clipboard.readText()')).trim()).toBe(long.trim())
  })

  it('a list that cannot be read says so and offers to try again', async () => {
    await page.route('**/api/v1/users/groups/?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('alert').getByText('HTTP 500').waitFor()
    await page.unroute('**/api/v1/users/groups/?*')
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await rows().first().waitFor()
    // Its columns are another question, which was asked for only once.
    let refuse = true
    await page.route('**/api/v1/users/groups/?*', (route) =>
      refuse && route.request().method() === 'OPTIONS' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    )
    await page.reload()
    await page.getByRole('alert').getByText('HTTP 500').waitFor()
    expect(await page.locator('.pager').count()).toBe(0)
    refuse = false
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await rows().first().waitFor()
    expect(faults.filter((fault) => !fault.startsWith('500 '))).toEqual([])
  })
})
