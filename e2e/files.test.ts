import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const password = 'Olivia-files-12'
const patience = { timeout: 30_000, interval: 100 }

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'the file manager', () => {
  let product: RunningProduct
  let target: RealSshd
  let browser: Browser
  let admin: Client
  let host: AnyRow
  let page: Page
  let faults: string[]
  const folder = mkdtempSync(join(tmpdir(), 'castellan-files-'))
  const content = randomBytes(3_000_000)
  const onHost = (name: string) => join(target.home, name)

  beforeAll(async () => {
    target = await startSshd()
    browser = await sharedBrowser()
    product = await sharedProduct()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, 'shelf')
    await permit(admin, await makePerson(admin, 'olivia', password), [host])
    await permit(admin, await makePerson(admin, 'mika', password), [host], ['connect', 'upload'])
    writeFileSync(join(folder, '報告.bin'), content)
    ;({ page, faults } = await open('olivia'))
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  /** Signs in, opens the files of the host and goes to the account's own folder. */
  async function open(username: string) {
    const client = await signIn(product.url, username, password)
    await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const window = await openWindow(browser)
    window.page.setDefaultTimeout(15_000)
    await signInWindow(window.page, product.url, username, password)
    await window.page.goto(`${product.url}/luna/sftp?login_to=${host.id}`)
    await window.page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
    await window.page.getByRole('button', { name: 'Upload', exact: true, disabled: false }).waitFor()
    await window.page.getByRole('button', { name: 'Enter a path' }).click()
    await window.page.getByRole('textbox', { name: 'Path' }).fill(target.home)
    await window.page.keyboard.press('Enter')
    await window.page.locator('.path-line').getByText(target.username).waitFor()
    return window
  }

  /** By its whole name: an upload that is on its way stands beside it, as `.name.….part`. */
  const entry = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  /** Waits until the host holds a file with this content. */
  const holds = (name: string, text: string) =>
    vi.waitFor(() => expect(readFileSync(onHost(name), 'utf8')).toBe(text), patience)
  const lacks = (name: string) => vi.waitFor(() => expect(existsSync(onHost(name))).toBe(false), patience)
  const tool = (name: string) => page.getByRole('button', { name, exact: true })
  const transfers = () => page.getByRole('region', { name: 'Transfers' })
  /** Waits until a file is there; else what the list says of it stands in the failure. */
  const arrived = (name: string) =>
    vi.waitFor(async () => {
      const shown = await transfers().innerText({ timeout: 1000 })
      expect(shown.split('\n').slice(shown.split('\n').indexOf(name))).toContain('Done')
    }, patience)

  it('is what the workbench’s menu leads to', async () => {
    const workbench = await page.context().newPage()
    await workbench.goto(`${product.url}/ui/#/workbench/home`)
    const opening = page.context().waitForEvent('page')
    await workbench.getByText('File manager').click()
    const manager = await opening
    await manager.getByText('Choose an asset to open its files here.').waitFor()
    await Promise.all([workbench.close(), manager.close()])
  })

  it('uploads what was chosen, and lists it', async () => {
    await page.locator('input[type=file]').setInputFiles(join(folder, '報告.bin'))
    await arrived('報告.bin')
    await entry('報告.bin').waitFor()
    expect(readFileSync(onHost('報告.bin')).equals(content)).toBe(true)
  })

  it('uploads what was dropped', async () => {
    const made = "(d => (d.items.add(new File(['dropped\\n'], 'dropped.txt')), d))(new DataTransfer())"
    const dropped = await page.evaluateHandle(made)
    await page.locator('.files').dispatchEvent('drop', { dataTransfer: dropped })
    await arrived('dropped.txt')
    await entry('dropped.txt').waitFor()
    await holds('dropped.txt', 'dropped\n')
  })

  it('downloads the file as it is', async () => {
    await entry('報告.bin').click()
    const [download] = await Promise.all([page.waitForEvent('download'), tool('Download').click()])
    expect(download.suggestedFilename()).toBe('報告.bin')
    expect(readFileSync(await download.path()).equals(content)).toBe(true)
  })

  it('makes a folder, goes into it and back', async () => {
    await tool('New folder').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('box')
    await page.getByRole('button', { name: 'Create folder' }).click()
    await entry('box').dblclick()
    await page.getByText('This folder is empty').waitFor()
    expect(statSync(onHost('box')).isDirectory()).toBe(true)
    await tool('Parent folder').click()
    await entry('dropped.txt').waitFor()
  })

  it('renames, and keeps both where a name is taken', async () => {
    await entry('dropped.txt').click()
    await tool('Rename').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('報告.txt')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await entry('報告.txt').waitFor()
    await entry('dropped.txt').waitFor({ state: 'detached' })
    await lacks('dropped.txt')
    await holds('報告.txt', 'dropped\n')

    writeFileSync(join(folder, '報告.txt'), 'another\n')
    await page.locator('input[type=file]').setInputFiles(join(folder, '報告.txt'))
    await page.getByRole('button', { name: 'Keep both' }).click()
    const kept = page.getByRole('row').getByText(/^報告.+\.txt$/)
    await kept.waitFor()
    await holds(await kept.innerText(), 'another\n')
    await holds('報告.txt', 'dropped\n')
  })

  it('keeps what is typed while the dialog of a name still opens, and selects the part before the extension', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const slow = await page.addStyleTag({ content: '* { animation-duration: 1s !important }' })
    await entry('報告.txt').click()
    await tool('Rename').click()
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
    await name.and(page.locator(':focus')).waitFor()
    const selected = () => page.evaluate('getSelection().toString()')
    expect(await selected()).toBe('報告')
    await name.fill('note')
    const opening = "document.querySelector('.ant-modal-root').getAnimations({ subtree: true })"
    expect(await page.evaluate(`${opening}.length`)).toBeGreaterThan(0)
    await page.evaluate(`Promise.all(${opening}.map((one) => one.finished)).then(() => {})`)
    // What the dialog does at the end of its opening.
    await page.evaluate('new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)))')
    await page.keyboard.type('-1')
    expect(await name.inputValue()).toBe('note-1')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await name.waitFor({ state: 'detached' })
    await slow.evaluate((tag) => tag.remove())
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  it('deletes after it was asked, folders too', async () => {
    for (const name of ['報告.bin', 'box']) {
      await entry(name).first().click()
      await tool('Delete').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await entry(name).waitFor({ state: 'detached' })
      await lacks(name)
    }
    expect(faults).toEqual([])
  })

  it('each of these stands in the log', async () => {
    await vi.waitFor(async () => {
      const logs = (await admin.collection('audits/ftp-logs').all()).filter(({ asset }) => /shelf/.test(String(asset)))
      const kinds = new Set(logs.map((row) => (row.operate as { value: string }).value))
      for (const kind of ['upload', 'download', 'mkdir', 'rename', 'delete', 'rmdir']) expect(kinds).toContain(kind)
    }, patience)
  })

  it('takes away what the permission does not hold, in the page and behind it', async () => {
    const mika = await open('mika')
    const row = mika.page.getByRole('row').filter({ hasText: '報告.txt' }).first()
    await row.click()
    for (const name of ['Download', 'Delete'])
      expect(await mika.page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true)
    expect(await mika.page.getByRole('button', { name: 'Rename', exact: true }).isDisabled()).toBe(false)
    await row.dblclick()
    await mika.page.getByText('Your permission does not include downloading.').waitFor()

    const refresh = mika.page.getByRole('tabpanel').getByRole('button', { name: 'Refresh', exact: true })
    const [listing] = await Promise.all([mika.page.waitForResponse(/\/list\//), refresh.click()])
    const listed = listing.url()
    const download = new URL(`../download/?path=${encodeURIComponent(onHost('報告.txt'))}`, listed).href
    expect((await mika.page.request.get(listed)).status()).toBe(200)
    expect((await mika.page.request.get(download)).status()).toBe(403)
  })

  it('leaves nothing of a half upload on the host when the session is ended, and says who ended it', async () => {
    const refresh = page.getByRole('tabpanel').getByRole('button', { name: 'Refresh', exact: true })
    const [listing] = await Promise.all([page.waitForResponse(/\/list\//), refresh.click()])
    const uploads = new URL('../uploads/', listing.url()).href
    const headers = { origin: product.url }
    const request = { path: onHost('half.bin'), size: content.length }
    const begun = await page.request.post(uploads, { headers, data: request })
    const { id } = (await begun.json()) as { id: string }
    const type = { ...headers, 'content-type': 'application/octet-stream' }
    await page.request.put(`${uploads}${id}/?offset=0`, { headers: type, data: content.subarray(0, 500_000) })
    const left = () => readdirSync(target.home).filter((name) => name.includes('half.bin'))
    expect(left()).toEqual([`.half.bin.${id}.part`])
    const sessions = await admin.collection('terminal/sessions').all({ is_finished: false })
    const ids = sessions.filter(({ user }) => String(user).startsWith('olivia')).map((session) => session.id)
    await admin.request('POST', '/api/v1/terminal/tasks/kill-session/', ids)
    await page
      .getByText(/terminated by Administrator/)
      .first()
      .waitFor()
    await vi.waitFor(() => expect(left()).toEqual([]), patience)
  })
})
