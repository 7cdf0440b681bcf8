import type { AssetCategory } from '@castellan/contract/asset-types'
import type { Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

const customPlatform = {
  name: 'CRM',
  category: 'custom',
  type: 'crm',
  new_type: true,
  protocols: [{ name: 'crm', port: 9000, primary: true }],
  custom_fields: [
    { name: 'region', label: 'Region', type: 'choice', choices: ['north', 'south'], default: 'north' },
    { name: 'token', label: 'Token', type: 'password' },
  ],
}

interface Case {
  tab: string
  button: string
  platform: string
  address: string
  /** Fills in what only this category asks for. */
  fill?: (page: Page) => Promise<void>
  /** Labels that must not stand in this form. */
  foreign: readonly string[]
  created: object
  /** Changes it in the form of the asset that exists. */
  change?: (page: Page) => Promise<void>
  changed: object
  /** What the page of the asset shows. */
  facts: readonly string[]
}

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const selectors = ['Username selector', 'Password selector']

const cases: Readonly<Record<AssetCategory, Case>> = {
  host: {
    tab: 'Hosts',
    button: 'Create host',
    platform: 'Linux',
    address: '10.1.1.1',
    foreign: ['Default database', 'Proxy', ...selectors],
    created: { protocols: [{ name: 'ssh', port: 22 }, { name: 'sftp' }] },
    changed: {},
    facts: ['10.1.1.1', 'Linux'],
  },
  device: {
    tab: 'Network devices',
    button: 'Create network device',
    platform: 'Cisco',
    address: '10.1.1.2',
    foreign: ['Default database', 'Proxy', ...selectors],
    created: { protocols: [{ name: 'ssh', port: 22 }] },
    changed: {},
    facts: ['10.1.1.2'],
  },
  database: {
    tab: 'Databases',
    button: 'Create database',
    platform: 'MySQL',
    address: '10.1.1.3',
    foreign: ['Proxy', ...selectors],
    fill: async (page) => {
      await box(page, 'Default database').fill('orders')
      // Certificates are asked for once the connection is encrypted.
      expect(await box(page, 'CA certificate').count()).toBe(0)
      await page.getByRole('switch', { name: 'Use SSL' }).click()
      await box(page, 'CA certificate').fill('-----BEGIN CERTIFICATE-----')
      await box(page, 'Client key').fill('-----BEGIN KEY-----')
    },
    created: { db_name: 'orders', use_ssl: true, ca_cert: '-----BEGIN CERTIFICATE-----', client_key: '' },
    change: (page) => box(page, 'Default database').fill('stock'),
    changed: { db_name: 'stock', use_ssl: true, ca_cert: '-----BEGIN CERTIFICATE-----' },
    facts: ['stock'],
  },
  cloud: {
    tab: 'Cloud services',
    button: 'Create cloud service',
    platform: 'Kubernetes',
    address: 'https://k8s.example.com:6443',
    foreign: ['Default database', 'Proxy', ...selectors],
    created: { protocols: [{ name: 'k8s', port: 6443 }] },
    changed: {},
    facts: ['https://k8s.example.com:6443'],
  },
  web: {
    tab: 'Web',
    button: 'Create web asset',
    platform: 'Website',
    address: 'https://shop.example.com/admin',
    foreign: ['Default database', 'Proxy'],
    fill: (page) => box(page, 'Username selector').fill('id=user'),
    created: { autofill: { value: 'basic' }, username_selector: 'id=user', protocols: [{ name: 'http', port: 443 }] },
    change: async (page) => {
      await page.getByRole('radio', { name: 'Disabled' }).click()
      await box(page, 'Username selector').waitFor({ state: 'detached' })
    },
    changed: { autofill: { value: 'no' } },
    facts: ['https://shop.example.com/admin'],
  },
  gpt: {
    tab: 'GPT',
    button: 'Create GPT asset',
    platform: 'ChatGPT',
    address: 'https://api.example.com/v1/',
    foreign: ['Default database', ...selectors],
    fill: (page) => box(page, 'Proxy').fill('http://proxy:3128'),
    created: { proxy: 'http://proxy:3128' },
    change: (page) => box(page, 'Proxy').fill('http://other:3128'),
    changed: { proxy: 'http://other:3128' },
    facts: ['http://other:3128'],
  },
  custom: {
    tab: 'Custom',
    button: 'Create custom asset',
    platform: 'CRM',
    address: 'crm.example.com',
    foreign: ['Default database', 'Proxy', ...selectors],
    fill: (page) => page.locator('input[type=password]').fill('T0p-secret'),
    created: { custom_info: { region: 'north' } },
    change: (page) => page.getByRole('radio', { name: 'south' }).click(),
    changed: { custom_info: { region: 'south' } },
    facts: ['south'],
  },
}

describeWith(['chromium'], 'the form of an asset', () => {
  let opened: OpenConsole
  let page: Page
  let admin: Client
  beforeAll(async () => {
    opened = await openConsole()
    ;({ page, admin } = opened)
    await admin.collection('assets/platforms').create(customPlatform)
  })
  afterAll(async () => {
    expect(opened?.faults ?? []).toEqual([])
    await opened?.[Symbol.asyncDispose]()
  })
  beforeEach(() => opened.tidy())

  const visit = async (path: string) => {
    await opened.visit(`/console/assets/${path}`)
  }
  const saved = (verb: string) => page.locator('.ant-message-notice').filter({ hasText: verb }).waitFor()

  it.each(Object.entries(cases))('creates and changes an asset of the category %s', async (category, one) => {
    const path = `${category}s`
    const stored = async (name: string) => (await admin.collection(`assets/${path}`).all({ name }))[0]
    await visit('assets')
    await page.getByRole('tab', { name: one.tab, exact: true }).click()
    await page.getByRole('button', { name: one.button, exact: true }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: one.platform, exact: true }).first().click()
    await box(page, 'Name').fill(`my ${category}`)
    await box(page, 'Address').fill(one.address)
    for (const label of one.foreign) expect([label, await box(page, label).count()]).toEqual([label, 0])
    await one.fill?.(page)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await saved('was created')
    const made = await stored(`my ${category}`)
    expect(made).toMatchObject({ ...one.created, category: { value: category }, address: one.address })

    // The same form holds what was stored.
    await visit(`${path}/${made?.id}/update`)
    await page.locator('.form-shell .field').first().waitFor()
    expect(await box(page, 'Address').inputValue()).toBe(one.address)
    await box(page, 'Name').fill(`our ${category}`)
    await one.change?.(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved('was saved')
    expect(await stored(`our ${category}`)).toMatchObject({ ...one.changed, id: made?.id })

    await visit(`assets/${made?.id}`)
    for (const fact of one.facts) await page.locator('.facts').getByText(fact, { exact: true }).first().waitFor()
    for (const tab of ['Accounts', 'Permitted users'])
      expect(await page.getByRole('tab', { name: tab }).count()).toBe(1)
  })

  it('is led to by the row of the list, for a change and for a copy', async () => {
    await admin.collection('assets/webs').create({
      name: 'wiki',
      address: 'http://wiki.example.com:8080',
      platform: (await admin.collection('assets/platforms').all({ name: 'Website' }))[0]?.id,
      username_selector: 'css=#who',
    })
    await visit('assets?activeTab=all')
    const row = page.locator('tbody tr[data-row-key]').filter({ hasText: 'wiki' })
    const choose = async (action: string) => {
      await row.getByRole('button', { name: /Actions/ }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
      await box(page, 'Username selector').waitFor()
    }
    await choose('Update')
    expect(await box(page, 'Username selector').inputValue()).toBe('css=#who')
    await visit('assets?activeTab=web')
    await choose('Clone')
    expect(await box(page, 'Username selector').inputValue()).toBe('css=#who')
    await box(page, 'Name').fill('wiki for tests')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await saved('was created')
    const [copy] = await admin.collection('assets/webs').all({ name: 'wiki for tests' })
    expect(copy).toMatchObject({ username_selector: 'css=#who', protocols: [{ name: 'http', port: 8080 }] })
  })

  it('takes the first platform of its category where the address names another one', async () => {
    await visit('webs/create?platform=1')
    await box(page, 'Username selector').waitFor()
    expect(await page.locator('.form-shell').innerText()).toContain('Website')
  })

  it('keeps what was entered when another platform is chosen, and asks for what that one needs', async () => {
    await admin.collection('assets/platforms').create({
      ...customPlatform,
      name: 'CRM-2',
      protocols: [{ name: 'crm2', port: 9002, primary: true }],
      custom_fields: [{ name: 'zone', label: 'Zone', type: 'str' }],
    })
    const [crm] = await admin.collection('assets/platforms').all({ name: 'CRM' })
    await visit(`customs/create?platform=${crm?.id}&type=crm`)
    await box(page, 'Name').fill('moved')
    await box(page, 'Address').fill('moved.example.com')
    await page.locator('[data-field=platform] .ant-select').click()
    await page.locator('.ant-select-item-option').filter({ hasText: 'CRM-2' }).click()
    await box(page, 'Zone').fill('b')
    expect(await box(page, 'Name').inputValue()).toBe('moved')
    expect(page.url()).toContain('platform=')
    await page.locator('[data-field=labels] input').fill('no label')
    await page.locator('.ant-select-dropdown').getByText('name:value').waitFor()
    await page.locator('[data-field=labels] input').fill('env:production')
    await page.locator('.ant-select-item-option').filter({ hasText: 'env:production' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await saved('was created')
    const [made] = await admin.collection('assets/customs').all({ name: 'moved' })
    expect(made).toMatchObject({
      platform: { name: 'CRM-2' },
      custom_info: { zone: 'b' },
      protocols: [{ name: 'crm2', port: 9002 }],
      labels: [{ name: 'env', value: 'production' }],
    })
  })

  it('says where a field is gone because the platform changed while the form was open', async () => {
    const [crm] = await admin.collection('assets/platforms').all({ name: 'CRM' })
    await visit(`customs/create?platform=${crm?.id}&type=crm`)
    await box(page, 'Name').fill('late')
    await box(page, 'Address').fill('late.example.com')
    await page.getByRole('radio', { name: 'south' }).click()
    await admin.collection('assets/platforms').change(String(crm?.id), { custom_fields: [] })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.locator('[data-field="custom_info.region"] [role=alert]').getByText('no longer has the field').waitFor()
    expect(await admin.collection('assets/customs').all({ name: 'late' })).toEqual([])
  })
})
