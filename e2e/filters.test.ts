import { openWindow } from '@castellan/testing/browser'
import { describeWith } from '@castellan/testing/parts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type GroupList, openGroupList, patience } from './group-list.ts'

const groups = '/console/users/groups'

describeWith('chromium', 'filters, dates and columns of a list', () => {
  let list: GroupList
  let page: Page
  const open = (address: string) => list.open(address)

  beforeAll(async () => {
    list = await openGroupList()
    page = list.page
  })
  afterAll(() => list?.[Symbol.asyncDispose]())
  beforeEach(() => list.tidy())

  const filter = () => page.getByRole('combobox', { name: 'Filter' })
  const chips = () => page.locator('.chip').allInnerTexts()
  const reads = (texts: string[]) => vi.waitFor(async () => expect(await chips()).toEqual(texts), patience)
  /** What is asked of a collection from now on. */
  function asked(path: string, where = page): URLSearchParams[] {
    const queries: URLSearchParams[] = []
    where.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === path && request.method() === 'GET') queries.push(url.searchParams)
    })
    return queries
  }

  it('are asked by only when the field is known, also before anything is known of the list', async () => {
    const queries = asked('/api/v1/users/groups/')
    await list.start(`${groups}?order=name&nonsense=1&name=group+103`)
    await list.rows().first().waitFor()
    await reads(['Name group 103'])
    expect(await list.rows().count()).toBe(1)
    expect(queries.length).toBeGreaterThan(0)
    expect(queries.filter((query) => query.has('nonsense'))).toEqual([])
    expect(queries[0]?.get('name')).toBe('group 103')
  })

  it('stay in the order in which they were made, words too, and where they are when they are changed', async () => {
    await open(`${groups}?order=name&name=group+103`)
    for (const word of ['group', '103']) {
      await filter().fill(word)
      await filter().press('Enter')
    }
    await reads(['Name group 103', 'group', '103'])
    await page.locator('.chip').first().getByRole('button').first().click()
    await filter().fill('group 104')
    await filter().press('Enter')
    await reads(['Name group 104', 'group', '103'])
    await page.reload()
    await reads(['Name group 104', 'group', '103'])
  })

  it('that are entered before the address has changed build on each other', async () => {
    await open(`${groups}?order=name`)
    await filter().focus()
    const enter = `async (input) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      for (const word of ['group', '10', '3']) {
        set.call(input, word)
        input.dispatchEvent(new Event('input', { bubbles: true }))
        await Promise.resolve()
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
        await Promise.resolve()
      }
    }`
    await page.evaluate(`(${enter})(document.activeElement)`)
    await reads(['group', '10', '3'])
    await list.leads(/search=group%2C10%2C3/)
  })

  it('with choices are opened again with all of them, the present one named, and may be typed as they are called', async () => {
    await open('/audit/logs/login-logs?status=true')
    const chip = page.locator('.chip').filter({ hasText: 'Status' })
    await chip.getByText('Success').waitFor()
    await chip.getByRole('button').first().click()
    await page.getByRole('listbox').getByRole('option').nth(1).waitFor()
    expect([await filter().inputValue(), await filter().getAttribute('placeholder')]).toEqual(['', 'Success'])
    await filter().fill('failed')
    await filter().press('Enter')
    await chip.getByText('Failed').waitFor()
    await list.leads(/status=0/)
  })

  it('are asked by once where they change quickly, and at once where one is changed', async () => {
    // A clock is that of all pages of a window.
    const storageState = await list.context.storageState()
    const { context, page: other } = await openWindow(list.browser, { storageState })
    await other.clock.install()
    await list.open(`${groups}?order=name&search=group,1,2,3`, other)
    await other.locator('.table-box:not(.refreshing)').waitFor()
    await other.clock.pauseAt((await other.evaluate<number>('Date.now()')) + 1000)
    const queries = asked('/api/v1/users/groups/', other)
    const searched = () => queries.filter((query) => query.get('limit') !== '1').map((query) => query.get('search'))
    for (const [name, left] of [
      ['3', 'group,1,2'],
      ['2', 'group,1'],
      ['1', 'group'],
    ]) {
      await other.getByRole('button', { name: `Remove the filter ${name}`, exact: true }).click()
      const address = () => new URLSearchParams(new URL(other.url()).hash.split('?')[1])
      await vi.waitFor(() => expect(address().get('search')).toBe(left), patience)
    }
    expect(searched()).toEqual(['group,1,2'])
    await other.clock.runFor(300)
    await vi.waitFor(() => expect(searched()).toEqual(['group,1,2', 'group']), patience)
    await context.close()
  })

  it('a range of picked days is whole days unless a time is picked, and Refresh moves a shortcut on to now', async () => {
    await open('/audit/audits/operate-logs')
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    const range = () => {
      const params = new URLSearchParams(new URL(page.url()).hash.split('?')[1])
      return ['date_from', 'date_to'].map((name) => new Date(params.get(name) ?? Number.NaN))
    }
    const times = () => range().map((end) => end.toTimeString().slice(0, 8))
    const fields = page.locator('.date-range input')
    const popup = page.locator('.date-range-popup')
    const ok = popup.getByRole('button', { name: 'OK' })
    const pick = (day: number) => popup.locator('td.ant-picker-cell-in-view').getByText(String(day), { exact: true })
    // A range that begins and ends at an odd time, out of whole days.
    await fields.first().click()
    await popup.getByText('Last 24 hours').click()
    await vi.waitFor(() => expect(range()[1]?.getTime()).not.toBeNaN(), patience)
    const before = range()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await vi.waitFor(() => expect(range()[1]?.getTime()).toBeGreaterThan(Number(before[1])), patience)
    const [from, to] = range().map(Number)
    expect(Number(to) - Number(from)).toBe(86_400_000)
    await fields.first().click()
    await popup.locator('.ant-picker-header-prev-btn').click()
    // What the pointer is on is shown as a preview: it leaves first.
    const shows = async (field: Locator, text: RegExp) => {
      await ok.hover()
      await vi.waitFor(async () => expect(await field.inputValue()).toMatch(text), patience)
    }
    await pick(3).first().click()
    await shows(fields.first(), /-03 00:00$/)
    await ok.click()
    await pick(5).first().click()
    await shows(fields.last(), /-05 23:59$/)
    await ok.click()
    await vi.waitFor(() => expect(times()).toEqual(['00:00:00', '23:59:59']), patience)
    // Days that were picked stay what they are.
    const chosen = page.url()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.locator('.refreshing').waitFor({ state: 'detached' })
    expect(page.url()).toBe(chosen)
    // A time that is picked stays, also when a day is picked after it.
    await page.reload()
    await fields.last().click()
    await popup.locator('.ant-picker-time-panel-column').first().getByText('08', { exact: true }).click()
    await popup.getByRole('button', { name: `${(await fields.last().inputValue()).slice(0, 8)}06` }).click()
    await shows(fields.last(), /-06 08:59$/)
    await ok.click()
    await ok.click()
    await vi.waitFor(() => expect(times()).toEqual(['00:00:00', '08:59:59']), patience)
  })

  it('the actions of rows are among the columns that stay, and a description is told once', async () => {
    await list.admin.collection('users/groups').create({ name: 'a described group', comment: 'said only once' })
    await open(`${groups}?order=name`)
    await list.rows().first().waitFor()
    expect(await page.getByText('said only once').count()).toBe(1)
    await list.button('Columns').click()
    const dialog = page.getByRole('dialog')
    for (const name of ['Name', 'Actions']) {
      const box = dialog.getByRole('checkbox', { name, exact: true })
      expect([name, await box.isChecked(), await box.isDisabled()]).toEqual([name, true, true])
    }
    // Without a column of its own it stands under the name.
    await dialog.getByRole('checkbox', { name: 'Description' }).uncheck()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    expect(await page.getByText('said only once').count()).toBe(1)
  })
})
