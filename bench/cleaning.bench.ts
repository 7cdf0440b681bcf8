// Cleaning of a log with a million rows that are too old: how long it takes, and how long changes wait meanwhile.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { percentile, report } from './results.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const day = 86_400_000

const product = await startProduct()
try {
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const host = await admin.collection('assets/hosts').create({ name: 'changed', address: '10.0.0.1', platform: 1 })
  const database = new DatabaseSync(join(product.dataDir, 'castellan.db'))
  database.exec('pragma busy_timeout = 5000')
  const table = 'audits_userloginlog'
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]
  const old = Date.now() - 1000 * day
  const changed: Record<string, string> = {
    id: "printf('%08x-0000-4000-8000-%012x', n, n)",
    datetime: `${old} + n`,
  }
  const names = columns.map(({ name }) => `"${name}"`).join()
  const copied = columns.map(({ name }) => changed[name] ?? `"${name}"`).join()
  database.exec('begin immediate')
  database
    .prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into ${table} (${names})
      select ${copied} from (select * from ${table} limit 1), numbers`,
    )
    .run(rows)
  database.exec('commit')
  const left = () =>
    (
      database.prepare(`select count(*) as n from ${table} where datetime < ?`).get(Date.now() - 500 * day) as {
        n: number
      }
    ).n

  const change = async (): Promise<number> => {
    const began = performance.now()
    await admin.collection('assets/hosts').change(host.id, { comment: `change ${began}` })
    return performance.now() - began
  }
  const quiet: number[] = []
  for (let at = 0; at < 50; at++) quiet.push(await change())

  const tasks = await admin.request<{ id: string; name: string }[]>('GET', '/api/v1/ops/tasks/')
  const task = tasks.find(({ name }) => name === 'audits.sweep-logs')
  const began = performance.now()
  await admin.request('POST', `/api/v1/ops/tasks/${task?.id}/run/`, {})
  const waits: number[] = []
  while (left() > 0) {
    waits.push(await change())
    await delay(20)
  }
  const seconds = (performance.now() - began) / 1000
  database.close()
  console.log(`${rows} rows in ${seconds.toFixed(1)} s; ${waits.length} changes meanwhile`)
  report([
    { what: 'change, quiet, median', value: percentile(quiet, 0.5), unit: 'ms', limit: { most: 50 } },
    { what: 'change during the cleaning, median', value: percentile(waits, 0.5), unit: 'ms', limit: { most: 100 } },
    { what: 'change during the cleaning, longest', value: Math.max(...waits), unit: 'ms', limit: { most: 1000 } },
  ])
} finally {
  await product.stop()
}
