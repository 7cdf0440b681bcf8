import { AxeBuilder } from '@axe-core/playwright'
import { openWindow, signInByPage, startBrowser } from '@castellan/testing/browser'
import type { Client } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import type { Product } from '@castellan/testing/product'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressOf, confirmOnce, labelOf, type ScreenOfProduct, screens, startFilledProduct } from './screens.ts'

const lists = /List$|Log$|MyAssets|OnlineSession|ApiKey/

describeWith('chromium', 'every screen', () => {
  let product: Product
  let client: Client
  let browser: Browser

  beforeAll(async () => {
    const filled = await startFilledProduct()
    product = filled.product
    client = filled.client
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  /** What a screen shows that some people could not read or reach. */
  async function faultsOf(window: Page, screen: ScreenOfProduct): Promise<string[]> {
    const address = await addressOf(client, screen)
    await window.goto(`${product.url}/ui/#${address}`)
    // The strip lights the entry of the screen that is shown; until the new one is there that is the one before.
    await window.locator(`.tabstrip a[aria-current=page][href="#${address}"]`).waitFor()
    const ready = window.locator('main:not(:has(.ant-skeleton, [aria-busy=true])):has(h1)')
    const found: string[] = []
    await ready.waitFor().catch(() => found.push(`${labelOf(screen)}: does not get ready`))
    // Its other mode opens a window of its own, which puts this one to sleep.
    const { violations } = await new AxeBuilder({ page: window }).setLegacyMode().analyze()
    for (const { id, nodes } of violations)
      found.push(`${labelOf(screen)}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
    const cut = await window
      .locator('.row .clip > b')
      .evaluateAll((names) =>
        names
          .filter((name) => name.getBoundingClientRect().width > (name.parentElement?.clientWidth ?? 0))
          .map((name) => name.textContent),
      )
    found.push(...cut.map((name) => `${labelOf(screen)}: cuts ${name}`))
    return found
  }

  const looks = [
    { look: 'on a desk, light', width: 1440, height: 900, theme: 'light', language: 'en' },
    { look: 'on a small laptop, dark', width: 1024, height: 768, theme: 'dark', language: 'ja' },
    { look: 'on a phone, dark', width: 390, height: 844, theme: 'dark', language: 'zh' },
  ] as const

  it.each(looks)(
    'opens without a fault and is accessible: $look',
    async ({ width, height, theme, language }) => {
      const { context, page, faults } = await openWindow(browser, { width, height, language })
      // One of each kind where the difference is only room.
      const looked = width === 1440 ? screens : screens.filter(({ kind }) => kind)
      await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
      await signInByPage(page, product.url, 'admin', product.adminPassword)
      await confirmOnce(page, product.adminPassword)
      const found: string[] = []
      // Two at a time: axe keeps a processor busy, and each window is a process of its own.
      const waiting = [...looked]
      const look = async (window: Page) => {
        // Colours that are still changing would be judged half way.
        await window.emulateMedia({ reducedMotion: 'reduce' })
        for (let screen = waiting.shift(); screen; screen = waiting.shift())
          found.push(...(await faultsOf(window, screen)))
      }
      const second = await context.newPage()
      second.on('pageerror', (error) => faults.push(error.message))
      await Promise.all([look(page), look(second)])
      expect(found).toEqual([])
      expect(faults).toEqual([])
      await context.close()
    },
    240_000,
  )

  it.each(['en', 'zh', 'ja'] as const)(
    'shows its lists on a small laptop without scrolling sideways: %s',
    async (language) => {
      const { context, page } = await openWindow(browser, { width: 1024, height: 768, language })
      await signInByPage(page, product.url, 'admin', product.adminPassword)
      await confirmOnce(page, product.adminPassword)
      const wide: string[] = []
      for (const screen of screens.filter(({ name }) => lists.test(name))) {
        await page.goto('about:blank')
        await page.goto(`${product.url}/ui/#${await addressOf(client, screen)}`)
        await page.locator('main:not(:has(.ant-skeleton, [aria-busy=true])):has(h1)').waitFor()
        const scrolling = await page
          .locator('html, main, .table-scroll')
          .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className))
        wide.push(...scrolling.map((part) => `${labelOf(screen)}: ${part}`))
        if (/Log/.test(screen.name) && (await page.locator('tbody time').count()) === 0)
          wide.push(`${labelOf(screen)}: does not say when`)
      }
      expect(wide).toEqual([])
      await context.close()
    },
  )
})
