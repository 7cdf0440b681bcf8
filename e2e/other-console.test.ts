import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeWindows, openWindow, sharedBrowser } from '@castellan/testing/browser'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const others = '<!doctype html><link rel="icon" href="data:,"><title>Another console</title><p>Another console'

/** What stands in front where another console is mounted at /ui/: that path is its own, all others are ours. */
const proxyTo = (product: RunningProduct) =>
  createServer((asked, answer) => {
    if (asked.url?.startsWith('/ui/')) {
      answer.setHeader('content-type', 'text/html').end(others)
      return
    }
    const { method, url, headers } = asked
    const forward = request(new URL(product.url), { method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.rawHeaders)
      got.pipe(answer)
    })
    forward.on('error', () => answer.destroy())
    asked.pipe(forward)
  })

describeWith(['chromium'], 'where another console is mounted at /ui/', () => {
  let product: RunningProduct
  let browser: Browser
  let proxy: ReturnType<typeof proxyTo>
  let url = ''
  let page: Page
  let faults: string[]
  const asked: string[] = []

  beforeAll(async () => {
    ;[product, browser] = await Promise.all([sharedProduct(), sharedBrowser()])
    proxy = proxyTo(product)
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    ;({ page, faults } = await openWindow(browser))
    page.on('response', (got) => {
      const path = got.url().slice(url.length)
      asked.push(path)
      if (got.status() >= 400 && !path.startsWith('/koko/')) faults.push(`${got.status()} ${path}`)
    })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    proxy?.close()
  })

  /** Every picture of the page is there, and its own styles are applied. */
  const isWhole = `[...document.images].every((image) => image.naturalWidth > 0) && document.styleSheets.length > 0`
  const icon = `fetch(document.querySelector('link[rel=icon]').href).then(({ headers }) => headers.get('content-type'))`

  it('the pages for signing in and for a new password are whole, and lead there', async () => {
    for (const path of ['/core/auth/password/forget/previewing/', '/core/auth/login/']) {
      await page.goto(`${url}${path}`)
      await page.locator('input[name=username]').waitFor()
      expect([path, await page.evaluate(isWhole), await page.evaluate(icon)]).toEqual([path, true, 'image/svg+xml'])
    }
    expect(asked.filter((path) => path.startsWith('/ui/'))).toEqual([])
    await page.locator('input[name=username]').fill('admin')
    await page.locator('input[type=password]').fill(product.adminPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/ui\//)
    expect(await page.title()).toBe('Another console')
  })

  it('the web terminal is whole', async () => {
    asked.length = 0
    await page.goto(`${url}/luna/`)
    await page.locator('.brand-mark img').waitFor()
    expect([await page.evaluate(isWhole), await page.evaluate(icon)]).toEqual([true, 'image/svg+xml'])
    expect(asked.filter((path) => path.startsWith('/ui/'))).toEqual([])
    expect(faults).toEqual([])
  })

  it('files with a hash in their name are kept for good, and sent packed', async () => {
    const file = asked.find((path) => /^\/static\/assets\/shared-.*\.js$/.test(path))
    const { headers } = await fetch(`${url}${file}`, { headers: { 'accept-encoding': 'br' } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
    })
  })
})
