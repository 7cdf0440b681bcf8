import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { openWindow, signInWindow } from '@castellan/testing/browser'
import { type Client, registerComponent } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const patience = { timeout: 15_000, interval: 50 }
const groups = '/console/users/groups'

describeWith('chromium', 'the columns, the tree, the first rows and the selection of a list', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let admin: Client
  let page: Page

  beforeAll(async () => {
    opened = await openConsole({
      prepare: async (client) => {
        await client.collection('users/groups').create({ name: 'a group' })
        await client.collection('assets/hosts').create({ name: 'a host', address: '10.9.0.1', platform: 1 })
      },
    })
    ;({ product, admin, page } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await opened.tidy()
    await open(groups)
  })

  async function open(address: string, how = opened.visit): Promise<void> {
    await how(address)
    await page.locator('tbody tr[data-row-key]').first().waitFor()
  }

  it('columns are chosen, remembered, and the default comes back', async () => {
    const head = (name: string) => page.getByRole('columnheader', { name })
    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('checkbox', { name: 'Name' }).isDisabled()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Created by' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await head('Created by').waitFor()
    await open(groups, opened.load)
    await head('Created by').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore default' }).click()
    await head('Created by').waitFor({ state: 'hidden' })
  })

  it('the rows of every table are compact once that is chosen', async () => {
    const height = async () => (await page.locator('tbody tr').first().boundingBox())?.height
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('dialog').getByText(name, { exact: true }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await open(groups)
    expect(await height()).toBe(40)
    await choose('Compact')
    expect(await height()).toBe(32)
    await open('/console/users/users', opened.load)
    expect(await height()).toBe(32)
    // What stands below a name stands beside it.
    const name = page.locator('.name-cell').first()
    const [first, second] = [await name.locator('a').boundingBox(), await name.locator('small').boundingBox()]
    expect(second?.x).toBeGreaterThanOrEqual((first?.x ?? 0) + (first?.width ?? 0))
    await choose('Comfortable')
    expect(await height()).toBe(40)
  })

  it('a default column for which there is no room is left out until somebody asks for it', async () => {
    const desk = page.viewportSize() ?? { width: 1440, height: 900 }
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
    const columns = async (press: string, ticking?: string) => {
      await page.getByRole('button', { name: 'Columns' }).click()
      const dialog = page.getByRole('dialog')
      if (ticking) await dialog.getByRole('checkbox', { name: ticking, exact: true }).check()
      await dialog.getByRole('button', { name: press }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    try {
      await open('/console/users/users')
      await head('Source').waitFor()
      await page.setViewportSize({ width: 1024, height: 768 })
      await head('Source').waitFor({ state: 'hidden' })
      await columns('Apply', 'Source')
      await head('Source').waitFor()
      await open('/console/users/users', opened.load)
      await head('Source').waitFor()
      await columns('Restore default')
      await head('Source').waitFor({ state: 'hidden' })
      await page.setViewportSize(desk)
      await head('Source').waitFor()
    } finally {
      await page.setViewportSize(desk)
    }
  })

  it('a row that is unfolded moves no column', async () => {
    const edges = () =>
      page
        .getByRole('columnheader')
        .evaluateAll((all) => all.map((head) => Math.round(head.getBoundingClientRect().left)))
    const gateway = await registerComponent(product.url, product.bootstrapToken, '[KoKo]-columns')
    const command = {
      user: 'Ada(ada)',
      asset: 'web-1(10.0.0.1)',
      account: 'root(root)',
      output: 'total 0',
      risk_level: 0,
    }
    const session = await gateway.collection('terminal/sessions').create({
      ...{ user: command.user, asset: command.asset, account: command.account, account_id: randomUUID() },
      ...{ protocol: 'ssh', org_id: defaultOrgId },
    })
    const typed = { ...command, session: session.id, input: 'ls -l', timestamp: Math.floor(Date.now() / 1000) }
    await gateway.request('POST', '/api/v1/terminal/commands/', [typed])
    await open('/audit/sessions/command')
    const before = await edges()
    await page.getByRole('button', { name: 'Details of ls -l' }).click()
    await page.locator('tr.expanded').waitFor()
    expect(await edges()).toEqual(before)
  })

  it('the tree beside a list is made wider and narrower, by the pointer and by keys, and each screen remembers its own', async () => {
    const edge = () => page.getByRole('separator', { name: 'Width of the tree' })
    const is = (width: number) =>
      vi.waitFor(async () => {
        expect(await edge().getAttribute('aria-valuenow')).toBe(String(width))
        expect((await page.locator('aside.tree').boundingBox())?.width).toBe(width)
      }, patience)
    const dragTo = async (x: number) => {
      const at = await edge().boundingBox()
      await page.mouse.move((at?.x ?? 0) + 4, 400)
      await page.mouse.down()
      await page.mouse.move(x, 400, { steps: 4 })
      await page.mouse.up()
    }
    await open('/console/assets/assets')
    await is(240)
    const left = (await page.locator('aside.tree').boundingBox())?.x ?? 0
    await dragTo(left + 320)
    await is(320)
    await dragTo(left + 20)
    await is(180)
    await edge().press('ArrowRight')
    await is(196)
    await edge().press('End')
    await is(Number(await edge().getAttribute('aria-valuemax')))
    await edge().press('Home')
    await is(Number(await edge().getAttribute('aria-valuemin')))
    await edge().press('ArrowRight')
    await page.reload()
    await is(196)
    await page.goto(`${product.url}/ui/#/console/accounts/accounts`)
    await is(240)
    await open('/console/assets/assets')
    await edge().dblclick()
    await is(240)
  })

  it('a column’s head tells more where its name does not say it all', async () => {
    await admin.collection('acls/login-asset-acls').create({
      name: 'at night',
      users: { type: 'all' },
      assets: { type: 'all' },
      accounts: ['*'],
      action: 'reject',
      rules: { ip_group: ['*'], time_period: [] },
    })
    await open('/console/perms/login-asset-acls')
    const head = page.getByRole('columnheader', { name: 'Priority' })
    expect(await head.locator('svg').count()).toBe(1)
    expect(await head.getAttribute('title')).toMatch(/1.*100/)
  })

  it.each([
    ['a plain list', '/console/users/groups', 'users/groups'],
    ['one of several tabs', '/console/users/roles?activeTab=OrgRoleList', 'rbac/org-roles'],
    ['beside a tree', '/console/assets/assets?category=host', 'assets/assets'],
    ['in a tab beside a tree', '/console/perms/asset-permissions', 'perms/asset-permissions'],
    ['of accounts', '/console/accounts/accounts', 'accounts/accounts'],
    ['with a range of dates', '/audit/audits/login-logs?order=ip', 'audits/login-logs'],
    ['with a range of dates in a tab', '/audit/sessions/sessions?activeTab=OfflineList', 'terminal/sessions'],
    ['of a log', '/audit/audits/operate-logs', 'audits/operate-logs'],
    ['of what one may use', '/workbench/assets', 'perms/users/self/assets'],
  ])('the first rows are asked for before there is a page to show them, once: %s', async (_what, address, rows) => {
    const other = await page.context().newPage()
    // What React draws it makes before the page has it: a list begins with its bar of filters.
    await other.addInitScript(`{
      const { fetch } = window
      const { createElement } = document
      let drawing = false
      window.asked = []
      window.fetch = (...all) => {
        asked.push([String(all[0]?.url ?? all[0]), all[1]?.method ?? 'GET', drawing])
        return fetch(...all)
      }
      document.createElement = (name, ...all) => {
        drawing ||= name === 'search'
        return createElement.call(document, name, ...all)
      }
    }`)
    await other.goto(`${product.url}/ui/#${address}`)
    await other.locator('main:not(:has([aria-busy=true])) .list-body :is(tbody, .state)').first().waitFor()
    const asked = (await other.evaluate('asked')) as [string, string, boolean][]
    const own = asked.filter(
      ([url, method]) => url.includes(`/${rows}/?`) && url.includes('draw=1') && method === 'GET',
    )
    expect(own.map(([, , drawing]) => drawing)).toEqual([false])
    await other.close()
  })

  it('on a phone a selection moves no row, and what can be done to it stands in one line', async () => {
    const { page: phone, context } = await openWindow(opened.browser, { language: 'ja', width: 390, height: 844 })
    await signInWindow(phone, product.url, 'admin', product.adminPassword)
    await phone.goto(`${product.url}/ui/#/console/users/users`)
    const card = phone.locator('.m-card').first()
    const place = () => card.boundingBox().then((box) => box?.y)
    await card.waitFor()
    const before = await place()
    await card.getByRole('checkbox').check()
    const bar = phone.locator('.selection-bar')
    await bar.getByRole('button', { name: '一括更新' }).waitFor()
    expect(await place()).toBe(before)
    expect((await bar.boundingBox())?.height).toBeLessThan(50)
    await bar.getByRole('button', { name: 'その他' }).click()
    await phone.getByRole('menuitem', { name: '削除' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'キャンセル' }).click()
    await bar.getByRole('button', { name: '解除' }).click()
    await bar.waitFor({ state: 'hidden' })
    await context.close()
  })
})
