import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, ApiError, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { type Product, type ProgramName, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { byPassword, run, type SshPerson, ssh, sshTerminal } from '../openssh.ts'
import { smallDisk } from '../small-disk.ts'

const password = 'Outages-pass-1'
const patience = { timeout: 30_000, interval: 200 }

/** A product with somebody who may reach one host. */
async function place(product: Product, target: RealSshd, folder: string) {
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const host = await makeHost(admin, target, 'box')
  await permit(admin, await makePerson(admin, 'lena', password), [host])
  return { admin, person: byPassword(folder, 'lena', password), login: `lena@${target.username}@127.0.0.1` }
}

const newest = async (admin: Client) => {
  const [row] = await admin.collection('terminal/sessions').all({ order: '-date_start' })
  return row as AnyRow
}
const commandsOf = async (admin: Client, session: AnyRow) => {
  const rows = await admin.collection('terminal/commands').all({ session_id: session.id })
  return rows.map(({ input }) => input)
}
const health = async (product: Product) => {
  const answer = await fetch(`${product.url}/api/health/`)
  return { code: answer.status, ...((await answer.json()) as object) }
}
/** Programs that ended and were started again, as the supervisor says it, and what they had said themselves. */
const restarts = (product: Product) =>
  [...product.output().matchAll(/^(server|worker|gateway) (?:ended|could not).*$/gm)].map(
    ([line, program]) => `${line}\n${product.log(program as ProgramName).slice(-2000)}`,
  )

/** Takes the room that the files of the database have left in them, so that its next change finds none. */
async function takeRest(admin: Client) {
  for (const size of [400_000, 4000, 1]) {
    const comment = 'x'.repeat(size)
    const store = () => admin.collection('users/groups').create({ name: `rest ${Math.random()}`, comment })
    while (
      await store().then(
        () => true,
        () => false,
      )
    );
  }
}

/** What the API says of a change that cannot be stored. */
async function refusedChange(admin: Client) {
  const error = await admin
    .collection('users/groups')
    .create({ name: `group ${Math.random()}` })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).status).toBe(503)
  return (error as ApiError).body as { code: string; detail: string }
}

describeWith(['sshd', 'ssh-keygen', 'ssh', 'sftp', 'mount'], 'a full disk under everything', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-outages-'))
  const dataDir = join(folder, 'data')
  const disk = smallDisk(dataDir, 200)
  let product: Product
  let target: RealSshd
  let admin: Client
  let person: SshPerson
  let login = ''

  beforeAll(async () => {
    ;[target, product] = await Promise.all([startSshd(), startProduct({ dataDir })])
    ;({ admin, person, login } = await place(product, target, folder))
    // The product serves before its worker does, which could not start on a full disk.
    await vi.waitFor(() => expect(product.log('worker')).toContain('serving'), patience)
  })
  afterAll(async () => {
    await product?.stop()
    await target?.stop()
    disk?.unmount()
    rmSync(folder, { recursive: true, force: true })
  })

  describe('while people work', () => {
    it('ends sessions with a text and lets no command pass unwritten, but no program', async () => {
      const terminal = sshTerminal(product, person, login)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
      // A longer write-ahead log is shortened when the database is idle, which would make room again.
      const log = join(dataDir, 'castellan.db-wal')
      await vi.waitFor(() => expect(statSync(log).size).toBeLessThanOrEqual(1_048_576), patience)
      disk?.fill()
      await takeRest(admin)
      terminal.type('touch passed-unwritten\r')
      await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
      expect(terminal.text().match(/cannot be recorded/g)).toHaveLength(1)
      expect(restarts(product)).toEqual([])
    })

    it('says so in its health and to whoever wants to change something', async () => {
      expect(await health(product)).toMatchObject({ code: 503, status: false, disk_status: false })
      const said = await refusedChange(admin)
      expect(said).toMatchObject({ code: 'service_unavailable', detail: expect.stringContaining('disk is full') })
      const page = await fetch(`${product.url}/core/auth/login/`, { headers: { accept: 'text/html' } })
      expect(page.headers.get('content-type')).toContain('text/html')
    })

    it('tells a client of OpenSSH why it cannot be let in', async () => {
      // The first value of an option is the one that counts.
      const talkative = { ...person, words: ['-o', 'LogLevel=INFO', ...person.words] }
      const answer = await ssh(product, talkative, login, ['127.0.0.1', 'true'])
      expect(answer.code).toBe(255)
      expect(answer.err).toContain('does not respond')
    })

    it('goes on by itself when there is room, with everything that was told', async () => {
      disk?.makeRoom()
      await vi.waitFor(async () => expect(await health(product)).toMatchObject({ code: 200, status: true }), patience)
      await vi.waitFor(async () => {
        const row = await newest(admin)
        expect(row).toMatchObject({
          is_finished: true,
          has_replay: true,
          error_reason: { value: 'replay_create_failed' },
        })
      }, patience)
      const answer = await ssh(product, person, login, ['127.0.0.1', 'ls'])
      expect(answer.out.toString()).not.toContain('passed-unwritten')
      expect(restarts(product)).toEqual([])
    })

    it('ends a file transfer whose copy cannot be kept', async () => {
      const file = join(folder, 'large')
      writeFileSync(file, Buffer.alloc(60_000_000, 'x'))
      disk?.fill(8_000_000)
      const words = [...person.words, '-o', 'BatchMode=no', '-P', `${product.sshPort}`]
      const put = await run('sftp', [...words, '-b', '-', `${login}@127.0.0.1`], person.env, `put ${file} large\n`)
      expect(put.code).not.toBe(0)
      expect(put.err).toContain('cannot be recorded')
      disk?.makeRoom()
      await vi.waitFor(async () => {
        const [row] = await admin.collection('audits/ftp-logs').all()
        expect(row).toMatchObject({ operate: { value: 'upload' }, is_success: false, has_file: false })
      }, patience)
    })
  })
})

