import { generateKeyPairSync } from 'node:crypto'
import type { AnyRow, Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const patience = { timeout: 15_000, interval: 100 }
/** Assets beside those of the node: more than a page. */
const others = 18

describeWith(['chromium'], 'assets and templates chosen in dialogs', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let page: Page
  let faults: string[]
  let admin: Client
  let node: AnyRow

  beforeAll(async () => {
    opened = await openConsole({
      prepare: async (client) => {
        node = await client.collection('assets/nodes').create({ value: 'Harbour' })
        const host = (name: string, at: number, nodes: string[]) => ({
          name,
          address: `10.1.0.${at}`,
          platform: 1,
          nodes,
          protocols: [{ name: 'ssh', port: 22 }],
        })
        const hosts = client.collection('assets/hosts')
        await hosts.createMany([host('crane', 1, [node.id]), host('pilot', 2, [node.id])])
        await hosts.createMany(Array.from({ length: others }, (_, at) => host(`office-${100 + at}`, 10 + at, [])))
        await client.collection('accounts/account-templates').createMany(
          ['deploy', 'oracle'].map((username) => ({
            name: `${username} of all`,
            username,
            secret_type: 'password',
            secret: 'Template-1',
          })),
        )
      },
    })
    ;({ product, admin, page, faults } = opened)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
  })
  beforeEach(() => opened.tidy())

  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const chosen = () =>
    page.locator('.field').filter({ hasText: 'Assets' }).first().locator('.ant-select-selection-item')
  const picker = () => page.getByRole('dialog', { name: 'Choose assets' })
  const tick = (name: string) => picker().getByRole('checkbox', { name: `Select ${name}` })
  const open = async (path: string) => {
    await opened.visit(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const namesOf = (value: unknown): string[] => (value as { name: string }[]).map(({ name }) => name).sort()
  const idOf = async (name: string) => (await admin.collection('assets/hosts').all({ name }))[0]?.id ?? ''

  it('assets are chosen beside the tree, over its nodes, pages and filters, and sent as they were ticked', async () => {
    await open('/console/perms/asset-permissions/create')
    await box('Name').fill('to the harbour')
    await page.getByRole('combobox', { name: 'Assets', exact: true }).click()
    // Not on its cross, which would close it.
    await picker().locator('.ant-modal-footer button:focus').waitFor()
    await picker().getByTitle('Harbour').click()
    const rows = (count: number) =>
      vi.waitFor(async () => expect(await picker().locator('tbody tr[data-row-key]').count()).toBe(count), patience)
    await rows(2)
    await tick('crane').check()
    await picker().getByTitle('Default').click()
    // The pager moves down with them.
    await rows(15)
    await picker().getByTitle('Next page').click()
    await picker().getByText('office-117').click()
    await picker().getByRole('combobox', { name: 'Filter' }).fill('pilot')
    await page.keyboard.press('Enter')
    await tick('pilot').check()
    await picker().getByText('3 selected').waitFor()
    await picker().getByRole('button', { name: 'Confirm (3)' }).click()
    await picker().waitFor({ state: 'hidden' })
    expect(await chosen().allInnerTexts()).toEqual(['crane(10.1.0.1)', 'office-117(10.1.0.27)', 'pilot(10.1.0.2)'])
    await page.getByRole('combobox', { name: 'Users', exact: true }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'Administrator' }).click()
    await page.keyboard.press('Escape')
    await button('Create').click()
    await page.waitForURL(/asset-permissions\/[\da-f-]+/)
    const [made] = await admin.collection('perms/asset-permissions').all({ name: 'to the harbour' })
    expect(namesOf(made?.assets)).toEqual(['crane', 'office-117', 'pilot'])
  })

  it('what was chosen is ticked when the dialog opens again, and cancelling changes nothing', async () => {
    const made = await admin
      .collection('perms/asset-permissions')
      .create({ name: 'kept', assets: [await idOf('crane')], accounts: ['@ALL'] })
    await open(`/console/perms/asset-permissions/${made.id}/update`)
    await chosen().first().waitFor()
    await page.getByRole('combobox', { name: 'Assets', exact: true }).focus()
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await tick('crane').isChecked()).toBe(true), patience)
    await tick('office-100').check()
    const filter = picker().getByRole('combobox', { name: 'Filter' })
    await filter.click()
    await picker().getByRole('listbox').waitFor()
    await page.keyboard.press('Escape')
    await picker().getByRole('listbox').waitFor({ state: 'hidden' })
    expect(await picker().isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await picker().waitFor({ state: 'hidden' })
    expect(await chosen().allInnerTexts()).toEqual(['crane(10.1.0.1)'])
  })

  it('on a phone the tree opens above the assets, and closes when a node was chosen of it', async () => {
    const desk = page.viewportSize() ?? { width: 1440, height: 900 }
    await page.setViewportSize({ width: 390, height: 844 })
    try {
      await open('/console/perms/asset-permissions/create')
      await page.getByRole('combobox', { name: 'Assets', exact: true }).click()
      const nodes = picker().getByRole('button', { name: /^Nodes/ })
      await tick('office-100').waitFor()
      expect(await nodes.getAttribute('aria-expanded')).toBe('false')
      // However many rows there are, what confirms them is in sight.
      const confirm = await picker().getByRole('button', { name: 'Confirm (0)' }).boundingBox()
      expect((confirm?.y ?? 844) + (confirm?.height ?? 0)).toBeLessThanOrEqual(844)
      await nodes.click()
      await picker().getByTitle('Harbour').click()
      await tick('crane').waitFor()
      await tick('office-100').waitFor({ state: 'hidden' })
      expect(await picker().getByRole('tree').isVisible()).toBe(false)
      expect(await nodes.innerText()).toContain('Harbour')
      await tick('crane').check()
      await picker().getByRole('button', { name: 'Confirm (1)' }).click()
      await picker().waitFor({ state: 'hidden' })
      expect(await chosen().allInnerTexts()).toEqual(['crane(10.1.0.1)'])
    } finally {
      await page.setViewportSize(desk)
    }
  })

  it('a list folds its tree to a line that says the chosen node, where there is no room beside it', async () => {
    const desk = page.viewportSize() ?? { width: 1440, height: 900 }
    const rows = () => page.locator('.list-body').getByText(/^(crane|pilot|office-\d+)$/)
    try {
      for (const width of [390, 800, 1024]) {
        await page.setViewportSize({ width, height: 844 })
        await open('/console/assets/assets')
        const line = page.locator('aside.tree').getByRole('button', { name: /^Nodes/ })
        await page
          .locator('.pager')
          .getByText(`of ${others + 2}`)
          .waitFor()
        expect(await line.innerText()).toMatch(/Nodes\s*All/)
        await line.click()
        await page.locator('aside.tree').getByTitle('Harbour').click()
        await vi.waitFor(
          async () => expect((await rows().allInnerTexts()).sort()).toEqual(['crane', 'pilot']),
          patience,
        )
        expect(await line.innerText()).toMatch(/Nodes\s*Harbour/)
        expect(await page.getByRole('tree').isVisible()).toBe(false)
        await button('Show all nodes').click()
        await page
          .locator('.pager')
          .getByText(`of ${others + 2}`)
          .waitFor()
      }
    } finally {
      await page.setViewportSize(desk)
    }
  })

  it("a node's menu puts assets in and takes them out, out of those it has", async () => {
    await open('/console/assets/assets')
    const menu = async (entry: string) => {
      await page.locator('aside.tree').getByTitle('Harbour').click({ button: 'right' })
      await page.getByRole('menuitem', { name: entry }).click()
      const dialog = page.getByRole('dialog', { name: `${entry}: Harbour` })
      await dialog.locator('tbody tr[data-row-key]').first().waitFor()
      return dialog
    }
    const adding = await menu('Add assets')
    expect(await adding.getByRole('button', { name: 'Add assets' }).isDisabled()).toBe(true)
    await adding.getByText('office-103').click()
    await adding.getByRole('button', { name: 'Add assets' }).click()
    await adding.waitFor({ state: 'hidden' })
    const inNode = async () => namesOf(await admin.collection('assets/hosts').all({ node_id: node.id }))
    expect(await inNode()).toEqual(['crane', 'office-103', 'pilot'])
    const removing = await menu('Remove assets')
    expect(await removing.locator('tbody tr[data-row-key]').count()).toBe(3)
    await removing.getByText('office-103').click()
    await removing.getByRole('button', { name: 'Remove assets' }).click()
    await removing.waitFor({ state: 'hidden' })
    expect(await inNode()).toEqual(['crane', 'pilot'])
  })

  it("a permission takes a template's username, and gives its accounts where they are missing", async () => {
    await open('/console/perms/asset-permissions/create')
    await box('Name').fill('by template')
    await page.getByRole('combobox', { name: 'Users', exact: true }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'Administrator' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Assets', exact: true }).click()
    await tick('crane').check()
    await picker().getByRole('button', { name: 'Confirm (1)' }).click()
    await page.getByRole('checkbox', { name: /Specified accounts/ }).check()
    await button('From template').click()
    const templates = page.getByRole('dialog', { name: 'Account templates' })
    await templates.getByText('oracle of all').click()
    await templates.getByRole('button', { name: 'Confirm (1)' }).click()
    await page.getByTitle('From template oracle of all').waitFor()
    await button('Create').click()
    await page.waitForURL(/asset-permissions\/[\da-f-]+/)
    const [made] = await admin.collection('perms/asset-permissions').all({ name: 'by template' })
    expect(made?.accounts).toEqual(['@SPEC', 'oracle'])
    const [account] = await admin.collection('accounts/accounts').all({ asset: await idOf('crane') })
    expect(account?.username).toBe('oracle')
  })

  it('a host is made with accounts of templates, none of them twice', async () => {
    await open('/console/assets/hosts/create')
    await box('Name').fill('lighthouse')
    await box('Address').fill('10.1.0.200')
    const templates = page.getByRole('dialog', { name: 'Account templates' })
    await button('Add account').click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByRole('textbox', { name: 'Username' }).fill('deploy')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await button('From template').click()
    await templates.getByText('deploy of all').click()
    await templates.getByRole('button', { name: 'Confirm (1)' }).click()
    await page.getByText('An account deploy with the same secret type already exists').waitFor()
    await templates.getByText('deploy of all').click()
    await templates.getByText('oracle of all').click()
    await templates.getByRole('button', { name: 'Confirm (1)' }).click()
    await page.getByText('from the template').waitFor()
    expect(await button('Change oracle').isDisabled()).toBe(true)
    await button('Create').click()
    await page.waitForURL(/assets\/assets/)
    const accounts = await admin.collection('accounts/accounts').all({ asset: await idOf('lighthouse') })
    expect(accounts.map(({ username }) => username).sort()).toEqual(['deploy', 'oracle'])
  })

  it("an account's secret leaves the browser sealed, and many assets get the account of a template", async () => {
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const value = encodeURIComponent(Buffer.from(publicKey).toString('base64'))
    await page.context().addCookies([{ name: 'jms_public_key', value, url: product.url }])
    await open(`/console/assets/assets/${await idOf('pilot')}?activeTab=Account`)
    await button('Add account').first().click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByRole('textbox', { name: 'Username' }).fill('mate')
    await dialog.getByLabel('Secret', { exact: true }).last().fill('Not-on-the-wire-1')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('accounts/'))
    await dialog.getByRole('button', { name: 'Add account' }).click()
    const secret = String((await sent).postDataJSON().secret)
    expect(secret).toMatch(/^[\w+/=]+:[\w+/=]+$/)
    await dialog.waitFor({ state: 'hidden' })
    await page.context().clearCookies({ name: 'jms_public_key' })
    await open('/console/accounts/accounts')
    await button('From template').click()
    const many = page.getByRole('dialog', { name: 'Add accounts from a template' })
    await many.getByRole('combobox', { name: 'Assets' }).click()
    await tick('office-101').check()
    await tick('office-102').check()
    await picker().getByRole('button', { name: 'Confirm (2)' }).click()
    await many.getByRole('combobox', { name: 'Template' }).click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'deploy of all(deploy)' }).click()
    const add = many.getByRole('button', { name: 'Add account' })
    await add.click()
    const outcomes = page.getByRole('dialog', { name: 'Results' })
    await outcomes.getByText('Created 2').waitFor()
    await page.keyboard.press('Escape')
    await many.waitFor({ state: 'hidden' })
    for (const name of ['office-101', 'office-102'])
      expect(
        (await admin.collection('accounts/accounts').all({ asset: await idOf(name) })).map(({ username }) => username),
      ).toEqual(['deploy'])
  })
})
