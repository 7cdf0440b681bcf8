// `uptime` on 500 SSH targets as a quick job, beside `ansible -f 50` in the same run: first answer, all of them, memory.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { type Measured, measured } from './memory.ts'
import { percentile, report } from './results.ts'

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '500' },
    forks: { type: 'string', default: '50' },
    /** Without Ansible, which takes hours for ten thousand targets. */
    alone: { type: 'boolean', default: false },
  },
})
const targets = Number(values.targets)
const rounds = values.alone ? 1 : 3
const api = '/api/v1/ops/'

/** The same command by Ansible, with a connection of its own for each target. */
async function ansible(sshd: RealSshd, folder: string): Promise<Measured> {
  const lines = Array.from({ length: targets }, (_, at) => `t${at} ansible_control_path=${join(folder, `t${at}`)}`)
  const login = [
    `ansible_host=${sshd.host}`,
    `ansible_port=${sshd.port}`,
    `ansible_user=${sshd.username}`,
    `ansible_ssh_private_key_file=${sshd.privateKeyFile}`,
  ]
  writeFileSync(join(folder, 'hosts'), `[all]\n${lines.join('\n')}\n[all:vars]\n${login.join('\n')}\n`)
  let pid = process.pid
  return measured(
    () => pid,
    () =>
      new Promise<void>((resolve, reject) => {
        const env = { ...process.env, ANSIBLE_HOST_KEY_CHECKING: 'False', ANSIBLE_PIPELINING: 'True' }
        const words = ['all', '-i', join(folder, 'hosts'), '-f', values.forks, '-m', 'command', '-a', 'uptime']
        const child = spawn('ansible', words, { env, stdio: 'ignore' })
        pid = child.pid ?? pid
        child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`ansible ended with ${code}`))))
      }),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
const sshd = await startSshd()
const product = await startProduct()
try {
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const [node] = await admin.request<{ id: string }[]>('GET', '/api/v1/assets/nodes/')
  const account = { name: 'target', username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey }
  const hosts = await admin.request<{ id: string }[]>(
    'POST',
    '/api/v1/assets/hosts/',
    Array.from({ length: targets }, (_, at) => ({
      ...{ name: `t${at}`, address: sshd.host, platform: 1, nodes: [{ pk: node?.id }] },
      protocols: [{ name: 'ssh', port: sshd.port }],
      accounts: [account],
    })) as never,
  )
  const me = await admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
  await admin.request('POST', '/api/v1/perms/asset-permissions/', {
    ...{ name: 'all', users: [me.id], nodes: [node?.id], accounts: ['@ALL'], protocols: ['all'], actions: ['all'] },
  })
  const { programs } = await product.status()
  const worker = programs.worker.pid ?? 0

  /** Starts the job; the times of the first answer and of all of them. Milliseconds. */
  async function quick(): Promise<{ first: number; all: number }> {
    const began = performance.now()
    const { task_id: id } = await admin.request<{ task_id: string }>('POST', `${api}jobs/`, {
      ...{ assets: hosts.map((host) => host.id), module: 'shell', args: 'uptime', runas: sshd.username },
      ...{ runas_policy: 'skip', instant: true, is_periodic: false, timeout: -1 },
    })
    let first: number | undefined
    for (;;) {
      if (first === undefined) {
        const { parts } = await admin.request<{ parts: object[] }>('GET', `${api}job-executions/${id}/output/?after=0`)
        if (parts.length > 0) first = performance.now() - began
      }
      const { is_finished, is_success } = await admin.request<{ is_finished: boolean; is_success: boolean }>(
        'GET',
        `${api}job-execution/task-detail/${id}/`,
      )
      if (is_finished) {
        if (!is_success) throw new Error(`Not all of the ${targets} targets answered.`)
        return { first: first ?? Number.NaN, all: performance.now() - began }
      }
      await delay(20)
    }
  }

  // The host keys are accepted, and the code is warm.
  await quick()
  const runs: { first: number; all: number }[] = []
  const { memory } = await measured(
    () => worker,
    async () => {
      for (let round = 0; round < rounds; round++) runs.push(await quick())
    },
  )
  const theirs = values.alone ? undefined : await ansible(sshd, folder)
  const all = percentile(
    runs.map((run) => run.all),
    0.5,
  )
  const beside = theirs ? `, Ansible ${theirs.seconds.toFixed(1)} s` : ''
  console.log(`${targets} targets: Castellan ${(all / 1000).toFixed(1)} s${beside}`)
  report([
    {
      what: 'first answer',
      value: percentile(
        runs.map((run) => run.first),
        0.5,
      ),
      unit: 'ms',
      limit: { most: 500 },
    },
    ...(theirs
      ? [{ what: 'faster than Ansible', value: (theirs.seconds * 1000) / all, unit: 'x', limit: { least: 10 } }]
      : []),
    { what: 'memory of the worker', value: memory, unit: 'MiB', limit: { most: 200 } },
  ])
} finally {
  await product.stop()
  await sshd.stop()
  rmSync(folder, { recursive: true })
}
