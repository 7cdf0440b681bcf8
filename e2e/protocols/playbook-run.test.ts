import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type SharedProduct, sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'

const password = 'Plays-for-long-1'
const api = '/api/v1/ops/'

interface Program {
  pid: number
  parent: number
  args: string
}

describeWith(
  ['sshd', 'ssh-keygen', 'ssh', 'ansible', 'root', 'mount'],
  'a worker that is killed during a playbook',
  { timeout: 120_000 },
  () => {
    let product: SharedProduct
    let sshd: RealSshd
    let author: Client
    let host: AnyRow

    beforeAll(async () => {
      ;[product, sshd] = await Promise.all([sharedProduct(), startSshd()])
      const admin = await signIn(product.url, 'admin', product.adminPassword)
      host = await makeHost(admin, sshd, 'played')
      await permit(admin, await makePerson(admin, 'plays', password), [host])
      author = await signIn(product.url, 'plays', password)
    })
    afterAll(async () => {
      await sshd?.stop()
    })

    /** Folders of a worker's runs. */
    const left = (worker: number) =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`castellan-play-${worker}-`))
    const workerId = async () => (await product.status()).programs.worker.pid ?? 0
    const programs = async (): Promise<Program[]> =>
      (await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])).stdout
        .split('\n')
        .map((line) => line.trim().split(/ +/))
        .map(([pid, parent, ...args]) => ({ pid: Number(pid), parent: Number(parent), args: args.join(' ') }))
    /** Programs that run playbooks for a worker: another one of this machine may run some, too. */
    async function playing(worker: number): Promise<Program[]> {
      const all = await programs()
      const below = (pid: number): Program[] =>
        all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)])
      return below(worker).filter(({ args }) => /sandbox\.sh|ansible-playb/.test(args))
    }
    const stillThere = async (some: readonly Program[]) =>
      (await programs()).filter(({ pid, args }) => some.some((one) => one.pid === pid && one.args === args))
    async function start(command: string): Promise<string> {
      const { id } = await author.request<{ id: string }>('POST', `${api}playbooks/`, { name: command })
      const content = `- hosts: all\n  gather_facts: false\n  tasks:\n    - command: ${command}\n`
      await author.request('PATCH', `${api}playbook/${id}/file/`, { key: 'main.yml', content })
      const job = { type: 'playbook', playbook: id, assets: [host.id], runas: sshd.username, runas_policy: 'skip' }
      const { task_id } = await author.request<{ task_id: string }>('POST', `${api}jobs/`, {
        ...{ ...job, name: command, instant: true, is_periodic: false, timeout: -1 },
      })
      return task_id
    }
    const read = (id: string) =>
      author.request<{ is_finished: boolean; is_success: boolean }>('GET', `${api}job-executions/${id}/`)

    it('leaves no program, says that the run ended, and runs nothing twice', async () => {
      const id = await start('sleep 300')
      const killed = await workerId()
      await expect.poll(() => playing(killed), { timeout: 30_000 }).not.toEqual([])
      expect(left(killed)).toHaveLength(1)
      const running = await playing(killed)
      await product.kill('worker', 'SIGKILL')
      await expect.poll(() => stillThere(running), { timeout: 10_000 }).toEqual([])
      // Another worker takes over when the lease of the killed one has ended, after a minute.
      await expect.poll(async () => (await read(id)).is_finished, { timeout: 90_000, interval: 200 }).toBe(true)
      expect((await read(id)).is_success).toBe(false)
      expect(await playing(await workerId())).toEqual([])
      const next = await start('"true"')
      await expect.poll(async () => (await read(next)).is_finished, { timeout: 30_000, interval: 200 }).toBe(true)
      const { data: log } = await author.request<{ data: string }>(
        'GET',
        `${api}celery/task/${next}/task-execution/${next}/log/`,
      )
      expect([(await read(next)).is_success, log]).toEqual([true, expect.stringContaining('SUCCESS')])
      await expect.poll(async () => [...left(killed), ...left(await workerId())], { timeout: 10_000 }).toEqual([])
    })
  },
)
