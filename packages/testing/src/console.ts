import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openWindow, signInByPage, startBrowser } from './browser.ts'
import { type Client, signIn } from './client.ts'
import { type Product, startProduct } from './product.ts'

/** A product with its administrator signed in to a browser: the fixture of screen tests. */
export interface OpenConsole extends AsyncDisposable {
  product: Product
  browser: Browser
  /** The administrator's API client, after the first-sign-in steps. */
  admin: Client
  context: BrowserContext
  /** The administrator's window, signed in. */
  page: Page
  /** Unexpected errors of its pages. */
  faults: string[]
}

/**
 * Starts it. `prepare` creates data through the API before any page opens. A `newcomer` has not seen the one-time
 * hints.
 */
export async function openConsole(
  options: { newcomer?: boolean; prepare?: (admin: Client) => Promise<unknown> } = {},
): Promise<OpenConsole> {
  const [product, browser] = await Promise.all([startProduct(), startBrowser()])
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  await options.prepare?.(admin)
  const { context, page, faults } = await openWindow(browser, { newcomer: options.newcomer ?? false })
  page.setDefaultTimeout(15_000)
  await signInByPage(page, product.url, 'admin', product.adminPassword)
  return {
    product,
    browser,
    admin,
    context,
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await product.stop()
    },
  }
}
