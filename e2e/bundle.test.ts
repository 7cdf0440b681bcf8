import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith(['chromium'], 'scripts as they are sent', () => {
  let product: RunningProduct
  let browser: Browser

  beforeAll(async () => {
    product = await sharedProduct()
    browser = await sharedBrowser()
    const admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
  })

  /** Scripts a page asked for from now on: their names, and their bytes on the wire. */
  function scriptsOf(page: Page): () => Promise<{ names: string[]; bytes: number }> {
    const asked: Promise<{ name: string; bytes: number }>[] = []
    page.on('requestfinished', (request) => {
      if (!request.url().endsWith('.js')) return
      asked.push(request.sizes().then((sizes) => ({ name: request.url(), bytes: sizes.responseBodySize })))
    })
    return async () => {
      await page.waitForLoadState('networkidle')
      const all = await Promise.all(asked)
      return { names: all.map(({ name }) => name), bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) }
    }
  }

  it('the sign-in page is at most 120 KB', async () => {
    const { context, page } = await openWindow(browser)
    const scripts = scriptsOf(page)
    await page.goto(`${product.url}/core/auth/login/`)
    await page.locator('input[name=username]').waitFor()
    const { bytes } = await scripts()
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(120_000)
    await context.close()
  })

  it('the first list is at most 400 KB in few files, and brings no editor, calendar of schedules or Markdown', async () => {
    const first = await openWindow(browser)
    await signInWindow(first.page, product.url, 'admin', product.adminPassword)
    const context = await browser.newContext({ storageState: await first.context.storageState() })
    const page = await context.newPage()
    const scripts = scriptsOf(page)
    await page.goto(`${product.url}/ui/#/console/users/users`)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    const { names, bytes } = await scripts()
    expect(bytes).toBeGreaterThan(120_000)
    expect(bytes).toBeLessThanOrEqual(400_000)
    expect(names.length).toBeLessThanOrEqual(25)
    expect(names.filter((name) => /code-mirror|Markdown|Cron|WeekGrid/.test(name))).toEqual([])
    await first.context.close()
    await context.close()
  })

  it('the rules of Ant Design come with the page: none is made in the browser', async () => {
    const { context, page } = await openWindow(browser)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
    await page.goto(`${product.url}/ui/#/console/users/users`)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
    // What is left to the browser are values for the rules: custom properties.
    const made = `[...document.querySelectorAll('style')].flatMap((style) => [...style.sheet.cssRules])
      .filter((rule) => /\\.ant-/.test(rule.selectorText ?? '') && [...rule.style].some((name) => !name.startsWith('--')))
      .map((rule) => rule.selectorText)`
    expect(await page.evaluate(made)).toEqual([])
    const rounded = `getComputedStyle(document.querySelector('.ant-btn-primary')).borderRadius`
    expect(await page.evaluate(rounded)).not.toBe('0px')
    await context.close()
  })
})
