import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { byPassword, run, ssh } from './openssh.ts'

interface SessionRow extends AnyRow {
  is_finished: boolean
  has_replay: boolean
  type: { value: string }
}

const name = 'olivia'
const password = 'Olivia-audit-12'
const patience = { timeout: 20_000, interval: 100 }
/** What is live is there at once; the rest is room for a busy machine. */
const live = { timeout: 5_000, interval: 50 }

describeWith(['chromium', 'sshd', 'ssh-keygen', 'ssh', 'scp'], 'what an auditor sees and does', () => {
  let product: Product
  let target: RealSshd
  let browser: Browser
  let admin: Client
  let host: AnyRow
  let user: AnyRow
  let own: Page
  let audit: Page
  const faults: string[][] = []
  const folder = mkdtempSync(join(tmpdir(), 'castellan-audit-'))

  beforeAll(async () => {
    target = await startSshd()
    browser = await sharedBrowser()
    product = await startProduct()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    user = await makePerson(admin, name, password)
    await makePerson(admin, 'aiko', password, { org_roles: ['00000000-0000-0000-0000-000000000006'] })
    host = await makeHost(admin, target, 'watched')
    await permit(admin, user, [host])
    own = await enter(name)
    audit = await enter('aiko')
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await product?.stop()
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  async function enter(username: string): Promise<Page> {
    const client = await signIn(product.url, username, password)
    await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    const window = await openWindow(browser)
    faults.push(window.faults)
    await signInWindow(window.page, product.url, username, password)
    return window.page
  }

  const screen = (page: Page) => page.locator('.xterm-rows').innerText()
  const shows = (page: Page, what: string | RegExp, within = patience) =>
    vi.waitFor(async () => expect(await screen(page)).toMatch(what), within)

  /** A web terminal with a prompt in it, and the session it makes. */
  async function connect(): Promise<string> {
    await own.goto(`${product.url}/luna/?login_to=${host.id}`)
    const dialog = own.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true })
    await dialog.or(own.locator('.xterm-rows')).first().waitFor()
    if (await dialog.isVisible()) await dialog.click()
    await shows(own, /\$\s*$/)
    const [row] = await admin.collection<SessionRow>('terminal/sessions').all({ is_finished: false })
    return row?.id ?? ''
  }

  const session = (id: string) => admin.collection<SessionRow>('terminal/sessions').get(id)
  const inputs = async (id: string) =>
    (await admin.request<{ input: string }[]>('GET', `/api/v1/terminal/commands/?session_id=${id}`)).map(
      ({ input }) => input,
    )
  const list = async (path: string) => {
    await audit.goto(`${product.url}/ui/#${path}`)
    await audit.getByRole('table').first().waitFor()
  }

  it('a running session is listed, watched live, paused, resumed and terminated', async () => {
    const id = await connect()
    await list('/audit/sessions/sessions')
    const row = audit.getByRole('row').filter({ hasText: name })
    const opening = audit.context().waitForEvent('page')
    await row.getByRole('button', { name: 'Watch', exact: true }).click()
    const watching = await opening
    expect(watching.url()).toContain(`/luna/monitor/${id}`)
    await shows(watching, /\$\s*$/)
    await own.keyboard.type('echo 見-$((40+2))\n')
    await shows(watching, '見-42', live)

    await watching.getByRole('button', { name: 'Pause' }).click()
    await own
      .getByText(/^Paused/)
      .first()
      .waitFor()
    await own.keyboard.type('echo held-$((40+2))\n')
    await watching.getByRole('button', { name: 'Resume' }).click()
    await vi.waitFor(async () => expect(await own.getByText(/^Paused/).count()).toBe(0), live)
    await own.keyboard.type('echo free-$((40+2))\n')
    await shows(watching, 'free-42', live)
    expect(await screen(own)).not.toContain('held-')

    await watching.getByRole('button', { name: 'Terminate' }).click()
    await watching.getByRole('dialog').getByRole('button', { name: 'Terminate' }).click()
    await own.getByRole('status').getByText('The session was terminated by').waitFor()
    await vi.waitFor(async () => expect((await session(id)).is_finished).toBe(true), patience)
    await watching.close()
    await vi.waitFor(async () => expect(await inputs(id)).toContain('echo free-$((40+2))'), patience)
    await list('/audit/sessions/command')
    await audit.getByText('echo free-$((40+2))').first().waitFor()
    expect(await inputs(id)).not.toContain('echo held-$((40+2))')
  })

  it('a copied file stands in the log, and the file itself can be had', async () => {
    const content = randomBytes(300_000)
    writeFileSync(join(folder, 'payload'), content)
    const person = byPassword(folder, name, password)
    const login = encodeURIComponent(`${name}@${target.username}@127.0.0.1`)
    const remote = `scp://${login}@127.0.0.1:${product.sshPort}/${target.home}/payload`
    await run('scp', [...person.words, join(folder, 'payload'), remote], person.env)
    await run('scp', [...person.words, remote, join(folder, 'back')], person.env)
    await vi.waitFor(async () => {
      const logs = await admin.collection('audits/ftp-logs').all()
      const seen = logs.filter((row) => row.has_file).map((row) => (row.operate as { value: string }).value)
      expect(seen.sort()).toEqual(['download', 'upload'])
    }, patience)
    await list('/audit/sessions/ftp')
    const row = audit.getByRole('row').filter({ hasText: 'payload' }).first()
    await row.hover()
    const downloading = audit.context().waitForEvent('download')
    await row.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('payload')
    expect(readFileSync(await download.path()).equals(content)).toBe(true)
  })

  it('a forward where it is permitted reaches its place, and is a session of its own', async () => {
    const login = `${name}@${target.username}@127.0.0.1`
    const words = ['-W', `127.0.0.1:${target.port}`, '127.0.0.1']
    const answer = await ssh(product, byPassword(folder, name, password), login, words)
    expect(answer.out.toString()).toContain('SSH-2.0')
    await vi.waitFor(async () => {
      const rows = await admin.collection<SessionRow>('terminal/sessions').all({ is_finished: true })
      expect(rows.map((row) => row.type.value)).toContain('tunnel')
    }, patience)
  })

  it('sign-ins that worked and failed, changed passwords and changed rows are listed', async () => {
    await expect(signIn(product.url, name, 'not-it')).rejects.toThrow()
    await admin.collection('users/users').change(user.id, { comment: 'first words' })
    await admin.collection('users/users').change(user.id, { comment: 'other words' })
    const mika = await makePerson(admin, 'mika', password)
    await admin.collection('users/users').change(mika.id, { password: 'Mika-another-12', password_strategy: 'custom' })
    await list('/audit/audits/login-logs')
    const rows = audit.getByRole('row').filter({ hasText: name })
    await rows
      .filter({ hasText: /Failed/ })
      .first()
      .waitFor()
    await rows
      .filter({ hasText: /Success/ })
      .first()
      .waitFor()
    await list('/audit/audits/password-change-log')
    await audit.getByRole('row').filter({ hasText: 'mika' }).first().waitFor()
    await list('/audit/audits/operate-logs')
    await audit.getByRole('row').filter({ hasText: name }).first().getByRole('link').first().click()
    await audit.getByRole('button', { name: 'View changes' }).click()
    await audit.getByRole('cell', { name: 'first words' }).waitFor()
    await audit.getByRole('cell', { name: 'other words' }).waitFor()
    // Only until here: while a program is down its pages may well answer 502.
    expect(faults.flat()).toEqual([])
  })

  it('a killed gateway leaves a finished session whose recording has the last output', async () => {
    const id = await connect()
    await own.keyboard.type('echo before-the-crash-$((40+2))\n')
    await shows(own, 'before-the-crash-42')
    // What was recorded is on disk a tenth of a second later, or a little more on a busy machine.
    const recording = join(product.dataDir, 'gateway/recordings', `${id}.cast`)
    await vi.waitFor(() => expect(readFileSync(recording, 'utf8')).toContain('before-the-crash-42'), patience)
    await product.kill('gateway', 'SIGKILL')
    await own.getByRole('button', { name: /^Reconnect/ }).waitFor()
    await product.ready()
    await vi.waitFor(
      async () => expect(await session(id)).toMatchObject({ is_finished: true, has_replay: true }),
      patience,
    )
    await vi.waitFor(async () => expect(await inputs(id)).toContain('echo before-the-crash-$((40+2))'), patience)
    await audit.goto(`${product.url}/luna/replay/${id}`)
    await audit.getByRole('slider').first().waitFor()
    // The rail's entry: the same words stand on the recorded screen.
    await audit.getByRole('listitem').getByRole('button', { name: 'echo before-the-crash' }).click()
    await shows(audit, 'before-the-crash-42')
    await own.getByRole('button', { name: /^Reconnect/ }).click()
    await shows(own, /Connecting.*Connecting.*\$\s*$/s)
    await own.keyboard.type('echo again-$((40+2))\n')
    await shows(own, 'again-42')
  })

  it('Tab belongs to a running shell, and leads on from one that has ended and from a recording', async () => {
    const id = await connect()
    const onScreen = (page: Page) => page.evaluate(`document.activeElement.matches('.xterm-helper-textarea')`)
    await own.keyboard.press('Tab')
    expect(await onScreen(own)).toBe(true)
    // Said by its label, and the way out of it.
    await own.getByRole('textbox', { name: /Ctrl Shift O/ }).waitFor()
    await own.keyboard.press('Control+Shift+O')
    await vi.waitFor(async () => expect(await onScreen(own)).toBe(false), patience)
    await own.locator('.xterm-helper-textarea').focus()
    await own.keyboard.type('exit\n')
    const again = own.getByRole('button', { name: /^Reconnect/ })
    await again.waitFor()
    await own.keyboard.press('Tab')
    await again.and(own.locator(':focus')).waitFor()
    await vi.waitFor(async () => expect(await session(id)).toMatchObject({ has_replay: true }), patience)
    await audit.goto(`${product.url}/luna/replay/${id}`)
    await audit.getByRole('slider').first().waitFor()
    await audit.locator('.xterm-helper-textarea').focus()
    await audit.keyboard.press('Tab')
    expect(await onScreen(audit)).toBe(false)
  })

  it('a killed server ends no web terminal, and what was typed meanwhile is told afterwards', async () => {
    const id = await connect()
    await product.kill('server', 'SIGKILL')
    await own.keyboard.type('echo meanwhile-$((40+2))\n')
    await shows(own, 'meanwhile-42')
    await product.ready()
    await own.keyboard.type('echo afterwards-$((40+2))\n')
    await shows(own, 'afterwards-42')
    const expected = expect.arrayContaining(['echo meanwhile-$((40+2))', 'echo afterwards-$((40+2))'])
    await vi.waitFor(async () => expect(await inputs(id)).toEqual(expected), patience)
    expect((await session(id)).is_finished).toBe(false)
  })

  it('who is signed in is listed, and can be signed out', async () => {
    await list('/audit/online-user-session')
    const row = audit.getByRole('row').filter({ hasText: name })
    await row.first().waitFor()
    const online = await admin.request<{ id: string; user: { username: string } }[]>(
      'GET',
      '/api/v1/audits/user-sessions/',
    )
    const ids = online.filter((one) => one.user.username === name).map((one) => one.id)
    await row
      .first()
      .getByRole('checkbox', { name: /^Select ./ })
      .check()
    await audit.getByRole('button', { name: 'Sign out' }).first().click()
    await audit.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await vi.waitFor(async () => {
      const left = await admin.request<{ id: string }[]>('GET', '/api/v1/audits/user-sessions/')
      expect(left.filter((one) => ids.includes(one.id)).length).toBe(ids.length - 1)
    }, patience)
    await own.goto(`${product.url}/ui/`)
    await own.waitForURL(/\/core\/auth\/login\//)
  })
})
