import type { AnyRow, Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith('chromium', 'the cloud center in the console', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let page: Page
  let faults: string[]
  let admin: Client

  beforeAll(async () => {
    opened = await openConsole({
      prepare: (client) => client.collection('assets/nodes').create({ value: 'Harbour' }),
    })
    ;({ product, admin, page, faults } = opened)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  const open = async (path: string) => {
    await page.goto(`${product.url}/ui/#${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  /** Chooses an option of the select that is open. */
  const choose = (title: string) => page.getByTitle(title, { exact: true }).last().click()
  const first = async (name: string) => (await admin.collection<AnyRow>(`xpack/cloud/${name}`).all())[0]

  it('is reached from the hosts; the v3 address of the accounts leads to their list', async () => {
    await open('/console/assets/assets?activeTab=host')
    await page.getByRole('link', { name: 'Cloud synchronization' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Cloud synchronization' }).waitFor()
    await open('/console/assets/cloud/account')
    await page.getByRole('heading', { level: 1, name: 'Cloud accounts' }).waitFor()
    expect(page.url()).toContain('/console/assets/cloud/accounts')
  })

  it('makes an account with the form of its provider, which does not show secrets again', async () => {
    await open('/console/assets/cloud?activeTab=AccountList')
    await button('Create cloud account').first().click()
    await page.getByRole('menuitem', { name: 'Kubernetes nodes' }).click()
    await box('Name').fill('Cluster')
    await box('API endpoint').fill('http://169.254.169.254')
    await page.locator('[data-field="attrs.token"] input').fill('a-secret-token')
    await button('Create').click()
    await page.getByText('link-local', { exact: false }).first().waitFor()
    await box('API endpoint').fill('https://127.0.0.1:6443')
    await button('Create').click()
    await page.getByRole('link', { name: 'Cluster', exact: true }).first().waitFor()
    const account = await first('accounts')
    await open(`/console/assets/cloud/account/${account?.id}/update`)
    await box('API endpoint').fill('https://127.0.0.1:6444')
    await button('Save').click()
    await page.getByText('Enter this again', { exact: false }).waitFor()
    expect(await page.content()).not.toContain('a-secret-token')
    await page.locator('[data-field="attrs.token"] input').fill('a-secret-token')
    await button('Save').click()
    await page.getByRole('heading', { level: 1, name: 'Cloud synchronization' }).waitFor()
    expect((await first('accounts'))?.attrs).toEqual({ api_endpoint: 'https://127.0.0.1:6444', ca_cert: '' })
    await admin.request('DELETE', `/api/v1/xpack/cloud/accounts/${account?.id}/`)
  })

  it('makes a strategy with rules and actions', async () => {
    await open('/console/assets/cloud?activeTab=StrategyList')
    await button('Create strategy').first().click()
    await box('Name').fill('Ships')
    await button('Add a row').first().click()
    await page.getByRole('radio', { name: 'Instance name' }).check()
    await page.getByRole('combobox', { name: 'Match' }).click()
    await choose('Begins with')
    await box('Value').fill('ship-')
    await button('Add a row').last().click()
    await page.locator('[data-field=strategy_actions]').getByRole('combobox').last().click()
    await choose('/Default/Harbour')
    await button('Add a row').last().click()
    const actions = page.locator('[data-field=strategy_actions] .repeat-row')
    await actions.last().getByRole('combobox', { name: 'Attribute' }).click()
    await choose('Platform')
    await actions.last().getByRole('combobox').nth(1).click()
    await choose('Unix')
    await actions.last().getByRole('spinbutton').first().fill('2222')
    await button('Create').click()
    await page.getByRole('link', { name: 'Ships', exact: true }).first().waitFor()
    const strategy = await first('strategies')
    expect(strategy?.strategy_rules).toMatchObject([{ attr: { value: 'instance_name' }, value: 'ship-' }])
    expect(strategy?.strategy_actions).toMatchObject([
      { attr: { value: 'node' }, value: { label: '/Default/Harbour' } },
      { attr: { value: 'platform' }, protocols: [{ name: 'ssh', port: 2222 }] },
    ])
  })

  it('shows what a task would do, does it, and shows what it has done', async () => {
    const attrs = { ip_group: ['198.51.100.1-198.51.100.3'], test_port: 0, test_timeout: 1, hostname_prefix: 'ship-' }
    await admin.collection('xpack/cloud/accounts').create({ name: 'Port', provider: 'lan', attrs })
    await open('/console/assets/cloud')
    await button('Create synchronization task').first().click()
    await box('Name').fill('Fleet')
    await page.getByRole('combobox', { name: 'Cloud account' }).click()
    await choose('Port (Local network)')
    await page.getByRole('combobox', { name: 'Regions' }).click()
    await choose('default')
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'Instance name', exact: true }).check()
    await page.getByRole('combobox', { name: 'Strategy' }).click()
    await choose('Ships (priority 50)')
    await page.keyboard.press('Escape')
    await button('Create').click()
    await page.getByRole('link', { name: 'Fleet', exact: true }).first().click()
    await button('Preview').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('ship-198.51.100.2').waitFor()
    expect(await dialog.locator('[data-chart=sync-preview]').innerText()).toMatch(/New\s*3/)
    await page.keyboard.press('Escape')
    expect(await admin.collection('assets/hosts').all()).toEqual([])

    const [log] = await Promise.all([page.context().waitForEvent('page'), button('Run now').first().click()])
    await log.locator('.xterm-rows').getByText('Done: 3 added').waitFor()
    await log.close()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('row', { name: /3.*Success/ }).waitFor()
    await page.getByRole('tab', { name: 'Instances' }).click()
    await page.getByRole('row', { name: /ship-198\.51\.100\.3/ }).waitFor()
    const hosts = await admin.collection<AnyRow>('assets/hosts').all()
    expect(hosts).toHaveLength(3)
    expect(hosts[0]).toMatchObject({ platform: { name: 'Unix' }, nodes: [{ name: 'Harbour' }] })
  })
})
