import type { Client } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type GroupList, openGroupList, patience } from './group-list.ts'

describeWith('chromium', 'the keyboard and what opens over a page', () => {
  let opened: GroupList
  let admin: Client
  let page: Page
  let open: GroupList['open']
  let start: GroupList['start']
  let button: GroupList['button']
  let rows: GroupList['rows']
  let leads: GroupList['leads']

  beforeAll(async () => {
    opened = await openGroupList()
    ;({ admin, page, open, start, button, rows, leads } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  beforeEach(() => opened.tidy())

  it("a row's menu is opened, walked and left with the keyboard, and gives the focus back", async () => {
    await open('/console/users/groups?order=name')
    const dots = page.getByRole('button', { name: 'Actions for group 101' })
    // Keys belong to the menu once it has the focus, a moment after it is seen.
    const menuHasFocus = () =>
      vi.waitFor(
        async () => expect(await page.evaluate(`document.activeElement.closest('[role=menu]') !== null`)).toBe(true),
        patience,
      )
    await dots.focus()
    await page.keyboard.press('Enter')
    await menuHasFocus()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Update' }).waitFor({ state: 'hidden' })
    await vi.waitFor(
      async () => expect(await page.evaluate(`document.activeElement.ariaLabel`)).toBe('Actions for group 101'),
      patience,
    )
    await page.keyboard.press('Enter')
    await menuHasFocus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await leads(/^#\/console\/users\/groups\/(create|[\da-f-]+\/update)/)
  })

  it('a row is deleted with the keyboard alone: the question waits for an answer of its own', async () => {
    await admin.collection('users/groups').create({ name: 'aa by keyboard' })
    await open('/console/users/groups?order=name')
    await page.getByRole('button', { name: 'Actions for aa by keyboard' }).focus()
    await page.keyboard.press('Enter')
    const hasKeyboard = (text: string) =>
      vi.waitFor(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe(text), patience)
    await hasKeyboard('Update')
    await page.keyboard.press('End')
    await hasKeyboard('Delete')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Delete user group' })
    await hasKeyboard('Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'aa by keyboard' }).waitFor({ state: 'hidden' })
  })

  it('the keyboard stands nowhere at no time: what it is on may be cleared, switched off, deleted or left', async () => {
    const standsOn = (part: RegExp | string) =>
      vi.waitFor(async () => {
        const on = await page.evaluate(`{
          const it = document.activeElement
          it === document.body ? 'nowhere' : it.ariaLabel || it.textContent || it.className
        }`)
        expect(on).toMatch(part)
      }, patience)
    await open('/console/users/groups?order=name&search=group 1')
    await rows().first().getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await button('Clear').focus()
    await page.keyboard.press('Enter')
    await standsOn('Select all')
    await page.getByRole('button', { name: 'Remove the filter group 1' }).focus()
    await page.keyboard.press('Enter')
    await standsOn('Filter')
    await page.keyboard.press('Escape')
    await rows().nth(2).getByRole('link').focus()
    await page.keyboard.press('Enter')
    await standsOn(/^User group: group/)
    await page.goBack()
    await standsOn('User groups')
    await button('Create user group').focus()
    await page.keyboard.press('Enter')
    await standsOn('Create user group')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('to be reset')
    await button('Reset').focus()
    await page.keyboard.press('Enter')
    await standsOn('Save and add another')
    // Off only while it works.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('zz by keyboard')
    await button('Save and add another').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Created').first().waitFor()
    await standsOn('Save and add another')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('zz by keyboard too')
    await page.keyboard.press('Enter')
    await leads(/^#\/console\/users\/groups$/)
    await standsOn('User groups')
    // Who points is where they point.
    await rows().nth(2).getByRole('link').click()
    await page.getByRole('heading', { name: /^User group: / }).waitFor()
    expect(await page.evaluate(`document.activeElement === document.body`)).toBe(true)
  })

  it('Tab leads out of a filter and on, every place it comes to is marked, and nothing covers it', async () => {
    const place = (what: string) => page.evaluate(`{ const it = document.activeElement; ${what} }`)
    await open('/console/users/users')
    await page.getByRole('combobox', { name: 'Filter' }).focus()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await place('it.ariaLabel')).toBe('Columns')
    await rows().first().getByRole('checkbox').focus()
    await page.keyboard.press('Tab')
    expect(await place('[it.tagName, getComputedStyle(it).outlineStyle].join()')).toBe('A,solid')
    await open('/console/users/users/create')
    await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
    const covered: unknown[] = []
    for (let stop = 0; stop < 40 && !(await place(`it.closest('.form-foot') !== null`)); stop++) {
      await page.keyboard.press('Tab')
      const box = `const { x, y, width, height } = it.getBoundingClientRect()`
      const over = `document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.form-foot')`
      if (await place(`${box}; !it.closest('.form-foot') && Boolean(${over})`)) covered.push(await place('it.id'))
    }
    expect(covered).toEqual([])
  })

  it('heads sort and pages turn with Space as with Enter, and both say where they are', async () => {
    await open('/console/users/groups?order=name')
    const head = page.getByRole('columnheader', { name: 'Name', exact: true })
    const order = (is: string) =>
      vi.waitFor(async () => expect(await head.getAttribute('aria-sort')).toBe(is), patience)
    await order('ascending')
    await head.getByRole('button').press('Space')
    await order('descending')
    await leads(/order=-name/)
    await head.getByRole('button').press('Enter')
    await leads(/users\/groups$/)
    await button('Page 2').press('Space')
    await leads(/page=2/)
    await page.locator('[aria-current=page]').and(button('Page 2')).waitFor()
    await button('Previous page').press('Enter')
    await page.locator('[aria-current=page]').and(button('Page 1')).waitFor()
  })

  it('what happens elsewhere is told: how many rows a filter leaves, how many are selected', async () => {
    await start('/console/users/groups?order=name')
    const told = page.getByRole('status')
    await page.getByRole('combobox', { name: 'Filter' }).fill('group 13')
    await page.keyboard.press('Enter')
    await told.getByText(/^1–\d+ of \d+$/).waitFor()
    await rows().first().getByRole('checkbox').press('Space')
    await told.getByText('1 selected').waitFor()
    await rows().nth(1).getByRole('checkbox').press('Space')
    await told.getByText('2 selected').waitFor()
  })

  it('Tab leaves an open select as it is, and a select says what is chosen in it', async () => {
    await open('/console/users/users/create')
    const groups = page.getByRole('combobox', { name: 'User groups' })
    const said = async (box: typeof groups) => {
      const ids = (await box.getAttribute('aria-describedby'))?.split(' ') ?? []
      return Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))
    }
    await groups.press('ArrowDown')
    await page.getByRole('option').first().waitFor({ state: 'attached' })
    await groups.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').getAttribute('id')).not.toBe(await groups.getAttribute('id'))
    expect(await said(groups)).toEqual(['Only groups of the current organization.'])
    const roles = page.getByRole('combobox', { name: 'System roles' })
    expect(await said(roles)).toContain('User')
    // What is told while it has the keyboard is their names too, not the ids they are known by.
    await roles.focus()
    const told = page.locator('[aria-live=polite]').filter({ hasText: 'User' })
    await vi.waitFor(async () => expect(await told.allInnerTexts()).toEqual(['User']), patience)
  })

  it('Tab goes round a dialog, past its cross and all that is in it, wherever it began', async () => {
    await open('/console/perms/asset-permissions/create')
    await page.getByRole('combobox', { name: 'Assets' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Choose assets' })
    await dialog.getByLabel('Find a node').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    const met: unknown[] = []
    for (let stop = 0; stop < 6; stop++) {
      await page.keyboard.press('Tab')
      met.push(await page.evaluate('document.activeElement.ariaLabel'))
    }
    expect(met).toEqual(expect.arrayContaining(['Close', 'Find a node']))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Assets' }).and(page.locator(':focus')).waitFor()
  })

  it('the menu of a visited page is walked with the keyboard, and Esc in a filter leaves its choices only', async () => {
    await open('/console/users/groups')
    const tab = page.getByRole('navigation', { name: 'Visited pages' }).getByRole('link', { name: 'User groups' })
    await tab.focus()
    // What a browser makes of Shift and F10.
    await tab.dispatchEvent('contextmenu', { bubbles: true })
    await page.getByRole('menuitem', { name: 'Refresh' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await tab.and(page.locator(':focus')).waitFor()
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.press('ArrowDown')
    await filter.press('Escape')
    expect(await filter.getAttribute('aria-expanded')).toBe('false')
    await filter.and(page.locator(':focus')).waitFor()
  })

  it('the first stop of a page leads past everything around its content', async () => {
    await start('/console/users/groups')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('User groups')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Create user group')
  })

  it('a range of dates is chosen with the keyboard: its shortcuts are one stop, as its days, hours and minutes', async () => {
    await open('/audit/audits/operate-logs')
    const field = page.locator('.date-range input').first()
    await field.focus()
    await page.keyboard.press('ArrowDown')
    const at = (text: string) =>
      vi.waitFor(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe(text), patience)
    await at('Last 24 hours')
    await page.keyboard.press('ArrowDown')
    await at('Last week')
    await page.keyboard.press('Tab')
    const isOn = (day: string) => page.locator(`button:focus[aria-label="${day}"]`).waitFor()
    const day = (await field.inputValue()).slice(0, 10)
    await isOn(day)
    const weekLater = new Date(Date.parse(day) + 7 * 86_400_000).toISOString().slice(0, 10)
    await page.keyboard.press('ArrowDown')
    await isOn(weekLater)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    const hour = (await field.inputValue()).slice(-5, -3)
    await at(hour)
    await page.keyboard.press('Home')
    await at('00')
    await page.keyboard.press('ArrowUp')
    await at('23')
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await field.inputValue()).toContain(' 23:'), patience)
    await page.keyboard.press('Escape')
    await field.and(page.locator(':focus')).waitFor()
  })

  it('what opens over a page goes with Esc', async () => {
    const over = async (show: () => Promise<unknown>, part = '.ant-modal') => {
      await show()
      await page.locator(part).last().waitFor()
      await page.keyboard.press('Escape')
      await page.locator(part).last().waitFor({ state: 'hidden' })
    }
    await open('/console/users/groups?order=name')
    await rows().first().getByRole('checkbox').check()
    for (const name of ['Columns', 'Export', 'Import', 'Update', 'Delete']) await over(() => button(name).click())
    await over(() => page.keyboard.press('Control+k'))
    await over(() => page.getByRole('button', { name: /^Messages/ }).click(), '.ant-drawer')
    await over(() => page.locator('.dots').first().click(), '.ant-dropdown')
    await open('/audit/audits/operate-logs')
    await over(() => page.locator('.date-range input').first().click(), '.ant-picker-dropdown')
    await open('/no/such/page')
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  })
})