describeWith(['sshd', 'ssh-keygen', 'ssh', 'postgresql'], 'a database that goes and comes back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-outages-'))
  let database: Postgres
  let product: Product
  let target: RealSshd
  let admin: Client
  let person: SshPerson
  let login = ''

  beforeAll(async () => {
    ;[target, database] = await Promise.all([startSshd(), startPostgres()])
    product = await startProduct({ env: { DATABASE_URL: database.createDatabase() } })
    ;({ admin, person, login } = await place(product, target, folder))
    // The product serves before its worker does, which could not start without a database.
    await vi.waitFor(() => expect(product.log('worker')).toContain('serving'), patience)
  })
  afterAll(async () => {
    await product?.stop()
    await target?.stop()
    await database?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('ends no session and no program, and is told of in the contract’s form', async () => {
    const terminal = sshTerminal(product, person, login)
    await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
    await database.halt()
    expect(await health(product)).toMatchObject({ code: 503, status: false, db_status: false })
    expect(await refusedChange(admin)).toMatchObject({ code: 'service_unavailable' })
    terminal.type('echo meanwhile\r')
    await vi.waitFor(() => expect(terminal.news()).toMatch(/meanwhile\r?\n.*\$ $/s), patience)
    await database.start()
    await vi.waitFor(async () => expect(await health(product)).toMatchObject({ code: 200 }), patience)
    terminal.type('exit\r')
    await vi.waitFor(async () => {
      const row = await newest(admin)
      expect(row).toMatchObject({ is_finished: true, has_replay: true })
      expect(await commandsOf(admin, row)).toContain('echo meanwhile')
    }, patience)
    expect(restarts(product)).toEqual([])
  })

  it('keeps nobody waiting while it hangs, and has every command once when it goes on', async () => {
    const terminal = sshTerminal(product, person, login)
    await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
    database.freeze()
    terminal.type('echo frozen\r')
    // Answered while it still hangs.
    const answers = await Promise.all([refusedChange(admin), refusedChange(admin), health(product)])
    expect(answers).toMatchObject([{ code: 'service_unavailable' }, { code: 'service_unavailable' }, { code: 503 }])
    database.thaw()
    await vi.waitFor(async () => expect(await health(product)).toMatchObject({ code: 200 }), patience)
    terminal.type('exit\r')
    await vi.waitFor(async () => {
      const row = await newest(admin)
      expect(row).toMatchObject({ is_finished: true, has_replay: true })
      const commands = await commandsOf(admin, row)
      expect(commands.filter((command) => command === 'echo frozen')).toEqual(['echo frozen'])
      expect(row.command_amount).toBe(commands.length)
    }, patience)
    expect(restarts(product)).toEqual([])
  })

  it('is listened to again: what is taken away ends a session within two seconds', async () => {
    const terminal = sshTerminal(product, person, login)
    await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
    const [permission] = await admin.collection('perms/asset-permissions').all()
    await admin.collection('perms/asset-permissions').change((permission as AnyRow).id, { is_active: false })
    await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), { timeout: 2000, interval: 20 })
  })
})
