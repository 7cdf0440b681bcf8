// Files of 10,000 rows: duration of export and import, and growth of the server's memory.
import { readFileSync } from 'node:fs'
import { signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { type Result, report } from './results.ts'

const rows = 10_000
/** Rows per request while the table is filled. */
const atOnce = 500
const path = '/api/v1/users/groups/'

/** Peak memory of a process since the counter was reset, MB (Linux). */
function peakMemory(pid: number): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(peak) / 1024
}

const product = await startProduct()
try {
  const client = await signIn(product.url, 'admin', product.adminPassword)
  const pid = (await product.status()).programs.server.pid ?? 0
  const send = async (method: string, address: string, body?: Uint8Array<ArrayBuffer>, type = 'text/csv') => {
    const answer = await fetch(new URL(address, product.url), {
      method,
      headers: { ...client.proof(method, address), 'accept-language': 'en', ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}`)
    return new Uint8Array(await answer.arrayBuffer())
  }
  const results: Result[] = []
  const timed = async (what: string, most: number, work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    results.push({ what, value: (performance.now() - began) / 1000, unit: 's', limit: { most } })
  }

  for (let at = 0; at < rows; at += atOnce)
    await client.collection('users/groups').createMany(
      Array.from({ length: atOnce }, (_, within) => ({
        name: `group ${String(at + within).padStart(6, '0')}`,
        comment: 'some words about it, as people write them',
      })),
    )
  const before = peakMemory(pid)
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const format of ['csv', 'xlsx'])
    await timed(`export of ${rows} rows as ${format}`, 5, async () => {
      files.set(format, await send('GET', `${path}?format=${format}&template=update`))
    })
  for (const [format, file] of files)
    await timed(`${format} of ${rows} rows read for an import`, 5, () =>
      send('POST', `${path}render-to-json/`, file, `text/${format}`),
    )
  results.push({
    what: `memory the server grew by over its ${before.toFixed(0)} MB`,
    value: peakMemory(pid) - before,
    unit: 'MB',
    limit: { most: 150 },
  })
  report(results)
} finally {
  await product.stop()
}
