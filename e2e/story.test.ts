import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { closeWindows, openWindow, sharedBrowser, signInByPage } from '@castellan/testing/browser'
import { type Client, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const run = promisify(execFile)
const hostName = 'story-host'
const person = { username: 'olivia', password: 'Olivia-story-1' }
const auditor = { username: 'aiko', password: 'Aiko-story-12' }
const patience = { timeout: 20_000, interval: 200 }

describeWith(['chromium', 'sshd', 'ssh-keygen'], 'sign in, grant, connect, record, audit', () => {
  let product: Product
  let target: RealSshd
  let browser: Browser
  let admin: Client
  let hostId = ''
  const folder = mkdtempSync(join(tmpdir(), 'castellan-story-'))
  const askpass = join(folder, 'askpass')

  beforeAll(async () => {
    writeFileSync(askpass, `#!/bin/sh\necho '${person.password}'\n`, { mode: 0o700 })
    target = await startSshd()
    product = await startProduct()
    browser = await sharedBrowser()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  })
  afterAll(async () => {
    if (browser) await closeWindows(browser)
    await product?.stop()
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

  it('the administrator makes a host with an account by the form', async () => {
    const { context, page, faults } = await openWindow(browser)
    await signInByPage(page, product.url, 'admin', product.adminPassword)
    await page.goto(`${product.url}/ui/#/console/assets/hosts/create`)
    await box(page, 'Name').fill(hostName)
    await box(page, 'Address').fill('127.0.0.1')
    for (const protocol of ['ssh', 'sftp'])
      await page.getByRole('spinbutton', { name: `Port of ${protocol}` }).fill(String(target.port))
    await page.getByRole('button', { name: 'Add account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByRole('textbox', { name: 'Username', exact: true }).fill(target.username)
    await dialog.getByText('SSH key', { exact: true }).click()
    await dialog.getByRole('textbox', { name: /SSH key|Private key/ }).fill(target.privateKey)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/assets\/assets/)
    await page.getByText(hostName).first().waitFor()
    expect(faults).toEqual([])
    await context.close()
    const [host] = await admin.collection('assets/hosts').all({ search: hostName })
    hostId = host?.id ?? ''
    expect(hostId).not.toBe('')
  })

  it('people, a command filter and a permission are made', async () => {
    for (const [one, roles] of [
      [person, {}],
      [auditor, { org_roles: ['00000000-0000-0000-0000-000000000006'] }],
    ] as const)
      await admin.collection<{ id: string }, object>('users/users').create({
        name: one.username,
        username: one.username,
        email: `${one.username}@example.com`,
        password_strategy: 'custom',
        password: one.password,
        need_update_password: false,
        ...roles,
      })
    const [user] = await admin.collection('users/users').all({ username: person.username })
    const group = await admin.collection<{ id: string }, object>('acls/command-groups').create({
      name: 'destructive',
      type: 'command',
      content: 'rm -rf\nshutdown',
    })
    await admin.collection<{ id: string }, object>('acls/command-filter-acls').create({
      name: 'nothing destructive',
      users: { type: 'all' },
      assets: { type: 'all' },
      accounts: ['@ALL'],
      command_groups: [group.id],
      action: 'reject',
      priority: 50,
    })
    await admin.collection<{ id: string }, object>('perms/asset-permissions').create({
      name: 'story',
      users: [user?.id],
      assets: [hostId],
      accounts: ['@ALL'],
      protocols: ['all'],
      actions: ['all'],
    })
  })

  it('the user gets a shell in the browser, in which rm -rf is refused and CJK is text', async () => {
    const { context, page, faults } = await openWindow(browser)
    const client = await signIn(product.url, person.username, person.password)
    await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
    await signInByPage(page, product.url, person.username, person.password)
    await page.goto(`${product.url}/luna/?login_to=${hostId}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
    const screen = page.locator('.xterm-rows')
    await vi.waitFor(async () => expect(await screen.innerText()).toMatch(/\$\s*$/), patience)
    await page.keyboard.type('echo 你好-$((6*7))\n')
    await vi.waitFor(async () => expect(await screen.innerText()).toContain('你好-42'), patience)
    await page.keyboard.type('rm -rf /tmp/nothing-here\n')
    await vi.waitFor(async () => expect(await screen.innerText()).toContain('forbidden'), patience)
    expect(faults).toEqual([])
    await context.close()
  })

  it('both commands stand in the log, the refused one with its risk', async () => {
    await vi.waitFor(async () => {
      const commands = await admin
        .collection<{ id: string; input: string; risk_level: { value: number } }, object>('terminal/commands')
        .all({ command_storage_id: await storageId() })
      const seen = Object.fromEntries(commands.map(({ input, risk_level }) => [input, risk_level.value]))
      expect(seen['echo 你好-$((6*7))']).toBe(0)
      expect(seen['rm -rf /tmp/nothing-here']).toBe(5)
    }, patience)
  })

  async function storageId(): Promise<string> {
    const storages = await admin
      .collection<{ id: string; is_default: boolean }, object>('terminal/command-storages')
      .all()
    return storages.find(({ is_default }) => is_default)?.id ?? ''
  }

  it('OpenSSH reaches the host by name of account and address, with exit code and both outputs', async () => {
    const answer = await ssh('echo out; echo err >&2; exit 7')
    expect(answer).toMatchObject({ code: 7, stdout: 'out\n', stderr: 'err\n' })
    const refused = await ssh('rm -rf /tmp/nothing-here')
    expect(refused.code).toBe(126)
    expect(refused.stderr + refused.stdout).toContain('forbidden')
  })

  /** OpenSSH asks a program for the password: no terminal, no extra package. */
  async function ssh(command: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const words = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR']
    const login = `${person.username}@${target.username}@127.0.0.1@127.0.0.1`
    const env = { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' }
    try {
      const answer = await run(
        'ssh',
        [...words, '-p', String(product.sshPort), '-l', login.slice(0, login.lastIndexOf('@')), '127.0.0.1', command],
        { env },
      )
      return { code: 0, ...answer }
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string }
    }
  }

  it('the session is recorded, and the recording plays', async () => {
    const sessions = () =>
      admin
        .collection<{ id: string; has_replay: boolean; type: { value: string } }, object>('terminal/sessions')
        .all({ is_finished: true })
    await vi.waitFor(
      async () => expect((await sessions()).some((one) => one.type.value === 'normal' && one.has_replay)).toBe(true),
      patience,
    )
    const recorded = (await sessions()).find((one) => one.type.value === 'normal' && one.has_replay)
    const { context, page, faults } = await openWindow(browser)
    await signInByPage(page, product.url, 'admin', product.adminPassword)
    await page.goto(`${product.url}/luna/replay/${recorded?.id}`)
    await page.getByRole('slider').first().waitFor()
    // The rail's entry: the same words stand on the recorded screen.
    await page.getByRole('listitem').getByRole('button', { name: 'rm -rf /tmp/nothing-here' }).first().click()
    await vi.waitFor(async () => expect(await page.locator('.xterm-rows').innerText()).toContain('你好-42'), patience)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a program that is killed comes back, and what was acknowledged is there', async () => {
    const before = (await admin.collection('terminal/sessions').all()).length
    for (const program of ['server', 'worker', 'gateway'] as const) {
      await product.kill(program)
      await product.ready()
    }
    expect((await admin.collection('terminal/sessions').all()).length).toBe(before)
  })
})
