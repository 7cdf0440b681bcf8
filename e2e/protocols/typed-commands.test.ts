import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit, refuseDangerous } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, ssh, sshTerminal } from '../openssh.ts'

const password = 'Typed-commands-12'
const patience = { timeout: 20_000, interval: 50 }
const keys = { home: '\u0001', end: '\u0005', up: '\u001b[A', escape: '\u001b' }

/** A terminal as both kinds have it. */
interface Terminal {
  /** Everything shown since the last typing, without control sequences. */
  news(): string
  type(keys: string): void
  close(): unknown
}

describeWith(['sshd', 'ssh-keygen', 'ssh', 'vim', 'less'], 'what is typed', () => {
  let product: RunningProduct
  let target: RealSshd
  let admin: Client
  let host: AnyRow
  let person: SshPerson
  const folder = mkdtempSync(join(tmpdir(), 'castellan-typed-'))

  beforeAll(async () => {
    ;[target, product] = await Promise.all([startSshd(), sharedProduct()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, 'typing')
    await permit(admin, await makePerson(admin, 'tina', password), [host])
    person = byPassword(folder, 'tina', password)
    await refuseDangerous(admin)
    // Whatever is run by these leaves a trace; completion finds the second like any command.
    writeFileSync(join(target.home, '.bashrc'), "PS1='> '\nshutdown() { touch ~/trace; }\n", { mode: 0o644 })
    writeFileSync(join(target.home, '.bash_profile'), '. ~/.bashrc\n', { mode: 0o644 })
  })
  afterAll(async () => {
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  const openssh = async (): Promise<Terminal> => sshTerminal(product, person, `tina@${target.username}@127.0.0.1`)
  const web = async (): Promise<Terminal> => {
    const cookie = await signInForCookies(product.url, 'tina', password)
    const query = await terminalQuery(await signIn(product.url, 'tina', password), {
      asset: host.id,
      account: 'person',
    })
    const terminal = openWebTerminal(product.url, query, cookie)
    let typedAt = 0
    return {
      news: () => stripVTControlCharacters(terminal.text.slice(typedAt)),
      type(text) {
        typedAt = terminal.text.length
        terminal.type(text)
      },
      close: () => terminal.socket.close(),
    }
  }

  it('what is piped into a terminal before its shell is there waits for it', async () => {
    const login = `tina@${target.username}@127.0.0.1`
    const answer = await ssh(product, person, login, ['-tt', '127.0.0.1'], 'echo ahead-$((40+2)); exit 4\n')
    expect(answer.out.toString()).toContain('ahead-42')
    expect(answer.code).toBe(4)
    const terminal = sshTerminal(product, person, login)
    terminal.type('touch ahead; shutdown\r')
    await vi.waitFor(() => expect(terminal.text()).toContain('forbidden'), patience)
    await terminal.close()
    expect(existsSync(join(target.home, 'ahead'))).toBe(false)
  })

  describe.each([
    ['in OpenSSH', openssh],
    ['in the web terminal', web],
  ] as const)('%s', (_place, open) => {
    const kept = () => join(target.home, 'kept')
    let terminal: Terminal
    let session: string

    const shows = (what: string | RegExp) => vi.waitFor(() => expect(terminal.news()).toMatch(what), patience)
    const log = () =>
      admin.request<{ input: string; output: string; risk_level: { value: number } }[]>(
        'GET',
        `/api/v1/terminal/commands/?session_id=${session}&order=timestamp`,
      )
    const logged = (input: string, risk: number) =>
      vi.waitFor(
        async () => expect((await log()).map((row) => [row.input, row.risk_level.value])).toContainEqual([input, risk]),
        patience,
      )
    /** Sends a line and waits for its answer, so that the prompt is there again. */
    const answer = async (line: string, what: string) => {
      terminal.type(line)
      await shows(what)
      await shows(/> $/)
    }

    beforeEach(async () => {
      mkdirSync(kept(), { recursive: true })
      writeFileSync(join(kept(), 'file'), '')
      for (const name of ['trace', 'note']) rmSync(join(target.home, name), { force: true })
      const before = (await admin.collection('terminal/sessions').all()).map(({ id }) => id)
      terminal = await open()
      await shows(/> $/)
      const rows = await admin.collection('terminal/sessions').all()
      session = rows.find(({ id }) => !before.includes(id))?.id ?? ''
      return () => void terminal.close()
    })

    it('a command put together with cursor keys is refused', async () => {
      terminal.type(`m -rf kep${keys.home}r${keys.end}t`)
      await shows(/t$/)
      terminal.type('\r')
      await shows('forbidden')
      await logged('rm -rf kept', 5)
      expect(existsSync(join(kept(), 'file'))).toBe(true)
    })

    it('a command taken from the history and changed is refused', async () => {
      await answer('rm -if nothing-there; echo $((40+2))\r', '42')
      terminal.type(`${keys.up}${keys.home}${'\u001b[C'.repeat(4)}${'\u001b[3~'}r`)
      await shows(/r$/)
      terminal.type('\r')
      await shows('forbidden')
      await logged('rm -rf nothing-there; echo $((40+2))', 5)
    })

    it('a command completed by the shell is refused', async () => {
      terminal.type('shutd\t')
      await shows('shutdown')
      terminal.type('\r')
      await shows('forbidden')
      await logged('shutdown', 5)
      expect(existsSync(join(target.home, 'trace'))).toBe(false)
    })

    it('of several pasted lines the forbidden one is refused', async () => {
      terminal.type('echo one-$((40+1))\rrm -rf kept\recho two-$((40+2))\r')
      // In either order: the refusal does not wait for the output of the command before.
      await shows('one-41')
      await shows('forbidden')
      await logged('rm -rf kept', 5)
      await logged('echo one-$((40+1))', 0)
      // The rest of what was pasted is dropped: it was meant to follow what did not run.
      await answer('echo three-$((40+3))\r', 'three-43')
      expect((await log()).map((row) => row.input)).not.toContain('echo two-$((40+2))')
      expect(existsSync(join(kept(), 'file'))).toBe(true)
    })

    it('a bracketed paste with a forbidden line never runs', async () => {
      terminal.type('\u001b[200~echo first\nrm -rf kept\u001b[201~')
      await shows('forbidden')
      await logged('rm -rf kept', 5)
      await answer('echo still-$((40+2))\r', 'still-42')
      expect(existsSync(join(kept(), 'file'))).toBe(true)
    })

    it.each([
      ['behind a prompt that hides the cursor', "PS1=$'\\e[?25l\\e[24dx '\r", /x $/, 'rm -rf kept\r', 'rm -rf kept'],
      ['on the alternate screen by hand', "PS1=$'\\e[?1049h\\e[Hx '\r", /x $/, 'rm -rf kept\r', 'rm -rf kept'],
      ['with a hidden cursor in sh', "printf '\\e[?25l'; sh\r", /[$#] $/, 'rm -rf kept\r', 'rm -rf kept'],
      ['ended by Ctrl-D', 'sh\r', /[$#] $/, 'rm -rf kept\u0004\u0004', 'rm -rf kept'],
      [
        'with bytes erased',
        'stty -iutf8; sh\r',
        /[$#] $/,
        'rm -ré\u007f\u007ff kept\r',
        'rm -rf kept [the screen showed: rm -f kept]',
      ],
    ])('a forbidden command is refused %s', async (_how, before, prompt, line, input) => {
      terminal.type(before)
      await shows(prompt)
      terminal.type(line)
      await shows('forbidden')
      await logged(input, 5)
      expect(existsSync(join(kept(), 'file'))).toBe(true)
    })

    it('a line that a job paints over is refused by its keys, and the log says what was shown', async () => {
      // Once, when it is told to: nothing is painted any more at the moment at which the line is sent.
      terminal.type("(until [ -e kept/paint ]; do sleep 0.1; done; printf '\\r\\e[K> ls') &\r")
      await shows(/\[1\] \d+[\s\S]*> $/)
      terminal.type('rm -rf kept')
      await shows(/rm -rf kept$/)
      writeFileSync(join(kept(), 'paint'), '')
      await shows(/kept[\s\S]*> ls$/)
      terminal.type('\r')
      await shows('forbidden')
      await vi.waitFor(
        async () => expect((await log()).map((row) => row.input).join()).toMatch(/rm -rf kept.*: ls/),
        patience,
      )
      expect(existsSync(join(kept(), 'file'))).toBe(true)
      rmSync(join(kept(), 'paint'))
    })

    it('what is typed in vim, less and top is no command', async () => {
      terminal.type('vim -u NONE -N note\r')
      // Its last words before it waits for keys.
      await shows('"note"')
      terminal.type(`irm -rf kept\rshutdown\r${keys.escape}`)
      await shows('shutdown')
      terminal.type(':')
      await shows(/:$/)
      terminal.type('wq\r')
      await shows(/> $/)
      terminal.type('less note\r')
      await shows('END')
      terminal.type('/rm -rf\r')
      await shows(/END|not found/)
      terminal.type('q')
      await shows(/> $/)
      terminal.type('top\r')
      await shows('PID')
      terminal.type('q')
      await shows(/> $/)
      await answer('wc -l note\r', '3 note')
      await logged('wc -l note', 0)
      const commands = (await log()).map((row) => row.input)
      expect(commands.sort()).toEqual(['less note', 'top', 'vim -u NONE -N note', 'wc -l note'])
      // Not read as commands, which the log says.
      const outputs = (await log()).map(({ input, output }) => [input, output.includes('[')])
      expect(outputs).toContainEqual(['vim -u NONE -N note', true])
      expect(existsSync(join(kept(), 'file'))).toBe(true)
    })
  })
})
