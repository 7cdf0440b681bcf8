import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { byPassword, run, type SshPerson, ssh } from '../openssh.ts'

const password = 'Carry-files-1'
const patience = { timeout: 20_000, interval: 100 }

describeWith(['sshd', 'ssh-keygen', 'ssh', 'scp', 'sftp'], 'files copied by OpenSSH’s older ways', () => {
  let product: RunningProduct
  let target: RealSshd
  let admin: Client
  let host: AnyRow
  let person: SshPerson
  let folder = ''
  let remote = ''
  let login = ''
  const content = randomBytes(3_000_000)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-copies-'))
    target = await startSshd()
    product = await sharedProduct()
    admin = await signIn(product.url, 'admin', product.adminPassword)
    const carrier = await makePerson(admin, 'carrier', password)
    host = await makeHost(admin, target, 'store')
    await permit(admin, carrier, [host])
    person = byPassword(folder, 'carrier', password)
    login = `carrier@${target.username}@127.0.0.1`
    remote = `scp://${encodeURIComponent(login)}@127.0.0.1:${product.sshPort}/`
    writeFileSync(join(folder, 'a file'), content)
  })
  afterAll(async () => {
    await target?.stop()
    rmSync(folder, { recursive: true })
  })

  const scp = (...args: string[]) => run('scp', ['-O', ...person.words, ...args], person.env)

  /** What the file log says of transfers whose path ends so, the oldest first. */
  async function logged(end: string, count = 1): Promise<AnyRow[]> {
    return vi.waitFor(async () => {
      const rows = (await admin.collection('audits/ftp-logs').all()).filter((row) => String(row.filename).endsWith(end))
      expect(rows).toHaveLength(count)
      return rows.reverse()
    }, patience)
  }

  /** The same, with the file where it is kept. */
  async function kept(end: string): Promise<{ row: AnyRow; body: Buffer }> {
    const [row] = await vi.waitFor(async () => {
      const rows = await logged(end)
      expect(rows[0]?.has_file).toBe(true)
      return rows
    }, patience)
    const path = `/api/v1/audits/ftp-logs/${row?.id}/file/download/`
    const answer = await fetch(new URL(path, product.url), { headers: admin.proof('GET', path) })
    return { row: row as AnyRow, body: Buffer.from(await answer.arrayBuffer()) }
  }

  describe('scp in its own protocol', () => {
    it('carries a file there, under another name, and the log has both path and body', async () => {
      expect(await scp(join(folder, 'a file'), `${remote}by-name`)).toMatchObject({ code: 0, err: '' })
      expect(readFileSync(join(target.home, 'by-name')).equals(content)).toBe(true)
      const { row, body } = await kept('/by-name')
      expect(row).toMatchObject({ operate: { value: 'upload' }, is_success: true })
      expect(row.filename).toBe(join(target.home, 'by-name'))
      expect(body.equals(content)).toBe(true)
    })

    it('carries a file into a folder that is there, and keeps its times and its name', async () => {
      mkdirSync(join(target.home, 'inbox'))
      chmodSync(join(target.home, 'inbox'), 0o777)
      expect(await scp('-p', join(folder, 'a file'), `${remote}inbox`)).toMatchObject({ code: 0, err: '' })
      const there = join(target.home, 'inbox', 'a file')
      expect(statSync(there).mtimeMs).toBeCloseTo(statSync(join(folder, 'a file')).mtimeMs, -4)
      expect((await kept('inbox/a file')).body.equals(content)).toBe(true)
    })

    it('carries a folder in both directions, an empty file in it too', async () => {
      mkdirSync(join(folder, 'tree', 'deep'), { recursive: true })
      writeFileSync(join(folder, 'tree', 'deep', 'leaf'), 'green')
      writeFileSync(join(folder, 'tree', 'empty'), '')
      expect(await scp('-r', join(folder, 'tree'), `${remote}inbox`)).toMatchObject({ code: 0, err: '' })
      expect((await kept('inbox/tree/deep/leaf')).body.toString()).toBe('green')
      expect((await logged('inbox/tree/empty'))[0]).toMatchObject({ is_success: true })
      expect(await scp('-r', `${remote}inbox/tree`, join(folder, 'back'))).toMatchObject({ code: 0, err: '' })
      expect(readFileSync(join(folder, 'back', 'deep', 'leaf'), 'utf8')).toBe('green')
      const [, down] = await logged('inbox/tree/deep/leaf', 2)
      expect(down).toMatchObject({ operate: { value: 'download' }, is_success: true })
    })

    it('carries several files, of which one cannot be written, and says so in the log', async () => {
      mkdirSync(join(target.home, 'box', 'taken'), { recursive: true })
      chmodSync(join(target.home, 'box'), 0o777)
      writeFileSync(join(folder, 'taken'), 'in the way of a folder')
      writeFileSync(join(folder, 'free'), 'free')
      const answer = await scp(join(folder, 'taken'), join(folder, 'free'), `${remote}box`)
      expect(answer.code).toBe(1)
      expect(readFileSync(join(target.home, 'box', 'free'), 'utf8')).toBe('free')
      expect((await logged('box/free'))[0]).toMatchObject({ is_success: true })
      expect((await logged('box/taken'))[0]).toMatchObject({ is_success: false, has_file: false })
    })

    it('of what is not there says what the target says', async () => {
      const answer = await scp(`${remote}nowhere`, join(folder, 'nowhere'))
      expect(answer).toMatchObject({ code: 1 })
      expect(answer.err).toContain('No such file')
    })

    it('needs the action of its direction, however its options are written', async () => {
      const taker = await makePerson(admin, 'taker', password)
      await permit(admin, taker, [host], ['connect', 'download'])
      const own = byPassword(folder, 'taker', password)
      const may = (command: string) =>
        ssh(product, own, `taker@${target.username}@127.0.0.1`, ['127.0.0.1', command], '\0')
      for (const command of ['scp -t inbox', 'scp -rt inbox', `'scp' -v -r -t -- inbox`, 'rsync --server -a . inbox']) {
        const answer = await may(command)
        expect(answer, command).toMatchObject({ code: 255 })
        expect(answer.err).toContain('You have no permission for this')
      }
      expect((await may('scp -f by-name')).out.toString()).toMatch(/^C0\d+ 3000000 by-name\n/)
    })

    it('stops what is not its protocol', async () => {
      const answer = await ssh(product, person, login, ['127.0.0.1', 'scp -t inbox'], 'neither a file nor a folder\n')
      expect(answer.code).toBe(255)
      expect(answer.err).toContain('does not follow the scp protocol')
    })
  })

  it('sftp that names the server’s program goes by the rules of files, and is logged', async () => {
    const args = ['-s', '/usr/lib/openssh/sftp-server', '-P', `${product.sshPort}`, '-o', `User=${login}`, '127.0.0.1']
    await run('sftp', [...person.words, ...args], person.env, `put ${join(folder, 'free')} by-program\n`)
    expect(readFileSync(join(target.home, 'by-program'), 'utf8')).toBe('free')
    expect((await kept('by-program')).body.toString()).toBe('free')
    const reader = await makePerson(admin, 'reader', password)
    await permit(admin, reader, [host], ['connect', 'download'])
    const own = byPassword(folder, 'reader', password)
    const again = args.map((word) => word.replace('carrier@', 'reader@'))
    const lines = `put ${join(folder, 'free')} not-allowed\nget by-program ${join(folder, 'got')}\n`
    expect((await run('sftp', [...own.words, ...again], own.env, lines)).err).toContain('Permission denied')
    expect(existsSync(join(target.home, 'not-allowed'))).toBe(false)
    expect(readFileSync(join(folder, 'got'), 'utf8')).toBe('free')
  })

  describeWith('rsync', 'rsync', () => {
    it('stands in the log with its path and direction', async () => {
      const shell = `ssh ${person.words.join(' ')} -p ${product.sshPort} -l ${login}`
      const sync = (...args: string[]) => run('rsync', ['-a', '-e', shell, ...args], person.env)
      expect(await sync(`${folder}/tree`, '127.0.0.1:mirrored/')).toMatchObject({ code: 0, err: '' })
      expect((await logged('mirrored/'))[0]).toMatchObject({ operate: { value: 'upload' }, is_success: true })
      expect((await sync('127.0.0.1:not-there', folder)).code).not.toBe(0)
      expect((await logged('not-there'))[0]).toMatchObject({ operate: { value: 'download' }, is_success: false })
    })
  })

  it('what a command is sent while its session is paused arrives when it goes on', async () => {
    const held = join(target.home, 'held')
    const args = [...person.words, '-p', `${product.sshPort}`, '-l', login, '127.0.0.1', 'cat > held']
    const child = spawn('ssh', args, { env: person.env })
    const done = new Promise((resolve) => child.once('close', resolve))
    child.stdin.write(content.subarray(0, 1_000_000))
    await vi.waitFor(() => expect(existsSync(held) && statSync(held).size).toBe(1_000_000), patience)
    const running = await admin.collection('terminal/sessions').all({ is_finished: false })
    const session = running.find(({ user }) => /carrier/.test(String(user)))
    const toggle = async (task: string, isLocked: boolean) => {
      const body = { session_id: session?.id, task_name: task }
      await admin.request('POST', '/api/v1/terminal/tasks/toggle-lock-session/', body)
      await vi.waitFor(async () => {
        const row = await admin.collection('terminal/sessions').get(String(session?.id))
        expect(row.is_locked).toBe(isLocked)
      }, patience)
    }
    await toggle('lock_session', true)
    child.stdin.end(content.subarray(1_000_000))
    // What is sent behind it by a session that is not paused has gone all the way.
    const past = await run('ssh', [...args.slice(0, -1), 'echo past'], person.env)
    expect(past.out.toString()).toBe('past\n')
    expect(statSync(held).size).toBe(1_000_000)
    await toggle('unlock_session', false)
    expect(await done).toBe(0)
    expect(readFileSync(held).equals(content)).toBe(true)
  })
})
