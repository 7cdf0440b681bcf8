import type { Browser, BrowserContext, Page } from 'playwright-core'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from './browser.ts'
import { type Client, signIn } from './client.ts'
import { load, tidy, visit } from './console-visit.ts'
import type { RunningProduct } from './product.ts'
import { sharedProduct } from './shared-product.ts'

/** An empty product with its administrator at work in a browser: what a test of screens begins with. */
export interface OpenConsole extends AsyncDisposable {
  product: RunningProduct
  browser: Browser
  /** The administrator's API client, after the first-sign-in steps. */
  admin: Client
  context: BrowserContext
  /** The administrator's window, signed in. */
  page: Page
  /** Unexpected errors of its pages. */
  faults: string[]
  /**
   * Opens an address of the console in this window or another one. What was there before is gone, but the program is
   * not loaded again, which takes three times as long.
   */
  visit(address: string, where?: Page): Promise<void>
  /** The same with a load of the program, for what happens at a start only. */
  load(address: string, where?: Page): Promise<void>
  /** Before each test: the window answers as the product does, has its size, and has kept nothing in its storage. */
  tidy(): Promise<void>
}

/**
 * Opens it. `prepare` makes by the API what the screens are to show, before anybody opens them; a `newcomer` has not
 * yet seen the hints that are shown once. `product`: one with an environment of its own, which its test stops.
 */
export async function openConsole(
  options: { newcomer?: boolean; prepare?: (admin: Client) => Promise<unknown>; product?: RunningProduct } = {},
): Promise<OpenConsole> {
  const [product, browser] = await Promise.all([options.product ?? sharedProduct(), sharedBrowser()])
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  await options.prepare?.(admin)
  const { context, page, faults } = await openWindow(browser, { newcomer: options.newcomer ?? false })
  page.setDefaultTimeout(15_000)
  await signInWindow(page, product.url, 'admin', product.adminPassword)
  const size = page.viewportSize()
  return {
    visit: (address, where = page) => visit(where, product.url, address),
    load: (address, where = page) => load(where, product.url, address),
    tidy: () => tidy(page, product.url, size),
    product,
    browser,
    admin,
    context,
    page,
    faults,
    [Symbol.asyncDispose]: () => closeWindows(browser),
  }
}
