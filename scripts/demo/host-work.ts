/** What really happens on the demo's host: people connect to it by SSH through the product, and plans collect its accounts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Client as SshClient } from 'ssh2'
import { type Client, signIn } from '../../packages/testing/src/client.ts'
import type { RunningProduct } from '../../packages/testing/src/product.ts'

const sessions: readonly (readonly string[])[] = [
  ['uname -a', 'df -h .', 'ls -l', 'exit'],
  ['whoami', 'cat /etc/os-release | head -3', 'rm -rf ./nothing', 'date', 'exit'],
  ['free -m', 'ps aux | head -5', 'echo "all is well"', 'exit'],
]

/** How long a shell may take for its next prompt, and for its end after the last line. Milliseconds. */
const patience = 15_000

/** Connects to an asset through the gateway, types commands like a person, and waits for the end. */
async function work(product: RunningProduct, username: string, password: string, lines: readonly string[]) {
  const client = new SshClient()
  await new Promise<void>((settle, fail) => {
    client.on('error', fail).on('ready', () => {
      client.shell({ cols: 110, rows: 30, term: 'xterm-256color' }, async (error, stream) => {
        if (error) return fail(error)
        let shown = ''
        let isOpen = true
        stream.on('data', (data: Buffer) => {
          shown = (shown + data.toString()).slice(-200)
        })
        stream.on('close', () => {
          isOpen = false
          client.end()
          settle()
        })
        const until = async (isReached: () => boolean) => {
          for (let left = patience; left > 0 && isOpen && !isReached(); left -= 100) await sleep(100)
        }
        for (const line of lines) {
          // A prompt, and nothing behind it; on a busy machine a command may be silent for a while.
          await until(() => /[$#>] $/.test(stripVTControlCharacters(shown)))
          shown = ''
          stream.write(`${line}\r`)
        }
        await until(() => false)
        // Whatever became of the last line, the month goes on.
        client.end()
      })
    })
    client.connect({ host: product.sshHost, port: product.sshPort, username, password })
  })
}

/** Commands that Olivia runs as jobs, and saves. */
const commands = [
  { name: 'Disk usage', args: 'df -h' },
  { name: 'Uptime', args: 'uptime' },
  { name: 'Log files', args: 'ls -l /var/log | head -20' },
] as const

/** Where and as whom everything happens. */
interface Place {
  login: string
  username: string
  password: string
  host: string
  /** The account on the host. */
  account: string
  /** How the administrator connects to it. */
  admin: { login: string; password: string }
}

/** Creates jobs of a user. Returns what runs one of them, and waits for its end. */
async function jobsOf(
  signIn: () => Promise<Client>,
  { host, account }: Place,
): Promise<(count: number) => Promise<void>> {
  const client = await signIn()
  const jobs: string[] = []
  for (const { name, args } of commands) {
    await client.collection('ops/adhocs').create({ name, module: 'shell', args, comment: '' })
    const target = { assets: [host], nodes: [], runas: account, runas_policy: 'skip', is_periodic: false, timeout: 60 }
    const job = await client.collection('ops/jobs').create({ ...target, name, type: 'adhoc', module: 'shell', args })
    jobs.push(job.id)
  }
  return async (count) => {
    const today = await signIn()
    const job = jobs[count % jobs.length]
    const { task_id } = await today.request<{ task_id: string }>('POST', '/api/v1/ops/job-executions/', { job })
    const path = `/api/v1/ops/job-executions/${task_id}/`
    for (let left = patience; left > 0; left -= 100) {
      if ((await today.request<{ is_finished: boolean }>('GET', path)).is_finished) break
      await sleep(100)
    }
  }
}

/** Creates plans and jobs for the host. Returns what happens on a day. */
export async function hostWork(
  product: RunningProduct,
  admin: () => Promise<Client>,
  place: Place,
): Promise<(ago: number) => Promise<void>> {
  const { login, username, password, host } = place
  const client = await admin()
  const plan = await client.collection('accounts/gather-account-automations').create({
    ...{ name: 'Collect accounts', assets: [host], crontab: '0 3 * * 1', is_periodic: true },
  })
  const runJob = await jobsOf(() => signIn(product.url, username, password), place)
  return async (ago) => {
    if (ago % 5 === 2) await work(product, login, password, sessions[ago % sessions.length] ?? [])
    if (ago === 4) await work(product, place.admin.login, place.admin.password, sessions[2] ?? [])
    if (ago % 3 === 1) await runJob(Math.floor(ago / 3))
    if (ago % 7 === 1)
      await (await admin()).request('POST', '/api/v1/accounts/gather-account-executions/', { automation: plan.id })
  }
}
