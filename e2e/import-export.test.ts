import { readFileSync } from 'node:fs'
import type { Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import { describeWith } from '@castellan/testing/parts'
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const patience = { timeout: 20_000, interval: 50 }
const list = '/console/users/groups'

interface Group {
  id: string
  name: string
  comment: string
}

describeWith('chromium', 'import and export', () => {
  let opened: OpenConsole
  let admin: Client
  let page: Page

  beforeAll(async () => {
    opened = await openConsole()
    ;({ admin, page } = opened)
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await opened.tidy()
    await opened.visit(`${list}?order=name`)
    await page.locator('tr[data-row-key]').first().waitFor()
  })

  const groups = () => admin.collection<Group>('users/groups').all()
  const dialog = (): Locator => page.getByRole('dialog', { name: 'Import' })
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })

  /** Opens another list than the one before, whose button of the same name could be meant otherwise. */
  async function openOther(path: string): Promise<void> {
    await opened.visit(`/${path}`)
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
  }

  async function give(name: string, content: string | Buffer): Promise<void> {
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  }
  async function download(start: () => Promise<unknown>): Promise<{ name: string; content: Buffer }> {
    const waiting = page.waitForEvent('download')
    await start()
    const file = await waiting
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
  }
  async function exported(range: string): Promise<string> {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const choice = page.getByRole('dialog', { name: 'Export' })
    await choice.getByRole('radio', { name: range }).check()
    const { content } = await download(() => choice.getByRole('button', { name: 'Export' }).click())
    return content.toString('utf8')
  }

  it('a template has the fields one may give', async () => {
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const { name, content } = await download(() => button('CSV').click())
    expect(name).toMatch(/\.csv$/)
    expect(content.toString('utf8')).toMatch(/Name/)
    await page.keyboard.press('Escape')
  })

  it('a file without one known column is refused, and one with some unknown ones says so', async () => {
    await give('groups.csv', 'Group;Remark\na;b\n')
    await dialog().getByRole('alert').getByText('No column of the file is known').waitFor()
    const input = dialog().locator('input[type=file]')
    await input.setInputFiles({ name: 'g.csv', mimeType: 'text/csv', buffer: Buffer.from('name,remark\na,b\n') })
    await dialog().getByText('Unknown columns of the file are ignored').waitFor()
    await page.keyboard.press('Escape')
  })

  it('rows are previewed, sent one after the other, and counted', async () => {
    await give('groups.csv', 'name,comment\nimported 1,first\nimported 2,second\n')
    await dialog().getByText('2 rows').waitFor()
    await dialog()
      .getByRole('button', { name: /imported 1/ })
      .waitFor()
    await button('Import').click()
    await button('Finished').waitFor()
    await button('Finished').click()
    await dialog().waitFor({ state: 'hidden' })
    expect((await groups()).map(({ name }) => name)).toEqual(expect.arrayContaining(['imported 1', 'imported 2']))
    await page.getByRole('link', { name: 'imported 1' }).waitFor()
  })

  it('a refused row says why, is corrected in place, and only it is sent again', async () => {
    await give('groups.csv', 'name,comment\nfresh 1,a\nimported 1,taken already\n')
    await dialog()
      .getByRole('button', { name: /fresh 1/ })
      .waitFor()
    await button('Import').click()
    await button('Continue').waitFor()
    await dialog().getByText('Rows failed: 1, imported: 1').waitFor()
    await dialog().getByRole('button', { name: 'Name: imported 1' }).click()
    await dialog().getByRole('textbox', { name: 'Name' }).fill('fresh 2')
    await page.keyboard.press('Enter')
    await dialog().getByText('Changed').waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/users/groups/')) sent.push(String(request.postData()))
    })
    await button('Continue').click()
    await button('Finished').click()
    expect(sent.map((body) => (JSON.parse(body) as Group).name)).toEqual(['fresh 2'])
    expect((await groups()).map(({ name }) => name)).toEqual(expect.arrayContaining(['fresh 1', 'fresh 2']))
  })

  it('relations and lists are mended as files write them, and a refused row stays in view until it is accepted', async () => {
    await openOther('console/assets/assets?activeTab=host')
    const rows = [
      'name,address,platform,protocols',
      'mended 1,127.0.0.1,Lunix,ssh',
      'mended 2,127.0.0.1,Linux(99),"[""ssh/22""]"',
      'mended 3,127.0.0.1,Linux,"ssh/22, sftp/22"',
    ]
    await give('hosts.csv', `${rows.join('\n')}\n`)
    await button('Import').click()
    await dialog().getByText('Rows failed: 2, imported: 1').waitFor()
    const row = (name: string) => dialog().locator('tr.ant-table-row').filter({ hasText: name })
    const type = async (name: string, column: string, text: string) => {
      await row(name)
        .getByRole('button', { name: new RegExp(`^${column}: `) })
        .click()
      await dialog().getByRole('textbox', { name: column }).fill(text)
      await page.keyboard.press('Enter')
    }
    // The refusal says what the cell shows.
    const refused = row('mended 2').getByRole('button', { name: 'Platform: Linux(99)' })
    await refused.waitFor()
    expect(await row('mended 2').innerText()).toContain('“99”')
    expect(await row('mended 1').innerText()).toContain('“Lunix”')
    await type('mended 2', 'Platform', 'Linux(1)')
    await type('mended 1', 'Platform', 'Linux')
    await type('mended 1', 'Protocols', 'ssh/2222')
    const failed = dialog().getByRole('radio', { name: 'Failed 2' })
    expect(await failed.isChecked()).toBe(true)
    expect([await row('mended 1').count(), await row('mended 2').count()]).toEqual([1, 1])
    await dialog().getByText('Rows failed: 2, imported: 1').waitFor()
    await button('Continue').click()
    await button('Finished').click()
    const made = await admin.collection<{ name: string; platform: unknown; protocols: object[] }>('assets/hosts').all()
    const of = (name: string) => made.find((host) => host.name === name)
    expect(of('mended 1')).toMatchObject({ platform: { id: 1 }, protocols: [{ name: 'ssh', port: 2222 }] })
    expect(of('mended 2')).toMatchObject({ platform: { id: 1 } })
    expect(of('mended 3')?.protocols).toHaveLength(2)
  })

  it('a field that no column fills gets one, and the mode can be changed beside the preview', async () => {
    await openOther('console/users/users')
    await give('users.csv', 'name,username\nMona,mona\n')
    await button('Import').click()
    await dialog().getByText('Rows failed: 1, imported: 0').waitFor()
    await dialog()
      .getByRole('button', { name: /^Email:/ })
      .click()
    await dialog().getByRole('textbox', { name: 'Email' }).fill('mona@example.com')
    await page.keyboard.press('Enter')
    await button('Continue').click()
    await button('Finished').waitFor()
    await dialog().getByText('Update existing rows').click()
    await dialog().locator('input[type=file]').waitFor({ state: 'attached' })
    expect(await dialog().getByRole('radio', { name: 'Update existing rows' }).isChecked()).toBe(true)
    expect(await dialog().locator('.import-rows').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await admin.collection('users/users').all({ username: 'mona' })).toMatchObject([
      { email: 'mona@example.com' },
    ])
  })

  it('a long import is stopped and continued', async () => {
    const lines = Array.from({ length: 25 }, (_, at) => `bulk ${at + 1},x`)
    await give('groups.csv', `name,comment\n${lines.join('\n')}\n`)
    await button('Import').dblclick()
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog').filter({ hasText: 'Stop the import?' }).last()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await button('Stop').click()
    await button('Continue').waitFor()
    const before = (await groups()).filter(({ name }) => name.startsWith('bulk ')).length
    expect(before).toBeLessThan(25)
    await button('Continue').click()
    await button('Finished').click()
    expect((await groups()).filter(({ name }) => name.startsWith('bulk '))).toHaveLength(25)
  })

  it('existing rows are updated by a file that was exported', async () => {
    const one = (await groups()).find(({ name }) => name === 'bulk 1')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog().getByText('Update existing rows').click()
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({
        name: 'update.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`id,name,comment\n${one?.id},bulk 1,changed by file\n`),
      })
    await button('Import').click()
    await button('Finished').click()
    const { comment } = await admin.collection<Group>('users/groups').get(one?.id ?? '')
    expect(comment).toBe('changed by file')
  })

  it.each([
    ['picture.png', 'not a table', 'under 30 MB'],
    ['empty.csv', 'name,comment\n', 'empty'],
    ['broken.xlsx', 'this is no workbook', ''],
  ])('%s is answered in the dialog', async (name, content, text) => {
    await give(name, content)
    const said = dialog().getByRole('alert')
    await vi.waitFor(async () => expect((await said.innerText()).length).toBeGreaterThan(5), patience)
    expect(await said.innerText()).toContain(text)
    await page.keyboard.press('Escape')
  })

  it('a file with a password asks for it, and again after a wrong one', async () => {
    const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
    await zip.add('groups.csv', new TextReader('name\nfrom a locked file\n'), { password: 'Zip#pass 漢 12' })
    await give('groups.zip', Buffer.from(await zip.close()))
    const box = dialog().getByLabel('Password of groups.zip')
    await box.fill('wrong')
    await button('Open').click()
    await dialog().getByText('This password does not open the file.').waitFor()
    await box.fill('Zip#pass 漢 12')
    await page.keyboard.press('Enter')
    await dialog().getByText('from a locked file').waitFor()
    await button('Import').click()
    await button('Finished').click()
    expect((await groups()).map(({ name }) => name)).toContain('from a locked file')
  })

  it('everything, the selected rows or the filtered ones are exported', async () => {
    const all = await exported('All')
    expect(all).toContain('bulk 25')
    // Moments stand in the file as they do on the screen.
    const hour = await page.evaluate(`new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset' }).format()`)
    const offset = /GMT([+-]\d\d):(\d\d)/.exec(String(hour))
    expect(all).toContain(offset ? ` ${offset[1]}${offset[2]}` : ' +0000')
    await page.locator('tr[data-row-key]').filter({ hasText: 'bulk 10' }).getByRole('checkbox').click()
    const selected = await exported('Selected')
    expect(selected.trim().split('\n')).toHaveLength(2)
    expect(selected).toContain('bulk 10')
    await page.getByRole('combobox', { name: 'Filter' }).fill('imported')
    await page.getByRole('combobox', { name: 'Filter' }).press('Enter')
    await page.locator('.page-head .count').getByText(/2 of/).waitFor()
    const filtered = await exported('Filtered')
    expect(filtered.trim().split('\n')).toHaveLength(3)
  })

  it('what a file has no room for is told before it is exported', async () => {
    await page.route('**/api/v1/users/groups/?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), count: 12_345 } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const choice = page.getByRole('dialog', { name: 'Export' })
    await choice.getByText('the first 10,000 of 12,345 are exported').waitFor()
    await page.keyboard.press('Escape')
    await page.unroute('**/api/v1/users/groups/?*')
  })

  it('a cell that a spreadsheet would run is exported as text', async () => {
    await admin.collection('users/groups').create({ name: '=1+1', comment: '@SUM(A1)' })
    const file = await exported('All')
    expect(file).toMatch(/=1\+1.*@SUM\(A1\)|@SUM\(A1\).*=1\+1/)
    expect(file).not.toMatch(/(^|,)"?[=@]/m)
  })
})
