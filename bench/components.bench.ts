// The pages of components with 2 and with 200 of them: processor time of what each page asks.
import { randomUUID } from 'node:crypto'
import { registerComponent, signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { processorPerRequest, report } from './results.ts'

const sizes = [2, 200] as const
const sessionsOfEach = 20
const beats = 5

const product = await startProduct()
try {
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const pid = (await product.status()).programs.server.pid ?? 0
  const measured = new Map<string, number[]>()
  let there = 0
  for (const size of sizes) {
    for (; there < size; there++) {
      const component = await registerComponent(product.url, product.bootstrapToken, `[KoKo]-${there}`)
      const sessions = Array.from({ length: sessionsOfEach }, () => randomUUID())
      for (let at = 0; at < beats; at++)
        await component.request('POST', '/api/v1/terminal/terminals/status/', {
          ...{ sessions, session_online: sessionsOfEach, cpu_load: 0.5, memory_used: 40, disk_used: 30 },
        })
    }
    const rows = await admin.collection('terminal/terminals').page({ limit: 15, offset: 0 })
    for (const [what, path] of [
      ['list, first page', 'terminals/?limit=15&offset=0'],
      ['list, last page', `terminals/?limit=15&offset=${Math.max(0, there - 15)}`],
      ['monitor', 'components/metrics/'],
      ['graphs of one component', `terminals/${rows.results[0]?.id}/loads/`],
    ] as const)
      measured.set(what, [
        ...(measured.get(what) ?? []),
        await processorPerRequest(admin, pid, `/api/v1/terminal/${path}`),
      ])
  }
  for (const [what, values] of measured) console.log(`${what}: ${values.map((ms) => ms.toFixed(2)).join(' → ')} ms`)
  report(
    [...measured].map(([what, [few = 0, many = 0]]) => ({
      what: `${what}: ${sizes[1]} components beside ${sizes[0]}`,
      value: many - few,
      unit: 'ms',
      limit: { most: 5 },
    })),
  )
} finally {
  await product.stop()
}
