import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openWindow, signInByPage, startBrowser } from './browser.ts'
import { type Client, signIn } from './client.ts'
import { type Product, startProduct } from './product.ts'

/** A product of its own with its administrator at work in a browser: what a test of screens begins with. */
export interface OpenConsole extends AsyncDisposable {
  product: Product
  browser: Browser
  /** The administrator by the API, past what the first sign-in asks. */
  admin: Client
  context: BrowserContext
  /** The administrator's window, signed in. */
  page: Page
  /** What went wrong on its pages without anybody asking. */
  faults: string[]
}

/**
 * Starts it. `prepare` makes by the API what the screens are to show, before anybody opens them; a `newcomer` has not
 * yet seen the hints that are shown once.
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
