import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, ssh, sshTerminal } from '../openssh.ts'
import { smallDisk } from '../small-disk.ts'

const password = 'Limits-are-near-1'
const patience = { timeout: 30_000, interval: 100 }
const megabyte = 1024 * 1024

describeWith(['sshd', 'ssh-keygen', 'ssh'], 'the limits of disk and memory', () => {
  let product: Product
  let target: RealSshd
  let admin: Client
  let host: AnyRow
  let person: SshPerson
  let login = ''
  const folder = mkdtempSync(join(tmpdir(), 'castellan-limits-'))
  const dataDir = join(folder, 'data')
  const disk = join(dataDir, 'gateway')
  const small = smallDisk(disk, 200)

  beforeAll(async () => {
    ;[target, product] = await Promise.all([startSshd(), startProduct({ dataDir })])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    host = await makeHost(admin, target, 'talkative')
    await permit(admin, await makePerson(admin, 'lena', password), [host])
    person = byPassword(folder, 'lena', password)
    login = `lena@${target.username}@127.0.0.1`
  })
  afterAll(async () => {
    await product?.stop()
    await target?.stop()
    small?.unmount()
    rmSync(folder, { recursive: true })
  })

  const newest = async () => {
    const [row] = await admin.collection('terminal/sessions').all({ order: '-date_start' })
    return row as AnyRow
  }

  describeWith('mount', 'a full disk under the recorder', () => {
    const fill = () => small?.fill(300_000)
    const makeRoom = () => small?.makeRoom()
    let cut: AnyRow

    it('ends the session with a text, and its row says what failed', async () => {
      const terminal = sshTerminal(product, person, login)
      await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
      fill()
      terminal.type('head -c 3000000 /dev/urandom | base64\r')
      await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
      expect(terminal.text()).toContain('cannot be recorded')
      await vi.waitFor(async () => {
        cut = await newest()
        expect(cut).toMatchObject({ is_finished: true, error_reason: { value: 'replay_create_failed' } })
      }, patience)
    })

    it('lets no new session begin, in a terminal or with a command', async () => {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'rest'), '')
      try {
        writeFileSync(join(disk, 'rest'), Buffer.alloc(bavail * bsize + megabyte))
      } catch {
        // Full to the last byte, which is what is wanted.
      }
      const terminal = sshTerminal(product, person, login)
      await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
      expect(terminal.text()).toContain('cannot be recorded')
      const answer = await ssh(product, person, login, ['127.0.0.1', 'echo never'])
      expect(answer).toMatchObject({ code: 255, out: Buffer.alloc(0) })
      expect(answer.err).toContain('cannot be recorded')
      rmSync(join(disk, 'rest'))
    })

    it('is over when there is room again, and what was recorded until then is kept', async () => {
      makeRoom()
      const answer = await ssh(product, person, login, ['127.0.0.1', 'echo again'])
      expect(answer.out.toString()).toBe('again\n')
      await vi.waitFor(
        async () => {
          const row = await admin.collection('terminal/sessions').get(cut.id)
          expect(row.has_replay).toBe(true)
        },
        { timeout: 30_000, interval: 1000 },
      )
    })
  })

  describeWith('linux', 'somebody who does not read', () => {
    const resident = async () => {
      const { pid } = (await product.status()).programs.gateway
      return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    }
    /** The most memory the gateway has used while something went on, in MB more than before. */
    const growthDuring = async (work: () => Promise<void>) => {
      const before = await resident()
      let most = before
      const timer = setInterval(() => {
        void resident().then((now) => {
          most = Math.max(most, now)
        })
      }, 100)
      await work().finally(() => clearInterval(timer))
      return most - before
    }
    const aWhile = () => new Promise((settle) => setTimeout(settle, 4000))
    const flood = 'yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c 200000000; echo flood-$((40+2))\r'
    /** Far below the 200 MB that are waiting, far above what windows and buffers may hold. */
    const bound = 100

    const web = async (init: object) => {
      const cookie = await signInForCookies(product.url, 'lena', password)
      const choice = { asset: host.id, account: 'person' }
      const query = await terminalQuery(await signIn(product.url, 'lena', password), choice)
      const terminal = openWebTerminal(product.url, query, cookie, init)
      await vi.waitFor(() => expect(terminal.text).toMatch(/\$ $/), patience)
      return terminal
    }

    /** Reads as many megabytes of output as fast as they come. */
    const reader = (terminal: Awaited<ReturnType<typeof web>>) => {
      let size = 0
      terminal.socket.on('message', (data: Buffer) => {
        size += data.length
        terminal.text = ''
      })
      return async (megabytes: number) => {
        const before = size
        terminal.type(`yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c ${megabytes * 1e6}\r`)
        // As long as it flows: a busy machine may be slow.
        for (let part = 0.1; part <= 1; part += 0.1)
          await vi.waitFor(() => expect(size - before).toBeGreaterThan(part * megabytes * 1e6), patience)
      }
    }

    // What flows at full speed leaves garbage, whoever reads it; only what comes on top of that is held.
    beforeAll(async () => {
      // What comes from here on records more than the small disk holds.
      small?.grow(2000)
      const terminal = await web({})
      await reader(terminal)(100)
      terminal.socket.terminate()
    })

    it('a browser whose socket stands still stops the target, and goes on where it was', async () => {
      const terminal = await web({})
      const growth = await growthDuring(async () => {
        terminal.type(flood)
        terminal.socket.pause()
        await aWhile()
      })
      expect(growth).toBeLessThan(bound)
      terminal.text = ''
      terminal.socket.resume()
      await vi.waitFor(() => expect(terminal.text.length).toBeGreaterThan(10 * megabyte), patience)
      terminal.socket.terminate()
    })

    it('a browser that draws nothing is sent no more than its window', async () => {
      const terminal = await web({ ack: true })
      const growth = await growthDuring(async () => {
        terminal.type(flood)
        await aWhile()
      })
      expect(growth).toBeLessThan(bound)
      expect(terminal.text.length).toBeLessThan(10 * megabyte)
      terminal.socket.terminate()
    })

    it('a browser that asks and asks and reads no answer is left', async () => {
      const terminal = await web({})
      const ended = new Promise<void>((settle) => terminal.socket.on('close', () => settle()))
      const frame = JSON.stringify({ id: '', type: 'PING', data: 'x'.repeat(200) })
      const growth = await growthDuring(async () => {
        terminal.socket.pause()
        for (let sent = 0; sent < 300; sent++) {
          for (let at = 0; at < 999; at++) terminal.socket.send(frame)
          // Until they are with the system, or the connection is gone.
          await new Promise<unknown>((settle) => terminal.socket.send(frame, settle))
        }
        terminal.socket.resume()
        await ended
      })
      expect(growth).toBeLessThan(bound)
    })

    it('an OpenSSH client whose output stands still stops the target', async () => {
      const to = ['-p', `${product.sshPort}`, '-l', login, '127.0.0.1']
      const child = spawn('ssh', ['-tt', ...person.words, ...to], { env: person.env })
      await new Promise<void>((settle) => {
        child.stdout.on('data', (part: Buffer) => part.includes('$ ') && settle())
      })
      child.stdout.pause()
      const growth = await growthDuring(async () => {
        child.stdin.write(flood)
        await aWhile()
      })
      expect(growth).toBeLessThan(bound)
      let size = 0
      child.stdout.on('data', (part: Buffer) => {
        size += part.length
      })
      child.stdout.resume()
      await vi.waitFor(() => expect(size).toBeGreaterThan(10 * megabyte), patience)
      child.kill()
    })

    it('a watcher who does not read holds nobody up', async () => {
      const own = await web({})
      const session = JSON.parse(own.frames.find((frame) => frame.type === 'TERMINAL_SESSION')?.data ?? '') as {
        session: { id: string }
      }
      const read = reader(own)
      const cookie = await signInForCookies(product.url, 'admin', product.adminPassword)
      const watching = openWebTerminal(product.url, `type=monitor&target_id=${session.session.id}`, cookie)
      await vi.waitFor(() => expect(watching.text).toContain('$ '), patience)
      watching.socket.pause()
      // Two are served at full speed, which leaves up to 200 MB of garbage, however much flows.
      const growth = await growthDuring(() => read(400))
      expect(growth).toBeLessThan(300)
      watching.text = ''
      watching.socket.resume()
      own.type('echo after-$((40+2))\r')
      await vi.waitFor(() => expect(watching.text).toContain('after-42'), patience)
      expect(watching.text.length).toBeLessThan(20 * megabyte)
      own.socket.terminate()
      watching.socket.terminate()
    })
  })
})
