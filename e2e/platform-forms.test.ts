import { rootOrgId } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

describeWith(['chromium'], 'the screens of platforms', () => {
  let opened: OpenConsole
  let page: Page
  let admin: Client
  beforeAll(async () => {
    opened = await openConsole()
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
  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const saved = (verb: string) => page.locator('.ant-message-notice').filter({ hasText: verb }).waitFor()
  const stored = async (name: string): Promise<AnyRow> => {
    const [row] = await admin.collection('assets/platforms').all({ name })
    if (!row) throw new Error(`There is no platform ${name}.`)
    return row
  }

  it('create one with protocols and their settings, account switching and parameters of methods', async () => {
    await visit('platforms?activeTab=host')
    await page.getByRole('button', { name: 'Create platform' }).click()
    await page.getByRole('menuitem', { name: 'Linux', exact: true }).click()
    await box('Name').fill('Hardened')
    await field('charset').getByText('GBK').click()
    await press('Add protocol')
    await page.getByRole('button', { name: 'Settings of sftp' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[data-field=sftp_home] input').fill('/srv')
    await dialog.locator('[data-field=required] [role=switch]').click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await field('su_method').getByText('su -', { exact: true }).click()
    await field('automation.change_secret_params').getByRole('button').click()
    await dialog.locator('[data-field="change_secret_posix.groups"] input').fill('wheel')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await field('automation.gather_accounts_enabled').getByRole('switch').click()
    expect(await field('automation.gather_accounts_method').count()).toBe(0)
    await press('Create')
    await saved('was created')
    expect(await stored('Hardened')).toMatchObject({
      category: { value: 'host' },
      type: { value: 'linux' },
      charset: { value: 'gbk' },
      su_method: { value: 'su' },
      protocols: [
        { name: 'ssh', primary: true },
        { name: 'sftp', required: true, setting: { sftp_home: '/srv' } },
      ],
      automation: {
        ansible_enabled: true,
        gather_accounts_enabled: false,
        change_secret_method: 'change_secret_posix',
        change_secret_params: { change_secret_posix: { groups: 'wheel' } },
      },
    })
  })

  it('say before saving which assets a change affects, and how', async () => {
    const { id } = await stored('Hardened')
    const host = { name: 'affected', address: '192.0.2.1', platform: id }
    await admin.collection('assets/hosts').create(host)
    await visit(`platforms/${id}/update`)
    await field('protocols').getByRole('button', { name: 'Remove sftp' }).click()
    await press('Save')
    const dialog = page.getByRole('dialog')
    await dialog.locator('[data-effect=protocol_removed]').getByText('1 asset keeps sftp').waitFor()
    await dialog.getByText('affected (192.0.2.1)').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await stored('Hardened')).protocols).toHaveLength(2)
    await press('Save')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await saved('was saved')
    expect((await stored('Hardened')).protocols).toHaveLength(1)
    // A change that concerns no asset is saved at once.
    await visit(`platforms/${id}/update`)
    await box('Description').fill('for the DMZ')
    await press('Save')
    await saved('was saved')
    expect(await stored('Hardened')).toMatchObject({ comment: 'for the DMZ' })
  })

  it('say before an import which assets it affects, and change nothing without consent', async () => {
    const { id, charset } = await stored('Hardened')
    expect(charset).toMatchObject({ value: 'gbk' })
    await visit('platforms?activeTab=host')
    await press('Import')
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByText('Update existing rows').click()
    const buffer = Buffer.from(`id,name,charset\n${id},Hardened,utf-8\n`)
    await dialog.locator('input[type=file]').setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    const question = page.getByRole('dialog').filter({ has: page.locator('[data-effect=charset]') })
    await question.getByText('affected (192.0.2.1)').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await stored('Hardened')).charset).toMatchObject({ value: 'gbk' })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await question.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByRole('button', { name: 'Finished' }).waitFor()
    expect((await stored('Hardened')).charset).toMatchObject({ value: 'utf-8' })
  })

  it('change a part on its page, and bring missing protocols to the assets', async () => {
    const { id } = await stored('Hardened')
    await visit(`platforms/${id}?activeTab=Detail`)
    await press('Add protocol')
    await press('Add protocol')
    await press('Save')
    const dialog = page.getByRole('dialog')
    await dialog.locator('[data-effect=protocol_added]').getByText('1 asset does not have telnet').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await saved('Saved')
    expect((await stored('Hardened')).protocols).toHaveLength(3)
    await press('Sync')
    await saved('Done')
    const [host] = await admin.collection('assets/hosts').all({ name: 'affected' })
    expect(host).toMatchObject({ protocols: [{ name: 'ssh' }, { name: 'sftp' }, { name: 'telnet', port: 23 }] })
    await page.getByRole('tab', { name: 'Automation' }).click()
    await field('automation.ansible_enabled').getByRole('switch').click()
    await press('Save')
    await dialog.locator('[data-effect=automation_off]').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await saved('Saved')
    expect((await stored('Hardened')).automation).toMatchObject({ ansible_enabled: false })
    await page.getByRole('tab', { name: 'Assets' }).click()
    await page.locator('tbody tr[data-row-key]').filter({ hasText: 'affected' }).waitFor()
  })

  it('declare a new type of custom assets with fields of its own', async () => {
    await visit('platforms?activeTab=custom')
    await page.getByRole('button', { name: 'Create platform' }).click()
    await page.getByRole('menuitem', { name: 'New type' }).click()
    await box('Name').fill('Tickets')
    await box('Type').fill('tickets')
    await press('Add protocol')
    await field('protocols')
      .getByRole('combobox')
      .or(field('protocols').getByRole('textbox'))
      .first()
      .fill('tickets-ui')
    await press('Add a row')
    await field('custom_fields.0.name').locator('input').fill('queue')
    await field('custom_fields.0.label').locator('input').fill('Queue <b>')
    await press('Create')
    await saved('was created')
    const { id, custom_fields, protocols } = await stored('Tickets')
    expect(custom_fields).toMatchObject([{ name: 'queue', label: 'Queue <b>', type: 'str' }])
    expect(protocols).toMatchObject([{ name: 'tickets-ui', primary: true }])
    await visit(`customs/create?platform=${id}&type=tickets`)
    await box('Name').fill('help desk')
    await box('Address').fill('help.example.com')
    // The label is text, whatever it looks like.
    await box('Queue <b>').fill('first')
    await press('Create')
    await saved('was created')
    expect((await admin.collection('assets/customs').all({ name: 'help desk' }))[0]).toMatchObject({
      type: { value: 'tickets' },
      custom_info: { queue: 'first' },
    })
  })

  it('let built-in ones be cloned, not changed', async () => {
    const { id } = await stored('Linux')
    await visit(`platforms/${id}?activeTab=Detail`)
    await page.getByText('Built-in platforms cannot be changed').first().waitFor()
    for (const name of ['Update', 'Delete', 'Save'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await visit('platforms?activeTab=host')
    const row = page.locator('tbody tr[data-row-key]').filter({ hasText: 'macOS' })
    await row.getByRole('button', { name: /Actions/ }).click()
    const menu = page.locator('.ant-dropdown').getByRole('menuitem')
    expect(await menu.allInnerTexts()).toEqual(['Clone'])
    await menu.click()
    await box('Name').fill('our-mac')
    await press('Create')
    await saved('was created')
    expect(await stored('our-mac')).toMatchObject({ internal: false, type: { value: 'unix' }, su_enabled: true })
  })

  it('are the same for all organizations, also where all are shown at once', async () => {
    await visit(`platforms/create?category=host&type=unix&oid=${rootOrgId}`)
    await box('Name').fill('everywhere')
    await press('Create')
    await saved('was created')
    expect(await stored('everywhere')).toMatchObject({ type: { value: 'unix' } })
  })
})
