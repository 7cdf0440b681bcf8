import type { AnyRow, Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const patience = { timeout: 15_000, interval: 100 }

describeWith(['chromium'], 'the pages of assets and labels', () => {
  let opened: OpenConsole
  let page: Page
  let admin: Client
  let host: AnyRow
  beforeAll(async () => {
    opened = await openConsole({
      prepare: async (client) => {
        const hosts = client.collection('assets/hosts')
        const node = await client.collection('assets/nodes').create({ value: 'Yard' })
        const below = await client.request<AnyRow>('POST', `/api/v1/assets/nodes/${node.id}/children/`, {
          value: 'Shed',
        })
        const one = { address: '192.0.2.1', platform: 1, protocols: [{ name: 'ssh', port: 22 }] }
        host = await hosts.create({ ...one, name: 'anvil', nodes: [node.id], labels: [{ name: 'env', value: 'test' }] })
        await hosts.create({ ...one, name: 'bellows', nodes: [below.id] })
        await hosts.change(host.id, {
          gathered_info: { cpu_count: '2', cpu_cores: '4', memory: '7.746', disk_total: '40' },
        })
        const group = await client.collection('users/groups').create({ name: 'Smiths' })
        const { id: me } = await client.request<AnyRow>('GET', '/api/v1/users/profile/')
        await client.collection('perms/asset-permissions').create({
          name: 'For smiths',
          users: [me],
          user_groups: [group.id],
          assets: [host.id],
          accounts: ['@ALL'],
          actions: ['all'],
        })
      },
    })
    ;({ page, admin } = opened)
  })
  afterAll(async () => {
    expect(opened?.faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
  })
  beforeEach(() => opened.tidy())

  const visit = async (path: string) => {
    await opened.visit(`/console/assets/${path}`)
  }
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const rows = () => page.locator('tbody tr[data-row-key]')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const saved = (verb: string) => page.locator('.ant-message-notice').filter({ hasText: verb }).waitFor()
  const names = async () => (await rows().locator('.name-cell a').allInnerTexts()).sort()

  it('show the hardware of a host, which can be corrected', async () => {
    await visit(`assets/${host.id}?activeTab=Detail`)
    await page.getByRole('heading', { name: 'Hardware facts' }).waitFor()
    expect(await field('gathered_info.memory').innerText()).toContain('7.746')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await field('gathered_info.vendor').locator('input').fill('ACME')
    await field('gathered_info.disk_total').locator('input').fill('80')
    await press('Save')
    await saved('was saved')
    const { gathered_info } = await admin.collection('assets/hosts').get(host.id)
    expect(gathered_info).toEqual({
      cpu_count: '2',
      cpu_cores: '4',
      memory: '7.746',
      disk_total: '80',
      vendor: 'ACME',
    })
  })

  it('change the labels of an asset, and lists are filtered by name and value', async () => {
    await admin.collection('assets/labels').create({ name: 'team', value: 'forge' })
    await visit(`assets/${host.id}?activeTab=Detail`)
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Labels' }) })
    await card.locator('.ant-select').click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'team:forge' }).click()
    await page.keyboard.press('Escape')
    await card.getByRole('button', { name: 'Add', exact: true }).click()
    await saved('Added')
    const labels = (await admin.collection('assets/hosts').get(host.id)).labels as { name: string }[]
    expect(labels.map(({ name }) => name).sort()).toEqual(['env', 'team'])
    await visit('assets?activeTab=all')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Open the tab of a category').waitFor()
    await rows().first().waitFor()
    await page.getByPlaceholder('Filter or search').click()
    await page.getByRole('option', { name: 'Labels' }).click()
    await page.keyboard.type('team:forge')
    await page.keyboard.press('Enter')
    await vi.waitFor(async () => expect(await names()).toEqual(['anvil']), patience)
  })

  it('say by which permissions users and groups have access', async () => {
    await visit(`assets/${host.id}?activeTab=PermUserList`)
    const dialog = page.getByRole('dialog', { name: 'Permissions of Administrator' })
    await rows()
      .filter({ hasText: 'Administrator' })
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Show permissions' }).click()
    await dialog.getByText('For smiths').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.locator('[data-permitted-groups]').getByRole('button', { name: 'Show permissions' }).click()
    await page.getByRole('dialog', { name: 'Permissions of Smiths' }).getByText('For smiths').waitFor()
  })

  it("show a node's own assets or all below it, as its menu says", async () => {
    await visit('assets?activeTab=all')
    await rows().first().waitFor()
    const choose = async (entry: string) => {
      await page.locator('aside.tree').getByTitle('Yard').click({ button: 'right' })
      await page.getByRole('menuitem', { name: entry }).click()
    }
    await choose('Show only this node')
    await vi.waitFor(async () => expect(await names()).toEqual(['anvil']), patience)
    await choose('Show all below')
    await vi.waitFor(async () => expect(await names()).toEqual(['anvil', 'bellows']), patience)
    const log = page.context().waitForEvent('page')
    await choose('Check asset counts')
    await (await log).close()
  })

  it('give selected assets another platform of their type, and skip the others with a message', async () => {
    const unix = (await admin.collection('assets/platforms').all({ name: 'BSD' }))[0]
    const other = { name: 'chisel', address: '192.0.2.3', platform: unix?.id }
    await admin.collection('assets/hosts').create(other)
    await visit('assets?activeTab=host')
    for (const name of ['anvil', 'chisel']) await rows().filter({ hasText: name }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Platform' }).check()
    await dialog.locator('[data-field=platform] .ant-select').click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'macOS' }).click()
    await dialog.getByRole('button', { name: /^Update/ }).click()
    await saved('updated')
    const platformOf = async (name: string) => (await admin.collection('assets/hosts').all({ name }))[0]?.platform
    expect(await platformOf('chisel')).toMatchObject({ name: 'macOS' })
    expect(await platformOf('anvil')).toMatchObject({ name: 'Linux' })
  })

  it('create and change a label with its assets', async () => {
    await visit('labels')
    await press('Create label')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('rack')
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('A7')
    await field('assets').locator('.ant-select').click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('tbody tr[data-row-key]').filter({ hasText: 'bellows' }).getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Confirm (1)' }).click()
    await press('Create')
    await saved('was created')
    const made = async () => (await admin.collection('assets/labels').all({ name: 'rack' }))[0]
    expect(await made()).toMatchObject({ value: 'A7', assets: [{ name: 'bellows' }] })
    await rows()
      .filter({ hasText: 'rack' })
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Update' }).click()
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('A8')
    await press('Save')
    await saved('was saved')
    expect(await made()).toMatchObject({ value: 'A8', asset_count: 1 })
  })
})
