import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit, refuseDangerous } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { freePort } from '@castellan/testing/ports'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, ssh } from '../openssh.ts'

const password = 'Without-terminal-12'
const patience = { timeout: 20_000, interval: 100 }
/** Runs nothing that anybody has; its name is what the rules refuse. */
const traced = (name: string) => `touch ${name}; : shutdown`

describeWith(['sshd', 'ssh-keygen', 'ssh'], 'commands without a terminal', () => {
  let product: RunningProduct
  let target: RealSshd
  let admin: Client
  let person: SshPerson
  const folder = mkdtempSync(join(tmpdir(), 'castellan-plain-'))
  const children: ChildProcess[] = []

  beforeAll(async () => {
    ;[target, product] = await Promise.all([startSshd(), sharedProduct()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    const host = await makeHost(admin, target, 'plain')
    await permit(admin, await makePerson(admin, 'pia', password), [host])
    person = byPassword(folder, 'pia', password)
  })
  afterAll(async () => {
    for (const child of children) child.kill()
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  const by = (who: SshPerson, name: string, command: string[], input?: string | Buffer) =>
    ssh(product, who, `${name}@${target.username}@127.0.0.1`, ['127.0.0.1', ...command], input)
  const newest = async (): Promise<AnyRow> =>
    (await admin.collection('terminal/sessions').all({ order: '-date_start' }))[0] as AnyRow
  const commands = async () =>
    admin.request<{ input: string; output: string }[]>(
      'GET',
      `/api/v1/terminal/commands/?session_id=${(await newest()).id}`,
    )

  it('what is typed into a shell is logged, line by line', async () => {
    const answer = await by(person, 'pia', [], 'echo typed-$((40+2))\nexit 3\n')
    expect(answer.out.toString()).toBe('typed-42\n')
    expect(answer.code).toBe(3)
    await vi.waitFor(
      async () => expect((await commands()).map(({ input }) => input)).toContain('echo typed-$((40+2))'),
      patience,
    )
  })

  it('a copy with something behind it is a command like any other: its output is kept', async () => {
    const answer = await by(person, 'pia', ['scp -t . </dev/null; echo behind-the-copy'])
    expect(answer.out.toString()).toContain('behind-the-copy')
    await vi.waitFor(
      async () => expect((await commands()).map(({ output }) => output).join()).toContain('behind-the-copy'),
      patience,
    )
  })

  it('a paused tunnel lets nothing through, and goes on where it stopped', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
    const inner = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    const outer = await freePort()
    const login = `pia@${target.username}@127.0.0.1`
    const words = [...person.words, '-p', `${product.sshPort}`, '-l', login, '-N', '-L', `${outer}:127.0.0.1:${inner}`]
    children.push(spawn('ssh', [...words, '127.0.0.1'], { env: person.env }))
    let heard = ''
    const socket = await vi.waitFor(
      () =>
        new Promise<ReturnType<typeof connect>>((resolve, reject) => {
          const opened = connect(outer, '127.0.0.1', () => resolve(opened)).on('error', reject)
        }),
      patience,
    )
    socket.on('data', (data) => {
      heard += data
    })
    socket.write('one ')
    await vi.waitFor(() => expect(heard).toBe('one '), patience)
    const { id } = await newest()
    const order = (task_name: string) =>
      admin.request('POST', '/api/v1/terminal/tasks/toggle-lock-session/', { session_id: id, task_name })
    await order('lock_session')
    await vi.waitFor(async () => expect(await newest()).toMatchObject({ is_locked: true }), patience)
    socket.write('two')
    // What is sent behind it by a session that is not paused has gone all the way.
    expect((await by(person, 'pia', ['echo past'])).out.toString()).toBe('past\n')
    expect(heard).toBe('one ')
    await order('unlock_session')
    await vi.waitFor(() => expect(heard).toBe('one two'), patience)
    socket.destroy()
    server.close()
  })

  it('a name says nothing to the terminal it is shown in', async () => {
    // The API takes no such name; an older version did.
    const database = new DatabaseSync(join(product.dataDir, 'castellan.db'))
    // The product writes at the same time.
    database.exec('PRAGMA busy_timeout = 10000')
    database.prepare("UPDATE assets_asset SET name = ? WHERE name = 'plain'").run('plain\u001b]0;owned\u0007')
    database.close()
    const login = `pia@${target.username}@127.0.0.1`
    const answer = await ssh(product, person, login, ['-tt', '127.0.0.1', 'true'])
    expect(answer.out.toString()).toContain('plain]0;owned')
    expect(answer.out.toString()).not.toContain('\u001b]0;owned')
  })

  it('a cookie that is badly written gets an answer', async () => {
    const headers = { cookie: 'django_language=%' }
    const answer = await fetch(`${product.url}/koko/files/none`, { headers, signal: AbortSignal.timeout(5000) })
    expect(answer.status).toBe(401)
  })

  it('the gateway speaks the language the server would', async () => {
    const said = async (language?: string) => {
      const headers = { cookie: '', ...(language ? { 'accept-language': language } : {}) }
      const answer = await fetch(`${product.url}/koko/files/none`, { headers })
      return ((await answer.json()) as { detail: string }).detail
    }
    const [en, zh, ja] = await Promise.all(['en', 'zh', 'ja'].map(said))
    expect(new Set([en, zh, ja]).size).toBe(3)
    expect([await said('*'), await said('fr'), await said('en;q=0.2, ja')]).toEqual([zh, en, ja])
  })

  describe('where commands are refused', () => {
    beforeAll(() => refuseDangerous(admin))

    it.each([
      ['by a shell behind another command', 'cd /; bash', (trace: string) => traced(trace)],
      ['with bytes a shell leaves out', 'bash', (trace: string) => traced(trace).replace('shut', 'sh\0ut')],
      ['far behind on its line', 'bash', (trace: string) => `:${' '.repeat(20_000)}; ${traced(trace)}`],
      ['on a line that comes in two parts', 'bash', (trace: string) => `:${' '.repeat(70_000)}; ${traced(trace)}`],
    ])('nothing is run %s', async (name, command, script) => {
      const trace = join(target.home, name.replaceAll(' ', '-'))
      const answer = await by(person, 'pia', [command], `${script(trace)}\n`)
      expect(answer.code).toBe(126)
      expect(existsSync(trace)).toBe(false)
    })

    it.each(['sh\\utdown', 'sh""utdown', "'shut'down", "$'\\x73hutdown'", "sh -c 'sh\\utdown'"])(
      'quoting hides nothing, on the command line and in a script: %s',
      async (name) => {
        const trace = join(target.home, 'quoted')
        const command = `touch ${trace}; : ${name}`
        expect((await by(person, 'pia', [command])).code).toBe(126)
        expect((await by(person, 'pia', ['bash'], `${command}\n`)).code).toBe(126)
        expect((await by(person, 'pia', [], `${command}\n`)).code).toBe(126)
        expect(existsSync(trace)).toBe(false)
      },
    )

    it('nothing is run far behind on the command line', async () => {
      const trace = join(target.home, 'far')
      const answer = await by(person, 'pia', [`:${' '.repeat(20_000)}; ${traced(trace)}`])
      expect(answer.code).toBe(126)
      expect(existsSync(trace)).toBe(false)
    })
  })
})
