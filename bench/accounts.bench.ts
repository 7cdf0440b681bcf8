// Changing passwords and collecting accounts on 500 SSH targets beside the same by ansible-playbook -f 50; 5,000 targets.
// The targets are one machine: it has the accounts of all of them, except in the last part.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { type Measured, measured } from './memory.ts'
import { processorTimes, type Result, report } from './results.ts'

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '500' },
    /** Targets of which memory is measured, which must not depend on their number. */
    many: { type: 'string', default: '5000' },
    forks: { type: 'string', default: '50' },
  },
})
const targets = Number(values.targets)
const many = Number(values.many)
const password = 'Before-the-bench-1'
const after = 'After-the-bench-1'
/** May do everything, with a home folder of its own: what root's own shell does at every start is no part of this. */
const superuser = `cb${process.pid}root`
const names = Array.from({ length: targets }, (_, at) => `cb${process.pid}x${at}`)

/** Runs tasks of Ansible on every target. */
async function ansible(sshd: RealSshd, folder: string, tasks: readonly object[]): Promise<Measured> {
  // A connection of its own for each target, as on as many machines.
  const hosts = names.map((name) => `${name} account=${name} ansible_control_path=${join(folder, name)}`).join('\n')
  const login = [
    `ansible_host=${sshd.host}`,
    `ansible_port=${sshd.port}`,
    `ansible_user=${superuser}`,
    `ansible_ssh_private_key_file=${sshd.privateKeyFile}`,
  ].join('\n')
  writeFileSync(join(folder, 'hosts'), `[all]\n${hosts}\n[all:vars]\n${login}\n`)
  // YAML includes JSON.
  writeFileSync(join(folder, 'play.yml'), JSON.stringify([{ hosts: 'all', gather_facts: false, tasks }]))
  const words = ['-i', join(folder, 'hosts'), '-f', values.forks, join(folder, 'play.yml')]
  let pid = process.pid
  return measured(
    () => pid,
    () =>
      new Promise<void>((resolve, reject) => {
        const env = {
          ...process.env,
          ANSIBLE_HOST_KEY_CHECKING: 'False',
          ANSIBLE_LOCALHOST_WARNING: 'False',
          HOME: folder,
        }
        const child = spawn('ansible-playbook', words, { stdio: ['ignore', 'pipe', 'inherit'], env })
        pid = child.pid ?? pid
        let said = ''
        child.stdout.on('data', (part: Buffer) => {
          said = (said + part.toString()).slice(0, 2000)
        })
        child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ansible-playbook: ${code} ${said}`))))
      }),
  )
}

/** Runs `work` for every account, for as many at once as Ansible has forks. Seconds. */
async function forEachAccount(work: (name: string) => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  const waiting = names.values()
  await Promise.all(
    Array.from({ length: Number(values.forks) }, async () => {
      for (const name of waiting) await work(name)
    }),
  )
  return (performance.now() - begin) / 1000
}

/** The same change by a script: `chpasswd` and a sign-in with the new password, each by its own `ssh`. Seconds. */
function bySshAlone(sshd: RealSshd): Promise<number> {
  const run = promisify(execFile)
  const to = ['-F', '/dev/null', '-p', String(sshd.port), '-o', 'StrictHostKeyChecking=no', '-o', 'LogLevel=ERROR']
  to.push('-o', 'UserKnownHostsFile=/dev/null')
  return forEachAccount(async (name) => {
    const set = run('ssh', [...to, '-i', sshd.privateKeyFile, `${superuser}@${sshd.host}`, 'chpasswd'])
    set.child.stdin?.end(`${name}:${after}\n`)
    await set
    const byPassword = ['-o', 'PubkeyAuthentication=no', `${name}@${sshd.host}`, 'true']
    await run('sshpass', ['-e', 'ssh', ...to, ...byPassword], { env: { ...process.env, SSHPASS: after } })
  })
}

/** Castellan believes a new password only once it has signed in with it. Needs `sshpass`. */
const signInWithNewPassword = (folder: string) => ({
  raw: 'true',
  vars: {
    ansible_user: '{{ account }}',
    ansible_password: after,
    ansible_ssh_common_args: '-o PubkeyAuthentication=no',
    ansible_control_path: join(folder, 'verified-{{ account }}'),
  },
})

interface Execution {
  date_finished: string | null
  summary: { total: number; success: number }
}

/** Runs a plan of Castellan. */
async function castellan(client: Client, worker: number, kind: string, plan: string): Promise<Measured & Execution> {
  const url = `/api/v1/accounts/${kind}-executions/`
  let execution: Execution | undefined
  const spent = await measured(
    () => worker,
    async () => {
      const { task } = await client.request<{ task: string }>('POST', url, { automation: plan })
      while (!execution?.date_finished) {
        await delay(200)
        execution = await client.request<Execution>('GET', `${url}${task}/`)
      }
    },
  )
  return { ...spent, ...(execution as Execution) }
}

const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
const sshd = await startSshd({ config: ['PermitRootLogin yes'] })
// As installed: tests share a folder for compiled modules.
const product = await startProduct({ env: { NODE_COMPILE_CACHE: undefined } })
const left = new Set([superuser, ...names])
function removeAccounts(gone: Iterable<string>): void {
  for (const name of gone) if (left.delete(name)) spawnSync('userdel', ['-f', name], { stdio: 'ignore' })
}
/** Accounts that an interrupted run left behind would be in every list of the next one. */
const clean = async () => {
  await product.stop()
  await sshd.stop()
  removeAccounts([...left])
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void clean().finally(() => process.exit(1)))
try {
  console.log(`making ${targets} accounts and ${many} hosts`)
  const lines = names.map((name) => `${name}:${password}::::/nonexistent:/bin/sh`)
  execFileSync('newusers', { input: `${lines.join('\n')}\n`, stdio: ['pipe', 'ignore', 'ignore'] })
  const home = ['-d', folder, '-M', '-s', '/bin/sh', '-p', '*']
  execFileSync('useradd', ['-o', '-u', '0', '-g', '0', ...home, superuser], { stdio: 'ignore' })
  const client = await signIn(product.url, 'admin', product.adminPassword)
  const root = { username: superuser, secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }
  const protocols = [{ name: 'ssh', port: sshd.port }]
  const makeHosts = async (count: number, prefix: string, ownOf: (at: number) => object[]): Promise<string[]> => {
    const ids: string[] = []
    for (let from = 0; from < count; from += 100) {
      const rows = Array.from({ length: Math.min(100, count - from) }, (_, at) => {
        const accounts = [root, ...ownOf(from + at)]
        return { name: `${prefix}-${from + at}`, address: sshd.host, platform: 1, protocols, accounts }
      })
      const made = await client.collection<{ id: string }, object>('assets/hosts').createMany(rows)
      ids.push(...made.map(({ id }) => String(id)))
    }
    return ids
  }
  const ids = await makeHosts(many, 'host', (at) => {
    const name = names[at]
    return name ? [{ username: name, secret_type: 'password', secret: password }] : []
  })
  const worker = (await product.status()).programs.worker.pid ?? 0
  const plan = async (kind: string, body: object) => {
    const made = { name: `${kind} ${ids.length} ${performance.now()}`, is_periodic: false, ...body }
    return (await client.request<{ id: string }>('POST', `/api/v1/accounts/${kind}-automations/`, made)).id
  }
  const some = ids.slice(0, targets)
  const random = { secret_type: 'password', secret_strategy: 'random', password_rules: { length: 20 } }
  const results: Result[] = []
  const compare = (what: string, ours: Measured & Execution, theirs: Measured) => {
    for (const [name, { seconds, memory }] of Object.entries({ Castellan: ours, Ansible: theirs }))
      console.log(`${what}: ${name.padEnd(9)} ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MiB`)
    results.push(
      { what: `${what}: targets`, value: ours.summary.success, unit: '', limit: { least: targets } },
      {
        what: `${what}: Ansible's time, of ours`,
        value: theirs.seconds / ours.seconds,
        unit: '×',
        limit: { least: 10 },
      },
      {
        what: `${what}: our memory, of Ansible's`,
        value: ours.memory / theirs.memory,
        unit: '×',
        limit: { most: 0.25 },
      },
    )
  }
  const changes = await plan('change-secret', { ...random, assets: some, accounts: names })
  const before = processorTimes(sshd.pid())
  const changed = await castellan(client, worker, 'change-secret', changes)
  const spent = processorTimes(sshd.pid())
  const byAnsible = await ansible(sshd, folder, [
    // Not by a hash of its own: the target makes and checks the one that its policy demands.
    { command: { cmd: 'chpasswd', stdin: `{{ account }}:${after}` } },
    signInWithNewPassword(folder),
  ])
  compare('change passwords', changed, byAnsible)
  // Before Ansible: its connections outlive it, and are counted when they end.
  const needed = (spent.own + spent.children - before.own - before.children) / 1000
  console.log(
    `change passwords: the targets, on the same machine, needed ${needed.toFixed(1)} s of processor: nobody could be ` +
      `more than ${((byAnsible.seconds * availableParallelism()) / needed).toFixed(1)} × faster than Ansible`,
  )
  console.log(`change passwords: ssh alone ${(await bySshAlone(sshd)).toFixed(1)} s`)
  const collect = async (what: string, assets: readonly string[]) => {
    const found = await castellan(client, worker, 'gather-account', await plan('gather-account', { assets }))
    compare(what, found, await ansible(sshd, folder, [{ getent: { database: 'passwd' } }, { command: 'lastlog' }]))
    return found
  }
  const collected = await collect(`collect ${targets} accounts and more`, some)
  if (many > targets) {
    const all = await castellan(client, worker, 'gather-account', await plan('gather-account', { assets: ids }))
    console.log(`collect from ${many}: ${all.seconds.toFixed(1)} s, ${all.memory.toFixed(0)} MiB`)
    results.push(
      { what: `collect from ${many}: targets`, value: all.summary.success, unit: '', limit: { least: many } },
      {
        what: `memory at ${many}, of that at ${targets}`,
        value: all.memory / collected.memory,
        unit: '×',
        limit: { most: 1.5 },
      },
    )
  }
  // All targets are one machine, which had the accounts of all of them.
  removeAccounts(names)
  await collect('collect as from one machine each', await makeHosts(targets, 'ordinary', () => []))
  report(results)
} finally {
  await clean()
}
