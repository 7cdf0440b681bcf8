import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOrgId } from '@castellan/contract/ids'
import { type Client, registerComponent, signIn } from '@castellan/testing/client'
import type { Product } from '@castellan/testing/product'
import { buildSite, planSite } from '@castellan/testing/site'

export interface Sizes {
  hosts: number
  nodes: number
  users: number
  permissions: number
  sessions: number
  commands: number
}

/** Concurrent requests. */
const atOnce = 8
const commandsPerRequest = 1000

/** Runs a task for each number with limited concurrency, and prints progress. */
async function many(what: string, count: number, task: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  let said = Date.now()
  const work = async () => {
    for (let at = next++; at < count; at = next++) {
      await task(at)
      if (Date.now() - said > 5000) {
        said = Date.now()
        console.log(`  ${what}: ${at} of ${count}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function buildSessions(component: Client, sizes: Sizes): Promise<string[]> {
  const ids: string[] = []
  const end = Date.now()
  const minute = 60_000
  await many('sessions', sizes.sessions, async (at) => {
    const row = await component.collection('terminal/sessions').create({
      id: randomUUID(),
      user: `Person ${at % sizes.users}(person${String((at % sizes.users) + 1).padStart(5, '0')})`,
      user_id: randomUUID(),
      asset: `host-${String((at % sizes.hosts) + 1).padStart(6, '0')}(10.0.0.1)`,
      asset_id: randomUUID(),
      account: 'root(root)',
      account_id: randomUUID(),
      protocol: 'ssh',
      login_from: 'WT',
      remote_addr: '127.0.0.1',
      type: 'normal',
      date_start: new Date(end - at * minute).toISOString(),
      // The newest sessions are unfinished, as many as in a busy installation.
      ...(at < 500 ? {} : { is_finished: true, date_end: new Date(end - at * minute + minute).toISOString() }),
      org_id: defaultOrgId,
    })
    ids[at] = row.id
  })
  return ids
}

async function buildCommands(component: Client, sizes: Sizes, sessions: readonly string[]): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const words = [
    'ls -l',
    'cat /etc/hosts',
    'systemctl status',
    'tail -f log',
    'rm -rf /',
    'vim notes',
    'df -h',
    'ps aux',
  ]
  await many('commands, in thousands', Math.ceil(sizes.commands / commandsPerRequest), async (batch) => {
    const rows = Array.from({ length: commandsPerRequest }, (_, inBatch) => {
      const at = batch * commandsPerRequest + inBatch
      return {
        user: `Person ${at % sizes.users}`,
        asset: `host-${String((at % sizes.hosts) + 1).padStart(6, '0')}(10.0.0.1)`,
        account: 'root(root)',
        session: sessions[at % sessions.length],
        input: `${words[at % words.length]} ${at}`,
        output: 'some output of this command\n',
        risk_level: at % 50 === 0 ? 5 : 0,
        timestamp: now - at,
        org_id: defaultOrgId,
      }
    })
    await component.request('POST', '/api/v1/terminal/commands/', rows)
  })
}

/** Fills a product through its API, once per data folder. Large sizes take minutes. */
export async function fillOnce(product: Product, sizes: Sizes): Promise<void> {
  const done = join(product.dataDir, 'bench-filled.json')
  if (existsSync(done)) return
  console.log('Filling the database (once per data folder) …')
  const client = await signIn(product.url, 'admin', product.adminPassword)
  let said = Date.now()
  const plan = planSite({ seed: 1, groups: Math.ceil(sizes.users / 50), ...sizes })
  await buildSite(client, plan, {
    progress(text) {
      if (Date.now() - said < 5000) return
      said = Date.now()
      console.log(`  ${text}`)
    },
  })
  const component = await registerComponent(product.url, product.bootstrapToken, `[bench]-${randomUUID().slice(0, 8)}`)
  await buildCommands(component, sizes, await buildSessions(component, sizes))
  writeFileSync(done, JSON.stringify(sizes))
}
