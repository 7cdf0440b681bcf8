import { type AnyRow, type Client, registerComponent } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { startDistantPort } from '@castellan/testing/distant'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'domains and gateways in the console', () => {
  let opened: OpenConsole
  let product: RunningProduct
  let page: Page
  let faults: string[]
  let admin: Client
  let sshd: RealSshd

  beforeAll(async () => {
    sshd = await startSshd()
    opened = await openConsole({
      prepare: async (client) => {
        const host = { address: sshd.host, platform: 1, protocols: [{ name: 'ssh', port: sshd.port }] }
        await client.collection('assets/hosts').create({ ...host, name: 'lighthouse' })
        await client.collection('assets/gateways').create({ ...host, name: 'drawbridge', platform: undefined })
      },
    })
    ;({ product, admin, page, faults } = opened)
  })
  afterAll(async () => {
    expect(faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
    await sshd?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const open = async (path: string) => {
    await page.goto(`${product.url}/ui/#${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const domainNamed = async (name: string): Promise<AnyRow> => {
    const found = (await admin.collection('assets/domains').all()).find((row) => row.name === name)
    if (!found) throw new Error(`There is no domain ${name}.`)
    return found
  }
  const account = () => [
    { name: 'jump', username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true },
  ]
  const newGateway = (domain: AnyRow, name: string, port: number) =>
    admin.collection('assets/gateways').create({
      name,
      address: sshd.host,
      domain: domain.id,
      protocols: [{ name: 'ssh', port }],
      accounts: account(),
    })

  it('a domain is created with its assets, among which no gateway can be chosen', async () => {
    await open('/console/assets/domains')
    await button('Create domain').first().click()
    await field('name').getByRole('textbox').fill('Harbour')
    await field('assets').getByRole('combobox').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('lighthouse').waitFor()
    const row = (name: string) => dialog.getByRole('row').filter({ hasText: name }).getByRole('checkbox')
    expect(await row('drawbridge').isDisabled()).toBe(true)
    await row('lighthouse').check()
    await dialog.getByRole('button', { name: /^(Add|Choose|OK|Confirm)/ }).click()
    await button('Create').click()
    await heading('Domains')
    const domain = await domainNamed('Harbour')
    expect(domain.assets).toMatchObject([{ name: 'lighthouse' }])
    expect(domain.gateways).toEqual([])
  })

  it('a gateway is created from the page of its domain, and tested on a port', async () => {
    const domain = await domainNamed('Harbour')
    await open(`/console/assets/domains/${domain.id}?activeTab=GatewayList`)
    await button('Create gateway').first().click()
    await field('name').getByRole('textbox').fill('ferry')
    await field('address').getByRole('textbox').fill(sshd.host)
    expect(await field('platform').getByRole('combobox').isDisabled()).toBe(true)
    expect(await field('domain').getByRole('combobox').isDisabled()).toBe(true)
    await field('protocols').getByRole('spinbutton').first().fill(`${sshd.port}`)
    await button('Create').click()
    await heading('Domain: Harbour')
    const row = page.getByRole('row').filter({ hasText: 'ferry' })
    await row.waitFor()
    const gateways = await admin.collection('assets/gateways').all()
    const ferry = gateways.find(({ name }) => name === 'ferry') as AnyRow
    expect(ferry).toMatchObject({ domain: { id: domain.id }, platform: { name: 'Gateway' } })
    await admin.collection('accounts/accounts').create({ ...account()[0], asset: ferry.id })

    await row.hover()
    await row.getByRole('button', { name: /ferry/ }).click()
    await page.getByRole('menuitem', { name: 'Test connection' }).click()
    const port = page.getByRole('dialog').getByRole('spinbutton')
    expect(await port.inputValue()).toBe(`${sshd.port}`)
    const [log] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('dialog').getByRole('button', { name: 'Test', exact: true }).click(),
    ])
    await log.locator('.xterm-rows').getByText('it forwards to its own port').waitFor()
    await log.close()
    await row.getByText('Reachable').waitFor()
  })

  it('the page of the domain shows the time of each gateway, and which one is used', async () => {
    await using far = await startDistantPort(sshd, 80)
    const domain = await domainNamed('Harbour')
    await newGateway(domain, 'detour', far.port)
    await newGateway(domain, 'sunken', 1)
    await open(`/console/assets/domains/${domain.id}`)
    const line = (name: string) => page.locator('[data-row]').filter({ hasText: name })
    await line('detour').getByText('Not tested yet').waitFor()
    const [log] = await Promise.all([page.context().waitForEvent('page'), button('Test all gateways').click()])
    await log.locator('.xterm-rows').getByText('Done: ferry is the fastest').waitFor()
    await log.close()
    await line('ferry').getByText('Used first').waitFor()
    expect(await line('ferry').innerText()).toMatch(/\d+ ms/)
    expect(await line('detour').innerText()).toMatch(/\d{3} ms/)
    expect(await line('sunken').innerText()).toContain('the connection was refused')
    expect(await page.getByText('Used first').count()).toBe(1)
  })

  it('the page of a session names its gateway', async () => {
    const domain = await domainNamed('Harbour')
    const component = await registerComponent(product.url, product.bootstrapToken, '[KoKo]-harbour')
    const [host] = (domain.assets as AnyRow[]) ?? []
    const session = await component.collection('terminal/sessions').create({
      user: 'Administrator(admin)',
      asset: 'lighthouse(127.0.0.1)',
      asset_id: host?.id,
      account: 'root(root)',
      account_id: 'root',
      protocol: 'ssh',
      org_id: domain.org_id,
    })
    await component.collection('terminal/sessions').change(session.id, { gateway: 'ferry(127.0.0.1)' })
    // What was reported once is evidence.
    await component.collection('terminal/sessions').change(session.id, { gateway: 'none', is_finished: true })
    await open(`/audit/sessions/sessions/${session.id}`)
    expect(await field('gateway').innerText()).toMatch(/Gateway\s+ferry 127\.0\.0\.1/)
  })
})
