// The console in a browser: transferred script size, time until a list is usable, DOM nodes, memory and script time.
import { parseArgs } from 'node:util'
import { openWindow, signInByPage, startBrowser } from '@castellan/testing/browser'
import { signIn } from '@castellan/testing/client'
import { type Product, startProduct } from '@castellan/testing/product'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { percentile, type Result, report } from './results.ts'

const { values } = parseArgs({
  options: {
    // Users in the list; 100000 takes some minutes to fill.
    rows: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '7' },
  },
})
const people = Number(values.rows)
const runs = Number(values.runs)
/** Rows per request while the table is filled. */
const atOnce = 500
const list = '/ui/#/console/users/users'
const firstRow = 'tbody tr[data-row-key]'

/** Sets `window.usable` to the milliseconds after navigation at which the first row could be clicked. */
const watchRows = `new MutationObserver((_, watcher) => {
  if (!document.querySelector('${firstRow}')) return
  watcher.disconnect()
  requestAnimationFrame(() => { window.usable = performance.now() })
}).observe(document, { childList: true, subtree: true })`

type Storage = Awaited<ReturnType<BrowserContext['storageState']>>

/** A window of a signed-in user with an empty cache. */
async function fresh(browser: Browser, storageState: Storage): Promise<Page> {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  await context.addInitScript(watchRows)
  return context.newPage()
}

async function usableAfter(page: Page, url: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(url)
  await page.locator(firstRow).first().waitFor()
  return Number(await page.evaluate('new Promise((done) => requestAnimationFrame(() => done(window.usable)))'))
}

/** Transferred bytes of the scripts that `visit` loads. */
async function scriptBytes(page: Page, visit: () => Promise<unknown>): Promise<number> {
  const asked: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('.js')) asked.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await visit()
  await page.waitForLoadState('networkidle')
  return (await Promise.all(asked)).reduce((sum, bytes) => sum + bytes, 0)
}

async function metrics(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics: found } = await session.send('Performance.getMetrics')
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

/**
 * A generous limit for rendering a page of rows after its response; the page is not queried meanwhile. Milliseconds.
 */
const drawn = 1000

/**
 * Script time of one more page of 100 rows, several times, milliseconds. The page is not queried in between, because
 * element lookups would be counted too.
 */
async function hundredRows(page: Page, session: CDPSession): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < runs; at++) {
    const before = await metrics(session)
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/users/users/?'))
    await page.evaluate(`document.querySelector('.pages button[aria-label="Next page"]').click()`)
    await answered
    await page.waitForTimeout(drawn)
    const after = await metrics(session)
    times.push(((after.ScriptDuration ?? 0) - (before.ScriptDuration ?? 0)) * 1000)
  }
  const rows = await page.locator(firstRow).count()
  if (rows !== 100) throw new Error(`There are ${rows} rows on the page instead of 100.`)
  return times
}

async function fill(product: Product): Promise<void> {
  const client = await signIn(product.url, 'admin', product.adminPassword)
  await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  for (let at = 0; at < people; at += atOnce)
    await client.collection('users/users').createMany(
      Array.from({ length: Math.min(atOnce, people - at) }, (_, within) => ({
        name: `Person ${String(at + within).padStart(6, '0')}`,
        username: `person${String(at + within).padStart(6, '0')}`,
        email: `person${at + within}@example.com`,
        password_strategy: 'email',
      })),
    )
}

const product = await startProduct()
const browser = await startBrowser()
try {
  await fill(product)
  const results: Result[] = []
  const url = `${product.url}${list}`
  const most = (what: string, value: number, unit: string, limit: number) =>
    results.push({ what, value, unit, limit: { most: limit } })
  const timed = (what: string, times: readonly number[], unit: string, limit: number) =>
    most(
      `${what} (median of ${times.length}, best ${Math.min(...times).toFixed(2)})`,
      percentile(times, 0.5),
      unit,
      limit,
    )

  const { page: signInPage, context } = await openWindow(browser)
  const form = `${product.url}/core/auth/login/`
  most('scripts of the sign-in page', (await scriptBytes(signInPage, () => signInPage.goto(form))) / 1000, 'KB', 120)
  await signInByPage(signInPage, product.url, 'admin', product.adminPassword)
  const state = await context.storageState()

  const cold: number[] = []
  const warm: number[] = []
  // Time of the page's own thread, unaffected by other load of the machine.
  const busy: number[] = []
  for (let at = 0; at < runs; at++) {
    const page = await fresh(browser, state)
    const session = await page.context().newCDPSession(page)
    if (at === 0)
      most('scripts of the first list', (await scriptBytes(page, () => usableAfter(page, url))) / 1000, 'KB', 400)
    else cold.push((await usableAfter(page, url)) / 1000)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const before = (await metrics(session)).TaskDuration ?? 0
    warm.push((await usableAfter(page, url)) / 1000)
    busy.push(((await metrics(session)).TaskDuration ?? 0) - before)
    await page.context().close()
  }
  timed('first list usable, nothing kept', cold, 's', 1)
  timed('first list usable, scripts kept', warm, 's', 0.4)
  timed('processor time of that page', busy, 's', 0.4)

  const page = await fresh(browser, state)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await usableAfter(page, url)
  await page.waitForLoadState('networkidle')
  most('elements of a list of 15 rows', Number(await page.evaluate(`document.querySelectorAll('*').length`)), '', 700)
  await session.send('HeapProfiler.collectGarbage')
  most('memory of its scripts', ((await metrics(session)).JSHeapUsedSize ?? Number.NaN) / 1e6, 'MB', 15)

  await page.evaluate(`localStorage.setItem('paginationSize', '100')`)
  await usableAfter(page, url)
  await page.waitForLoadState('networkidle')
  timed('script time of a page of 100 rows', await hundredRows(page, session), 'ms', 50)
  report(results)
} finally {
  await browser.close()
  await product.stop()
}
