import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RouteName, routes } from '@castellan/contract/routes'
import { filesOfLastChange } from '@castellan/testing/changes'
import type { Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { sample, sampled } from '@castellan/testing/sample'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fill } from './filled-product.ts'
import { isTouchedBy } from './looked-at.ts'
import { framesPassed } from './open-pages.ts'
import { addressOf, appOf, confirmOnce, lead, postFrom, ready, screens } from './screens.ts'

/** Names of columns and fields on a page, or in one of its tabs. */
interface Names {
  columns?: readonly string[]
  fields?: readonly string[]
}

/** A screen of the v3 console: what existing manuals and automations name. */
interface ContractScreen extends Names {
  /** Route with its query. */
  address: string
  tabs?: number
  inTabs?: readonly Names[]
  /** A terminal is one: it was recorded as the four layers that it is drawn on. */
  charts?: number
}

/** What the console does not show yet, by screen. The lists may only shrink. */
interface Known {
  /** Screens that are not built. */
  missing: readonly string[]
  differences: Readonly<Record<string, readonly string[]>>
}

const read = <T>(name: string): T => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as T
const contract = read<readonly ContractScreen[]>('contract-screens.json')
const knownFile = 'contract-differences.json'
const known = read<Known>(knownFile)

/** What a page shows at one time. */
interface Shown {
  columns: string[]
  fields: string[]
  tabs: string[]
  charts: string[]
}

/** `phone.code` is found as itself, as `phone` and as `code`: the contract names some fields without their object. */
const withParts = (names: readonly string[]) => new Set(names.flatMap((name) => [name, ...name.split('.')]))

async function namesOn(page: Page): Promise<Shown> {
  const all = (attribute: string) =>
    page
      .locator(`main [${attribute}]`)
      .evaluateAll((found, name) => [...new Set(found.map((one) => one.getAttribute(name) ?? ''))], attribute)
  return {
    columns: await all('data-column'),
    fields: await all('data-field'),
    tabs: await all('data-tab'),
    charts: await all('data-chart'),
  }
}

const pending = new Set<Request>()

/** Counts the requests of a page, from before the first of them. */
function watch(page: Page): void {
  const ended = (request: Request) => void pending.delete(request)
  page.on('request', (request) => void pending.add(request))
  page.on('requestfinished', ended).on('requestfailed', ended)
}

/**
 * Waits until a page is drawn and asks for nothing more: what is drawn asks by the next frame, and what was answered is
 * drawn by the one after.
 */
async function settled(page: Page): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet = pending.size === 0 ? quiet + 1 : 0) {
    await ready(page).waitFor()
    await framesPassed(page)
  }
}

/** The page as it opens, and each of its other tabs. */
async function everyTab(page: Page): Promise<[Shown, ...Shown[]]> {
  await settled(page)
  const first = await namesOn(page)
  const others: Shown[] = []
  for (const tab of first.tabs) {
    await page.locator(`main [data-tab="${tab}"]`).click()
    await page.locator(`main [role=tab][aria-selected=true] [data-tab="${tab}"]`).waitFor()
    await settled(page)
    others.push(await namesOn(page))
  }
  return [first, ...others]
}

/** What the most similar part of a page lacks. */
function lacking(wanted: Names, parts: readonly Shown[]): string[] {
  const perPart = parts.map((part) => {
    const fields = withParts(part.fields)
    return [
      ...(wanted.columns ?? []).filter((name) => !part.columns.includes(name)).map((name) => `column ${name}`),
      ...(wanted.fields ?? []).filter((name) => !fields.has(name)).map((name) => `field ${name}`),
    ]
  })
  return perPart.toSorted((one, other) => one.length - other.length)[0] ?? []
}

/** The v3 console draws a terminal on this many canvases, which were counted as charts. */
const canvasesOfTerminal = 4

function differences(wanted: ContractScreen, parts: readonly [Shown, ...Shown[]]): string[] {
  const [first] = parts
  const counted = {
    tabs: first.tabs.length,
    charts: first.charts.reduce((sum, name) => sum + (name === 'terminal' ? canvasesOfTerminal : 1), 0),
  }
  const few = (what: 'tabs' | 'charts') =>
    counted[what] < (wanted[what] ?? 0) ? [`${counted[what]} ${what} instead of ${wanted[what]}`] : []
  const inTabs = (wanted.inTabs ?? []).flatMap((names) => lacking(names, parts))
  return [...new Set([...lacking(wanted, parts), ...inTabs, ...few('tabs'), ...few('charts')])].sort()
}

const nameOf = ({ address }: ContractScreen): RouteName | undefined => {
  const [path] = address.split('?')
  return (Object.keys(routes) as RouteName[]).find((name) => routes[name].path === path)
}

describeWith('chromium', 'the screens of the v3 console', () => {
  let opened: OpenConsole
  let product: Product

  beforeAll(async () => {
    // Plans of backups are made by a token, which cannot confirm.
    product = await startProduct({ env: { SECURITY_VIEW_AUTH_NEED_MFA: 'false' } })
    const prepare = (admin: Client) => admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    opened = await openConsole({ product, prepare })
    watch(opened.page)
    await fill(opened.product, opened.admin)
    await opened.page.setViewportSize({ width: 2400, height: 1200 })
    await confirmOnce(opened.page, opened.product.url, opened.product.adminPassword)
    await postFrom(opened.page, opened.product.url, '/api/v1/authentication/access-keys/', {})
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
    await product?.[Symbol.asyncDispose]()
  })

  it(sampled('show all their columns, fields, tabs and charts, except the known ones'), async () => {
    const { page, admin } = opened
    const missing: string[] = []
    const found: Record<string, string[]> = {}
    const isTouched = isTouchedBy(filesOfLastChange() ?? [])
    const chosen = new Set(sample(contract, 4, ({ address }) => address))
    const looked = contract.filter((wanted) => chosen.has(wanted) || isTouched(nameOf(wanted) ?? ''))
    for (const wanted of contract) {
      const name = nameOf(wanted)
      const screen = screens.find((one) => one.name === name && !one.tab)
      if (!name || !appOf.has(name)) missing.push(wanted.address)
      if (!screen || !looked.includes(wanted)) continue
      const query = wanted.address.split('?')[1]
      await lead(page, product.url, await addressOf(admin, { ...screen, ...(query && { query }) }))
      const lacks = differences(wanted, await everyTab(page))
      if (lacks.length > 0) found[wanted.address] = lacks
    }
    const advice = `What is new is a defect; what is gone is removed from e2e/${knownFile}.`
    expect(missing, advice).toEqual(known.missing)
    const isLooked = ([address]: [string, unknown]) => looked.some((one) => one.address === address)
    expect(found, advice).toEqual(Object.fromEntries(Object.entries(known.differences).filter(isLooked)))
  }, 600_000)
})
