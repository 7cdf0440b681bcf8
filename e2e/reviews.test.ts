import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeWindows, openWindow, sharedBrowser, signInWindow } from '@castellan/testing/browser'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type SharedProduct, sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, ssh, sshTerminal } from './openssh.ts'

const password = 'Ask-before-you-go-1'
const patience = { timeout: 30_000, interval: 50 }
const tickets = '/api/v1/tickets/'

describeWith(['sshd', 'ssh-keygen', 'ssh'], 'an approval during a connection', () => {
  let product: SharedProduct
  let target: RealSshd
  let admin: Client
  let reviewer: Client
  let host: AnyRow
  let person: SshPerson
  let login = ''
  const folder = mkdtempSync(join(tmpdir(), 'castellan-reviews-'))
  // The commands of the test make files here, as the account of the target.
  chmodSync(folder, 0o777)

  beforeAll(async () => {
    ;[target, product] = await Promise.all([startSshd(), sharedProduct()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, 'guarded')
    const asks = await makePerson(admin, 'asks', password)
    const decides = await makePerson(admin, 'decides', password)
    await permit(admin, asks, [host])
    reviewer = await signIn(product.url, 'decides', password)
    person = byPassword(folder, 'asks', password)
    login = `asks@${target.username}@127.0.0.1`
    const group = await admin
      .collection('acls/command-groups')
      .create({ name: 'guarded', type: 'command', content: 'touch' })
    const every = { users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'], reviewers: [decides.id] }
    await admin
      .collection('acls/command-filter-acls')
      .create({ name: 'ask', action: 'review', command_groups: [group.id], ...every })
    rule = await admin.collection('acls/login-asset-acls').create({
      name: 'ask',
      action: 'review',
      is_active: false,
      rules: { ip_group: ['*'], time_period: [] },
      ...every,
    })
  })
  let rule: AnyRow
  afterAll(async () => {
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  const guardConnections = (is_active: boolean) =>
    admin.request('PATCH', `/api/v1/acls/login-asset-acls/${rule.id}/`, { is_active })
  interface Ticket extends AnyRow {
    apply_run_command: string
  }
  /** The open ticket that asks the reviewer. */
  const asked = (path: string) =>
    vi.waitFor(async () => {
      const rows = await reviewer.collection<Ticket>(`tickets/${path}`).all()
      const open = rows.filter(({ status }) => (status as { value: string }).value === 'open')
      expect(open).toHaveLength(1)
      return open[0] as Ticket
    }, patience)
  const decide = (path: string, { id }: AnyRow, decision: string) =>
    reviewer.request('PUT', `${tickets}${path}/${id}/${decision}/`, {})
  const stateOf = async ({ id }: AnyRow) =>
    ((await reviewer.request<AnyRow>('GET', `${tickets}tickets/${id}/`)).state as { value: string }).value
  const run = (command: string) => ssh(product, person, login, ['127.0.0.1', command])
  const exists = (name: string) => existsSync(file(name))
  const file = (name: string) => join(folder, name)
  const commands = 'apply-command-tickets'
  const connections = 'apply-login-asset-tickets'

  describe('for a command typed into OpenSSH', () => {
    const open = async () => {
      const terminal = sshTerminal(product, person, login)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/[$#] $/), patience)
      return terminal
    }

    it('shows who is asked and for how long, and runs exactly that command when it is told of the approval', async () => {
      const terminal = await open()
      terminal.type(`touch ${file('one')}\r`)
      await vi.waitFor(() => expect(terminal.news()).toContain('requires approval'), patience)
      terminal.type('y')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/decides\(decides\)[\s\S]*Waiting 0:0[1-9]/), patience)
      const ticket = await asked(commands)
      expect(ticket.apply_run_command).toBe(`touch ${file('one')}`)
      // None of this may reach the target, now or later.
      terminal.type(`y\rtouch ${file('ahead')}\recho typed-ahead\r\u0015\r`)
      expect(exists('one')).toBe(false)
      await decide(commands, ticket, 'approve')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Approved by decides[\s\S]*[$#] $/), patience)
      expect(exists('one')).toBe(true)
      terminal.type('echo then-$((1+1))\r')
      await vi.waitFor(() => expect(terminal.news()).toContain('then-2'), patience)
      expect(terminal.text()).not.toMatch(/^typed-ahead/m)
      expect(exists('ahead')).toBe(false)
      // The approval counted once.
      terminal.type(`touch ${file('one')}\r`)
      await vi.waitFor(() => expect(terminal.news()).toContain('requires approval'), patience)
      terminal.type('n')
      await vi.waitFor(() => expect(terminal.news()).toContain('canceled'), patience)
      await terminal.close()
    })

    it('says who rejected it, and the session goes on', async () => {
      const terminal = await open()
      terminal.type(`touch ${file('two')}\r`)
      await vi.waitFor(() => expect(terminal.news()).toContain('requires approval'), patience)
      terminal.type('y')
      await decide(commands, await asked(commands), 'reject')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Rejected by decides[\s\S]*[$#] $/), patience)
      terminal.type('echo still-$((1+1))\r')
      await vi.waitFor(() => expect(terminal.news()).toContain('still-2'), patience)
      expect(exists('two')).toBe(false)
      await terminal.close()
    })

    it('is withdrawn by Ctrl-C, and by the end of the connection', async () => {
      const terminal = await open()
      const ask = async () => {
        terminal.type(`touch ${file('three')}\r`)
        await vi.waitFor(() => expect(terminal.news()).toContain('requires approval'), patience)
        terminal.type('\r')
        return asked(commands)
      }
      const first = await ask()
      terminal.type('\u0003')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/canceled[\s\S]*[$#] $/), patience)
      expect(await stateOf(first)).toBe('closed')
      await expect(decide(commands, first, 'approve')).rejects.toMatchObject({ status: 400 })
      const second = await ask()
      await terminal.close()
      await vi.waitFor(async () => expect(await stateOf(second)).toBe('closed'), patience)
      await expect(decide(commands, second, 'approve')).rejects.toMatchObject({ status: 400 })
      expect(exists('three')).toBe(false)
    })

    it('discards the lines pasted behind it', async () => {
      const terminal = await open()
      terminal.type(`echo before\rtouch ${file('four')}\recho never-$((1+1))\rtouch ${file('five')}\r`)
      await vi.waitFor(() => expect(terminal.news()).toContain('requires approval'), patience)
      terminal.type('y')
      await decide(commands, await asked(commands), 'approve')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Approved by decides[\s\S]*[$#] $/), patience)
      terminal.type('echo end-$((1+1))\r')
      await vi.waitFor(() => expect(terminal.news()).toContain('end-2'), patience)
      expect(terminal.text()).not.toContain('never-2')
      expect(exists('four')).toBe(true)
      expect(exists('five')).toBe(false)
      await terminal.close()
    })
  })

  it('holds a command given to ssh, and every line of a script', async () => {
    const held = run(`touch ${file('six')} && echo done`)
    const ticket = await asked(commands)
    await decide(commands, ticket, 'approve')
    const answer = await held
    expect(answer).toMatchObject({ code: 0, out: Buffer.from('done\n') })
    expect(answer.err).toMatch(/decides\(decides\)[\s\S]*Approved by decides/)
    // The line before the rejected one is still running then, and ends by itself.
    const lines = `sleep 2; echo a\ntouch ${file('seven')}\necho b\n`
    const script = ssh(product, person, login, ['127.0.0.1', 'sh'], lines)
    await decide(commands, await asked(commands), 'reject')
    const stopped = await script
    expect(stopped).toMatchObject({ code: 126, out: Buffer.from('a\n') })
    expect(stopped.err).toContain('Rejected by decides')
    expect(exists('seven')).toBe(false)
  })

  it('of two sessions lets only the approved one go on', async () => {
    const [one, two] = ['eight', 'nine'].map((name) => run(`touch ${file(name)} && echo ${name}`))
    const rows = await vi.waitFor(async () => {
      const open = (await reviewer.collection<Ticket>(`tickets/${commands}`).all()).filter(
        ({ status }) => (status as { value: string }).value === 'open',
      )
      expect(open).toHaveLength(2)
      return open
    }, patience)
    const of = (name: string) => rows.find((row) => row.apply_run_command.includes(name)) as Ticket
    await decide(commands, of('eight'), 'approve')
    expect((await one)?.out.toString()).toBe('eight\n')
    expect(await stateOf(of('nine'))).toBe('pending')
    await decide(commands, of('nine'), 'reject')
    expect(await two).toMatchObject({ code: 126, out: Buffer.alloc(0) })
  })

  describe('for a connection', () => {
    beforeAll(() => guardConnections(true))
    afterAll(() => guardConnections(false))

    it('of OpenSSH begins when it is told of the approval, whatever was typed meanwhile', async () => {
      const terminal = sshTerminal(product, person, login)
      await vi.waitFor(() => expect(terminal.news()).toContain('Request approval?'), patience)
      terminal.type('y\r')
      await vi.waitFor(() => expect(terminal.news()).toMatch(/decides\(decides\)[\s\S]*Waiting 0:0[1-9]/), patience)
      terminal.type(`echo typed-ahead\r`)
      const ticket = await asked(connections)
      await decide(connections, ticket, 'approve')
      await vi.waitFor(() => expect(terminal.news()).toContain('Approved by decides'), patience)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/[$#] $/), patience)
      terminal.type('echo in-$((1+1))\r')
      await vi.waitFor(() => expect(terminal.news()).toContain('in-2'), patience)
      expect(terminal.text()).not.toContain('typed-ahead')
      // The reviewers see the session they allowed.
      await vi.waitFor(async () => {
        expect(await reviewer.request('GET', `${tickets}tickets/${ticket.id}/session/`)).toMatchObject({
          is_finished: false,
        })
      }, patience)
      await terminal.close()
    })

    it('is denied with the name of who rejected it, and withdrawn by Ctrl-C or hanging up', async () => {
      const ask = async () => {
        const terminal = sshTerminal(product, person, login)
        await vi.waitFor(() => expect(terminal.news()).toContain('Request approval?'), patience)
        terminal.type('y\r')
        return { terminal, ticket: await asked(connections) }
      }
      const first = await ask()
      await decide(connections, first.ticket, 'reject')
      await vi.waitFor(() => expect(first.terminal.code()).toBe(255), patience)
      expect(first.terminal.text()).toContain('Rejected by decides')
      const second = await ask()
      second.terminal.type('\u0003')
      await vi.waitFor(() => expect(second.terminal.code()).toBe(255), patience)
      expect(await stateOf(second.ticket)).toBe('closed')
      const third = await ask()
      await third.terminal.close()
      await vi.waitFor(async () => expect(await stateOf(third.ticket)).toBe('closed'), patience)
    })

    it('of a command or a file transfer waits as well', async () => {
      const held = run('echo through')
      await decide(connections, await asked(connections), 'approve')
      expect((await held).out.toString()).toBe('through\n')
    })

    it('ends its wait when the gateway stops, and is never granted', async () => {
      const terminal = sshTerminal(product, person, login)
      await vi.waitFor(() => expect(terminal.news()).toContain('Request approval?'), patience)
      terminal.type('y\r')
      // The gateway remembers the wait on disk before it says for how long it has lasted.
      await vi.waitFor(() => expect(terminal.news()).toMatch(/Waiting 0:0[1-9]/), patience)
      const ticket = await asked(connections)
      await product.kill('gateway')
      await vi.waitFor(() => expect(terminal.code()).toBe(255), patience)
      await vi.waitFor(async () => expect(await stateOf(ticket)).toBe('closed'), patience)
      await expect(decide(connections, ticket, 'approve')).rejects.toMatchObject({ status: 400 })
    })
  })

  describeWith('chromium', 'in two browsers', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await sharedBrowser()
      for (const name of ['asks', 'decides'])
        await (await signIn(product.url, name, password)).request('PATCH', '/api/v1/users/profile/', {
          is_first_login: false,
        })
    })
    afterAll(async () => {
      await guardConnections(false)
      if (browser) await closeWindows(browser)
    })
    const windowOf = async (name: string) => {
      const opened = await openWindow(browser)
      await signInWindow(opened.page, product.url, name, password)
      return opened
    }

    it('a connection and a command wait for the approver, who watches the session', async () => {
      await guardConnections(true)
      const [applicant, approver] = [await windowOf('asks'), await windowOf('decides')]
      await applicant.page.goto(`${product.url}/luna/?login_to=${host.id}`)
      await applicant.page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
      await applicant.page.getByRole('button', { name: 'Request approval' }).click()
      await applicant.page.getByText('decides(decides)').waitFor()
      const connection = await asked(connections)
      await approver.page.goto(`${product.url}/ui/#/tickets/assigned-tickets`)
      await approver.page.getByRole('link', { name: /Connection of asks/ }).click()
      await approver.page.getByRole('button', { name: 'Approve', exact: true }).click()
      const screen = applicant.page.locator('.xterm-rows')
      await vi.waitFor(async () => expect(await screen.innerText()).toMatch(/[$#]\s*$/), patience)
      expect(await stateOf(connection)).toBe('approved')
      await approver.page.locator('[data-field=session]').getByText('Online').waitFor()
      await applicant.page.keyboard.type(`touch ${file('two-browsers')}\n`)
      await vi.waitFor(async () => expect(await screen.innerText()).toContain('requires approval'), patience)
      await applicant.page.keyboard.type('y')
      const ticket = await asked(commands)
      await approver.page.goto(`${product.url}/ui/#/tickets/tickets/command-confirm/${ticket.id}`)
      await approver.page.getByText(`touch ${file('two-browsers')}`).waitFor()
      const watching = approver.context.waitForEvent('page')
      await approver.page.getByRole('button', { name: 'Watch' }).click()
      const watched = await watching
      await vi.waitFor(
        async () => expect(await watched.locator('.xterm-rows').innerText()).toContain('requires approval'),
        patience,
      )
      await approver.page.getByRole('button', { name: 'Reject' }).click()
      await vi.waitFor(async () => expect(await screen.innerText()).toContain('Rejected by decides'), patience)
      expect(exists('two-browsers')).toBe(false)
      await watched.close()
      expect([...applicant.faults, ...approver.faults]).toEqual([])
      await applicant.context.close()
      await approver.context.close()
    })

    it('leaving the page withdraws the request, and a rejection names who rejected', async () => {
      await guardConnections(true)
      const { context, page } = await windowOf('asks')
      const ask = async () => {
        await page.goto('about:blank')
        await page.goto(`${product.url}/luna/?login_to=${host.id}`)
        const connect = page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true })
        const request = page.getByRole('button', { name: 'Request approval' })
        await connect.or(request).first().waitFor()
        if (await connect.isVisible()) await connect.click()
        await request.click()
        // Only a page that has heard of its request can withdraw it.
        await page.getByRole('button', { name: 'Withdraw' }).waitFor()
        return asked(connections)
      }
      const first = await ask()
      await decide(connections, first, 'reject')
      await page.getByText('decides(decides)').waitFor()
      await page.getByText('rejected the connection').waitFor()
      const second = await ask()
      await page.goto('about:blank')
      await vi.waitFor(async () => expect(await stateOf(second)).toBe('closed'), patience)
      await context.close()
    })
  })

  it('holds a command typed into the web terminal', async () => {
    const cookie = await signInForCookies(product.url, 'asks', password)
    const user = await signIn(product.url, 'asks', password)
    const query = await terminalQuery(user, { asset: host.id, account: 'person' })
    const terminal = openWebTerminal(product.url, query, cookie)
    await vi.waitFor(() => expect(terminal.text).toMatch(/[$#] $/), patience)
    terminal.type(`touch ${file('web')}\r`)
    await vi.waitFor(() => expect(terminal.text).toContain('requires approval'), patience)
    terminal.type('y')
    const ticket = await asked(commands)
    await decide(commands, ticket, 'approve')
    await vi.waitFor(() => expect(terminal.text).toMatch(/Approved by decides/), patience)
    await vi.waitFor(() => expect(exists('web')).toBe(true), patience)
    terminal.socket.close()
  })
})
