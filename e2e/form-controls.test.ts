import { closeWindows, type Language, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { barriersOn, looks } from './accessibility.ts'
import { startGallery } from './gallery.ts'

const patience = { timeout: 15_000, interval: 100 }

describeWith(['chromium'], 'controls of forms', () => {
  let product: RunningProduct
  let browser: Browser
  let gallery: Awaited<ReturnType<typeof startGallery>>
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    product = await sharedProduct()
    browser = await sharedBrowser()
    gallery = await startGallery(product.url)
    const admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.collection('users/users').createMany(
      Array.from({ length: 14 }, (_, at) => ({
        name: `Person ${String(at).padStart(2, '0')}`,
        username: `person${String(at).padStart(2, '0')}`,
        email: `person${at}@example.com`,
        password_strategy: 'email',
      })),
    )
    page = await galleryFor('en')
  })
  let visits = 0
  // Each test has the form to itself.
  beforeEach(async () => {
    visits += 1
    await page.evaluate(`scrollTo(0, 0); location.hash = 'visit-${visits}'`)
    await page.locator(`main[data-visit="#visit-${visits}"]`).waitFor()
    await editor(page).waitFor()
  })
  afterAll(async () => {
    expect(faults).toEqual([])
    if (browser) await closeWindows(browser)
    await gallery?.[Symbol.asyncDispose]()
  })

  async function galleryFor(
    language: Language,
    { width, height, theme }: { width: number; height: number; theme: string } = looks[0],
  ): Promise<Page> {
    const window = await openWindow(browser, { language, width, height })
    await window.context.addInitScript(`if (location.protocol !== 'about:') localStorage.setItem('theme', '${theme}')`)
    window.page.setDefaultTimeout(10_000)
    window.page.on('pageerror', (error) => faults.push(error.message))
    await signInWindow(window.page, product.url, 'admin', product.adminPassword)
    await window.page.goto(gallery.url, { timeout: 90_000 })
    // The first visit waits for the sources to be bundled.
    await editor(window.page).waitFor({ timeout: 110_000 })
    return window.page
  }

  /** The last of the controls that come late. */
  const editor = (within: Page) => within.locator('.cm-content').nth(1)
  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true })
  const field = (label: string) =>
    page.locator('fieldset.field').filter({ has: page.getByText(label, { exact: true }) })
  /** What the form would send. */
  async function sent(): Promise<Record<string, unknown>> {
    await box('Name').fill('all of them')
    await box('Host').fill('ldap.example')
    await button('Save').click()
    return JSON.parse(await page.locator('output').innerText()) as Record<string, unknown>
  }

  it('cron: put together field by field, with what follows from each, and the next five runs', async () => {
    await button('Build').click()
    const dialog = page.getByRole('dialog', { name: 'Schedule' })
    const expression = dialog.locator('code')
    expect(await expression.innerText()).toBe('0 0 * * *')
    await dialog.getByRole('radio', { name: 'Any' }).check()
    await vi.waitFor(async () => expect(await expression.innerText()).toBe('* * * * *'), patience)
    await dialog.getByRole('tab', { name: 'Day of the week' }).click()
    const week = dialog.getByRole('tabpanel', { name: 'Day of the week' })
    expect(await week.getByRole('radio', { name: 'Every' }).count()).toBe(0)
    await week.getByRole('radio', { name: 'Specific' }).check()
    await week.getByRole('checkbox', { name: 'Sun' }).check()
    await vi.waitFor(async () => expect(await expression.innerText()).toBe('0 0 * * 0,1'), patience)
    await dialog.getByRole('textbox', { name: 'Hour' }).fill('x4,16')
    await vi.waitFor(async () => expect(await expression.innerText()).toBe('0 4,16 * * 0,1'), patience)
    expect(await dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count()).toBe(5)
    await button('Apply', dialog).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await box('Crontab').inputValue()).toBe('0 4,16 * * 0,1')
    await box('Crontab').fill('0 4 * *')
    await field('Crontab').getByRole('alert').filter({ hasText: 'Enter five fields' }).waitFor()
    await box('Crontab').fill('30 4 * * 1')
    expect(await sent()).toMatchObject({ crontab: '30 4 * * 1' })
  })

  it('the toolbar of the editor runs, chooses, suggests and switches', async () => {
    const tools = page.getByRole('toolbar', { name: 'Editor tools' })
    await button('Run', tools).click()
    await button('python', tools).click()
    await page.getByRole('menuitem', { name: 'shell' }).click()
    await tools.getByRole('combobox', { name: 'Run as' }).fill('de')
    await page.locator('.ant-select-item-option').filter({ hasText: 'deploy' }).click()
    await tools.getByRole('combobox', { name: 'Hosts' }).fill('db-9')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await tools.getByRole('switch', { name: 'Dry run' }).click()
    const chosen = { language: 'shell', runAs: 'deploy', hosts: ['web-1', 'db-9'], dry: true, ran: 1 }
    await vi.waitFor(async () => expect(JSON.parse(await page.locator('#tools').innerText())).toEqual(chosen), patience)
  })

  it('an icon at a label tells more, to the pointer and to the keyboard', async () => {
    const tip = page.getByRole('button', { name: /^Amount: 1 to 100/ })
    await tip.focus()
    await page.getByRole('tooltip').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  })

  it('JSON and code: what is no JSON is said and not sent; the editor can be left with the keyboard', async () => {
    const json = page.getByRole('textbox', { name: 'JSON', exact: true })
    await json.click()
    await page.keyboard.type('{"a": ')
    await field('JSON').getByRole('alert').filter({ hasText: 'Format error' }).waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('{"a": 1}')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await field('JSON').getByRole('alert').waitFor({ state: 'detached' })
    expect(await json.and(page.locator(':focus')).count()).toBe(0)
    await page.getByRole('textbox', { name: 'Script', exact: true }).click()
    await page.keyboard.type('import os')
    await page.locator('.cm-content').nth(1).locator('span').filter({ hasText: 'import' }).first().waitFor()
    const body = await sent()
    expect(body).toMatchObject({ json: { a: 1 }, script: 'import os' })
  })

  it('what a control says late leaves the others as they are by then', async () => {
    await page.getByRole('textbox', { name: 'JSON', exact: true }).click()
    await page.keyboard.type('[1]')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    // The same value written otherwise: told when the editor has rested, and by then another field was changed.
    await page.getByRole('textbox', { name: 'JSON', exact: true }).click()
    await page.keyboard.type(' ')
    await page.getByRole('switch', { name: 'With a mapping' }).click()
    await page.getByRole('textbox', { name: 'Mapping', exact: true }).waitFor()
    // The timers of a page go off in their order: one that is set now, and for longer, after that of the editor.
    await page.evaluate('new Promise((rested) => setTimeout(rested, 700))')
    expect(await sent()).toMatchObject({ json: [1], mapped: true })
  })

  it('reset puts back what a control itself remembers', async () => {
    const allowed = field('Allowed')
    await allowed.getByText('Specified', { exact: true }).click()
    await allowed.getByRole('combobox', { name: 'Specified' }).waitFor()
    await field('Key')
      .locator('input[type=file]')
      .setInputFiles({ name: 'id_rsa', mimeType: 'text/plain', buffer: Buffer.from('key text') })
    await field('Key').getByText('id_rsa').waitFor()
    await button('Reset').click()
    await field('Key').getByText('id_rsa').waitFor({ state: 'detached' })
    await allowed.getByRole('combobox').waitFor({ state: 'detached' })
    expect(await allowed.getByRole('radio', { name: 'All' }).isChecked()).toBe(true)
  })

  it('Markdown: the preview follows and runs nothing', async () => {
    await box('Content').fill('# Maintenance\n\n**Sunday** <img src=x onerror="document.title=1">')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('heading', { name: 'Maintenance' }).waitFor()
    expect(await preview.locator('strong').innerText()).toBe('Sunday')
    expect(await preview.innerHTML()).not.toContain('onerror')
    await button('Hide preview').click()
    await preview.waitFor({ state: 'detached' })
  })

  it('words: added by Enter and comma, edited by a click, hidden where they match', async () => {
    await box('Words').fill('alpha')
    await page.keyboard.press('Enter')
    await box('Words').pressSequentially('beta,')
    await button('alpha').click()
    expect(await box('Words').inputValue()).toBe('alpha')
    await box('Words').fill('gamma')
    await page.keyboard.press('Tab')
    await box('Hidden words').fill('secret-1')
    await page.keyboard.press('Enter')
    const hidden = field('Hidden words')
    await hidden.getByText('******').waitFor()
    await button('Show', hidden).click()
    await hidden.getByText('secret-1').waitFor()
    expect(await sent()).toMatchObject({ words: ['beta', 'gamma'], hidden_words: ['secret-1'] })
  })

  it('lines and attributes: rows are added and taken away, the last line stays', async () => {
    const lines = field('Lines')
    expect(await button('Remove row 1', lines).isDisabled()).toBe(true)
    await lines.getByRole('textbox', { name: 'Row 1' }).fill('first')
    await button('Add a row after row 1', lines).click()
    await lines.getByRole('textbox', { name: 'Row 2' }).fill('second')
    await button('Remove row 1', lines).click()
    const attributes = field('Attributes')
    await attributes.getByRole('textbox', { name: 'Key' }).fill('env')
    await attributes.getByRole('textbox', { name: 'Value' }).fill('prod')
    await page.keyboard.press('Enter')
    await attributes.getByRole('cell', { name: 'env' }).waitFor()
    expect(await sent()).toMatchObject({ lines: ['second'], attributes: [{ key: 'env', value: 'prod' }] })
  })

  it('nested and repeated fields: checked each by itself, with defaults, moved and removed', async () => {
    const endpoints = field('Endpoints').first()
    await button('Add a row', endpoints).click()
    await button('Add a row', endpoints).click()
    const hosts = endpoints.getByRole('textbox', { name: 'Endpoint' })
    await hosts.first().fill('one')
    await button('Save').click()
    await endpoints.getByRole('alert').filter({ hasText: 'This field is required' }).waitFor()
    await hosts.nth(1).fill('t-wo')
    await button('Save').click()
    await endpoints.getByRole('alert').filter({ hasText: 'Only numbers, letters and underscores' }).waitFor()
    await hosts.nth(1).fill('two')
    await button('Move row 2 up', endpoints).click()
    await button('Remove row 2', endpoints).click()
    expect(await sent()).toMatchObject({
      network: { host: 'ldap.example', port: 389 },
      endpoints: [{ host: 'two', tls: true }],
    })
  })

  it('a condition shows a field, and its rule holds only then', async () => {
    expect(await page.getByText('Mapping', { exact: true }).count()).toBe(0)
    await page.getByRole('switch', { name: 'With a mapping' }).click()
    await page.getByRole('textbox', { name: 'Mapping', exact: true }).click()
    await page.keyboard.type('{"name": "cn"}')
    await field('Mapping')
      .getByRole('alert')
      .filter({ hasText: 'Must contain a mapping for the username field' })
      .waitFor()
    await page.getByRole('switch', { name: 'With a mapping' }).click()
    expect(await sent()).toMatchObject({ mapped: false })
  })

  it('numbers and addresses: the texts of the rules', async () => {
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('0')
    await page.keyboard.press('Tab')
    await field('Amount').getByText('Make sure the value is greater than or equal to 1').waitFor()
    for (const typed of ['many', '12a', '五']) {
      await page.getByRole('spinbutton', { name: 'Amount' }).fill(typed)
      await page.keyboard.press('Tab')
      await field('Amount').getByText('Please enter the number type', { exact: true }).waitFor()
      expect(await page.getByRole('spinbutton', { name: 'Amount' }).inputValue()).toBe(typed)
    }
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('5')
    await field('Amount').getByRole('alert').waitFor({ state: 'detached' })
    await box('Mail').fill('nobody')
    await page.keyboard.press('Tab')
    await field('Mail').getByText('Please enter your email address').waitFor()
    await box('Mail').fill('')
    await box('Site').fill('example.com')
    await page.keyboard.press('Tab')
    await field('Site').getByText('begins with http://').waitFor()
    await box('Site').fill('https://example.com')
    await box('Name').fill('a (b)')
    await page.keyboard.press('Tab')
    await page.getByText('Not contain ( )', { exact: true }).waitFor()
    expect(await sent()).toMatchObject({ amount: 5, site: 'https://example.com' })
  })

  it('receivers: a page of ten at the left, the chosen at the right, across pages and searches', async () => {
    const receivers = field('Receivers')
    const chosen = receivers.getByRole('region', { name: 'Chosen' })
    await receivers.getByRole('checkbox', { name: 'Person 00(person00)' }).check()
    await receivers.getByTitle('Next page').click()
    await receivers.getByRole('checkbox', { name: 'Person 11(person11)' }).check()
    await receivers.getByRole('searchbox').fill('person03')
    await receivers.getByRole('checkbox', { name: 'Person 03(person03)' }).check()
    await chosen.getByText('3 selected').waitFor()
    await button('Remove Person 00(person00)', chosen).click()
    const { receivers: ids } = (await sent()) as { receivers: unknown[] }
    expect(ids).toHaveLength(2)
  })

  it('what is typed and not found may become a new object', async () => {
    await page.getByRole('combobox', { name: 'Groups', exact: true }).click()
    await page.keyboard.type('brand new')
    await page.locator('.ant-select-item-option').filter({ hasText: 'Create “brand new”' }).click()
    await page.keyboard.press('Escape')
    expect((await sent()).groups).toEqual([{ name: 'brand new' }])
  })

  it('secrets: generated, strong, copied; rules for generated ones; files with a preview', async () => {
    const password = field('Password')
    await button('Generate', password).click()
    await password.getByRole('status').filter({ hasText: 'Strong' }).waitFor()
    await button('Change', field('Generated passwords')).click()
    const dialog = page.getByRole('dialog', { name: 'Password rules' })
    await dialog.getByRole('switch', { name: 'symbols' }).click()
    await button('Apply', dialog).click()
    await page.getByText('16 characters: upper case, lower case, digits').waitFor()
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await field('Logo')
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: dot })
    await field('Logo').getByText('Required to upload the specified format file').waitFor()
    await field('Logo').locator('input[type=file]').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: dot })
    await page.getByRole('img', { name: 'Preview' }).waitFor()
    await field('Key')
      .locator('input[type=file]')
      .setInputFiles({
        name: 'id_ed25519',
        mimeType: 'text/plain',
        buffer: Buffer.from('key text'),
      })
    const body = await sent()
    expect(body).toMatchObject({ key: 'key text', logo: 'x.png', rules: { length: 16, symbol: false, digit: true } })
  })

  it('protocols of a platform: one primary, which stands first', async () => {
    const protocols = field('Protocols')
    await button('Add protocol', protocols).click()
    await button('Settings of sftp', protocols).click()
    const dialog = page.getByRole('dialog', { name: 'Settings of sftp' })
    await dialog.getByRole('switch').first().click()
    await button('Apply', dialog).click()
    await dialog.waitFor({ state: 'hidden' })
    const { protocols: rows } = (await sent()) as { protocols: { name: string; primary?: boolean }[] }
    expect(rows.map(({ name, primary }) => [name, primary === true])).toEqual([
      ['sftp', true],
      ['ssh', false],
    ])
  })

  it.each(looks)('axe finds nothing on all of them: $look', async (look) => {
    const own = await galleryFor(look.language, look)
    expect(await barriersOn(own)).toEqual([])
    await own.context().close()
  })

  it('speak the person’s language, dates of the next runs as well', async () => {
    page = await galleryFor('ja')
    await button('組み立てる').click()
    const dialog = page.getByRole('dialog', { name: '実行する日時' })
    await dialog.getByRole('tab', { name: '曜日' }).click()
    await dialog.getByRole('checkbox', { name: '月', exact: true }).waitFor()
    expect(await dialog.getByRole('listitem').first().innerText()).toMatch(/^\d{4}\/\d\d\/\d\d /)
  })
})
