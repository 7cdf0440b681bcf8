import {
  closeWindows,
  type Language,
  openWindow,
  sharedBrowser,
  signInByPage,
  signInWindow,
} from '@castellan/testing/browser'
import { filesOfLastChange } from '@castellan/testing/changes'
import type { Client } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import type { Product } from '@castellan/testing/product'
import { sample, sampled } from '@castellan/testing/sample'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Asked, barriersOn, type Look, looks } from './accessibility.ts'
import { startFilledProduct } from './filled-product.ts'
import { askedAbout, scenesIn, screensIn } from './looked-at.ts'
import { leave, type Scene, Stage } from './scenes.ts'
import { addressOf, confirmOnce, labelOf, lead, ready, type ScreenOfProduct, screens } from './screens.ts'

const patience = { timeout: 30_000, interval: 20 }
const lists = /List$|Log$|MyAssets|OnlineSession|ApiKey|Passkey|TempPassword|ConnectionToken/

describeWith('chromium', 'every screen', () => {
  let product: Product
  let client: Client
  let browser: Browser
  const isAskedAbout = askedAbout(filesOfLastChange() ?? [])

  beforeAll(async () => {
    const filled = await startFilledProduct()
    product = filled.product
    client = filled.client
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await product?.stop()
  })

  const open = async (window: Page, screen: ScreenOfProduct) =>
    lead(window, product.url, await addressOf(client, screen))

  /** What a screen shows that some people could not read, and what they could not reach where axe is asked about it. */
  async function faultsOf(window: Page, screen: ScreenOfProduct): Promise<string[]> {
    const found: string[] = []
    await open(window, screen).catch((reason) => found.push(`${labelOf(screen)}: does not get ready: ${reason}`))
    const cut = await window
      .locator('.row .clip > b')
      .evaluateAll((names) =>
        names
          .filter((name) => name.getBoundingClientRect().width > (name.parentElement?.clientWidth ?? 0))
          .map((name) => name.textContent),
      )
    found.push(...cut.map((name) => `${labelOf(screen)}: cuts ${name}`))
    if (isAskedAbout(screen)) found.push(...(await scan(window, labelOf(screen))))
    return found
  }

  /** What axe says of a state that has no address. */
  async function faultsShown(window: Page, scene: Scene, language: Language): Promise<string[]> {
    const stage = new Stage(window, product.url, language)
    try {
      await scene.show(stage)
      return await scan(window, scene.name, scene.asked)
    } catch (reason) {
      return [`${scene.name}: does not show: ${reason}`]
    } finally {
      await leave(stage, scene)
    }
  }

  async function scan(window: Page, name: string, asked?: Asked): Promise<string[]> {
    return (await barriersOn(window, asked)).map((barrier) => `${name}: ${barrier}`)
  }

  /** Looks at one after the other in two windows. @returns what is wrong with each, and unexpected errors */
  async function faultsIn<What>(
    { width, height, theme, language }: Look,
    all: readonly What[],
    faultsOfOne: (window: Page, one: What) => Promise<string[]>,
  ): Promise<string[]> {
    const { context, page, faults } = await openWindow(browser, { width, height, language })
    await context.addInitScript(`if (location.protocol !== 'about:') localStorage.setItem('theme', '${theme}')`)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
    await confirmOnce(page, product.url, product.adminPassword)
    const found: string[] = []
    const waiting = [...all]
    const lookOn = async (window: Page) => {
      // Colors that are still changing would be judged half way.
      await window.emulateMedia({ reducedMotion: 'reduce' })
      // A form that was filled in asks before it is left.
      window.on('dialog', (dialog) => void dialog.accept())
      for (let next = waiting.shift(); next; next = waiting.shift()) found.push(...(await faultsOfOne(window, next)))
    }
    // Two at a time: axe keeps a processor busy, and each window is a process of its own.
    const second = await context.newPage()
    second.on('pageerror', (error) => faults.push(error.message))
    await Promise.all([lookOn(page), lookOn(second)])
    await context.close()
    return [...found, ...faults]
  }

  it.each(looks)(
    sampled('opens without a fault and is accessible: $look'),
    async (look) => expect(await faultsIn(look, screensIn(look), faultsOf)).toEqual([]),
    240_000,
  )

  it.each(looks)(
    sampled('is accessible where a dialog, a menu or a form half filled in is open: $look'),
    async (look) =>
      expect(
        await faultsIn(look, scenesIn(look), (window, scene) => faultsShown(window, scene, look.language)),
      ).toEqual([]),
    180_000,
  )

  it.each([390, 1440])('moves nothing when its answers come late, also at the first visit: %i px', async (width) => {
    const { context, page } = await openWindow(browser, { width, height: 844 })
    await signInByPage(page, product.url, 'admin', product.adminPassword)
    await page.waitForLoadState('networkidle')
    await page.evaluate(`localStorage.clear()`)
    await context.addInitScript(`{
      window.moved = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    }`)
    let asked = 0
    await page.route('**/api/v1/**', async (route) => {
      // Neither at once nor in the order they were asked for.
      await new Promise((resolve) => setTimeout(resolve, ((asked++ * 7) % 5) * 60))
      await route.continue().catch(() => {})
    })
    const moved: string[] = []
    for (const name of [
      'AdminDashboard',
      'AuditDashboard',
      'MyHome',
      'LoginLogList',
      'AssetPermissionList',
      'HostCreate',
      'HostUpdate',
    ] as const) {
      const screen = screens.find((one) => one.name === name)
      await page.goto('about:blank')
      await page.goto(`${product.url}/ui/#${await addressOf(client, screen ?? { name })}`)
      await ready(page).waitFor()
      await page.waitForLoadState('networkidle')
      const by = Number(await page.evaluate('moved'))
      if (by > 0.01) moved.push(`${name}: ${by}`)
    }
    expect(moved).toEqual([])
    await context.close()
  })

  it('begins a fact on the line of its label, however long it is', async () => {
    const comment = 'a sentence that is much longer than the line it stands on '.repeat(4).trim()
    const { id } = await client.collection('users/groups').create({ name: 'described at length', comment })
    for (const width of [1440, 390]) {
      const { context, page } = await openWindow(browser, { width, height: 900 })
      await signInWindow(page, product.url, 'admin', product.adminPassword)
      await page.goto(`${product.url}/ui/#/console/users/groups/${id}`)
      const fact = page.locator('.facts > div').filter({ hasText: 'Description' })
      await fact.waitFor()
      const lower = await fact.evaluate((row) => {
        const top = (part: ReturnType<typeof row.querySelector>) => {
          const range = row.ownerDocument.createRange()
          if (part) range.selectNodeContents(part)
          return range.getClientRects()[0]?.top ?? Number.NaN
        }
        return top(row.querySelector('dd button') ?? row.querySelector('dd')) - top(row.querySelector('dt'))
      })
      expect([width, Math.abs(lower) < 6]).toEqual([width, true])
      await context.close()
    }
  })

  it('shows six asterisks for a secret until somebody wants to see it', async () => {
    const { context, page } = await openWindow(browser)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
    const [account] = await client.collection('accounts/accounts').all()
    // Shown only after a code of a second factor, which is not what this is about.
    await page.route('**/api/v1/accounts/account-secrets/**', (route) =>
      route.fulfill({ json: { ...account, secret: 'Se-cret-77' } }),
    )
    await page.goto(`${product.url}/ui/#/console/accounts/accounts/${account?.id}`)
    await page.getByRole('button', { name: 'View secret' }).click()
    const line = page.getByRole('dialog').locator('.secret-line')
    expect(await line.innerText()).toBe('******')
    await line.getByRole('button', { name: 'Show' }).click()
    expect(await line.innerText()).toBe('Se-cret-77')
    await context.close()
  })

  it('opens the days and times of a field within the window of a phone', async () => {
    const { context, page } = await openWindow(browser, { width: 390, height: 844 })
    await signInWindow(page, product.url, 'admin', product.adminPassword)
    await page.goto(`${product.url}/ui/#/console/perms/asset-permissions/create`)
    await page.locator('.ant-picker input').last().click()
    const box = await page.locator('.ant-picker-dropdown').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    await context.close()
  })

  it('draws what is fetched when it is needed as soon as it is there', async () => {
    const { context, page } = await openWindow(browser)
    await signInWindow(page, product.url, 'admin', product.adminPassword)
    const asked = Promise.withResolvers<Route>()
    await page.route('**/DateRange-*.js', (route) => asked.resolve(route))
    // The page's time goes on only as it is told to: however slow the machine is, hardly any passes meanwhile.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1000)
    await page.goto(`${product.url}/ui/#/audit/audits/login-logs`)
    await vi.waitFor(async () => {
      await page.clock.runFor(10)
      expect(await page.locator('.date-range-room').count()).toBe(1)
    }, patience)
    // Now it stands still: what waits for a time, were it a frame, is not drawn.
    await (await asked.promise).continue()
    await page.locator('.date-range').waitFor()
    await context.close()
  })

  it.each(sample(['en', 'zh', 'ja'] as const, 3, String, 'sideways'))(
    sampled('shows its lists on a small laptop without scrolling sideways: %s'),
    async (language) => {
      const { context, page } = await openWindow(browser, { width: 1024, height: 768, language })
      await signInWindow(page, product.url, 'admin', product.adminPassword)
      await confirmOnce(page, product.url, product.adminPassword)
      const wide: string[] = []
      for (const screen of screens.filter(({ name }) => lists.test(name))) {
        await open(page, screen)
        const scrolling = await page
          .locator('html, main, .table-scroll')
          .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className))
        wide.push(...scrolling.map((part) => `${labelOf(screen)}: ${part}`))
        if (/Log(List)?$/.test(screen.name) && (await page.locator('tbody time').count()) === 0)
          wide.push(`${labelOf(screen)}: does not say when`)
      }
      expect(wide).toEqual([])
      await context.close()
    },
  )
})
