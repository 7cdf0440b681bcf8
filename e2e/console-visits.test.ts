import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'

const groups = '/console/users/groups'

describeWith('chromium', 'an address that is visited without a load', () => {
  let opened: OpenConsole
  beforeAll(async () => {
    opened = await openConsole()
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  it('shows nothing of what was there before: no question, dialog, message or earlier answer', async () => {
    const { page, admin, visit } = opened
    const box = page.getByRole('textbox', { name: 'Name', exact: true })
    await visit(`${groups}/create`)
    await page.evaluate('window.isSame = true')
    await box.fill('made here')
    await page.getByRole('button', { name: 'Save and add another' }).click()
    await page.getByText('The form is ready for the next one').waitFor()
    await box.fill('not to be saved')
    await visit(groups)
    expect(await page.getByText('The form is ready for the next one').count()).toBe(0)
    await page.getByRole('link', { name: 'made here' }).waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('dialog', { name: 'Export' }).waitFor()

    await admin.collection('users/groups').create({ name: 'made elsewhere' })
    await visit(groups)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    expect(await page.getByRole('link', { name: 'made elsewhere' }).count()).toBe(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await visit(`${groups}/create`)
    await box.waitFor()
    expect(await box.inputValue()).toBe('')
    expect(await page.evaluate('window.isSame')).toBe(true)
  })

  it('is loaded where only that helps: on another page, and below what stays open over every page', async () => {
    const { page, product, visit } = opened
    await visit(groups)
    await page.evaluate('window.isSame = true')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await visit(groups)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate('window.isSame')).toBeUndefined()
    await page.goto(`${product.url}/luna/`)
    await visit(groups)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
  })

  it('has a window that answers as the product does and remembers nothing, once that is tidied', async () => {
    const { page, visit, tidy } = opened
    await visit(groups)
    await page.evaluate("localStorage.setItem('paginationSize', '50')")
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route('**/api/v1/users/groups/?*', (route) => route.fulfill({ status: 404, json: {} }))
    const other = await page.context().newPage()
    await tidy()
    expect(other.isClosed()).toBe(true)
    await visit(groups)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    expect(await page.evaluate("[innerWidth, localStorage.getItem('paginationSize')]")).toEqual([1440, null])
  })
})
