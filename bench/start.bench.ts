// Time from a second `npm start` to the first healthy response, and the memory of all processes when idle.
import { readdirSync, readFileSync } from 'node:fs'
import { signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { percentile, type Result, report } from './results.ts'

const starts = 5
const settleSeconds = 20

/** Memory of a process in MB: proportional set size (shared pages divided among their users), and resident size. */
function memory(pid: number): { share: number; resident: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? Number.NaN) / 1024
  return { share: field('Pss'), resident: field('Rss') }
}

/** A process and its descendants. */
function family(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(
        readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1],
      )
      parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)])
    } catch {
      // It exited in the meantime.
    }
  }
  return [pid, ...(parents.get(pid) ?? []).flatMap(family)]
}

const healthy = async (url: string) => {
  const answer = await fetch(`${url}/api/health/`).catch(() => undefined)
  return answer?.status === 200
}

const product = await startProduct()
try {
  const times: number[] = []
  for (let at = 0; at < starts; at++) {
    await product.halt()
    const began = performance.now()
    const started = product.start()
    while (!(await healthy(product.url))) await new Promise((settle) => setTimeout(settle, 5))
    times.push(performance.now() - began)
    await started
  }
  // An unused instance has not loaded the code that answers requests.
  const client = await signIn(product.url, 'admin', product.adminPassword)
  for (const path of ['users/users', 'assets/hosts', 'perms/asset-permissions']) await client.collection(path).page()
  console.log(`Waiting ${settleSeconds} s for everything to become idle …`)
  await new Promise((settle) => setTimeout(settle, settleSeconds * 1000))

  const status = await product.status()
  const results: Result[] = [
    {
      what: `second start to first answer, median of ${starts}`,
      value: percentile(times, 0.5) / 1000,
      unit: 's',
      limit: { most: 2 },
    },
    {
      what: `second start to first answer, slowest of ${starts}`,
      value: Math.max(...times) / 1000,
      unit: 's',
      limit: { most: 2 },
    },
  ]
  if (process.platform === 'linux') {
    const programs = {
      supervisor: status.pid,
      ...Object.fromEntries(Object.entries(status.programs).map(([name, { pid }]) => [name, pid ?? 0])),
    }
    for (const [name, pid] of Object.entries(programs)) {
      const { share, resident } = memory(pid)
      console.log(
        `${name.padEnd(12)}${share.toFixed(0).padStart(5)} MB proportional, ${resident.toFixed(0)} MB resident`,
      )
    }
    const all = family(status.pid).map(memory)
    const total = (kind: 'share' | 'resident') => all.reduce((sum, one) => sum + one[kind], 0)
    console.log(
      `${'together'.padEnd(12)}${total('share').toFixed(0).padStart(5)} MB proportional, ${total('resident').toFixed(0)} MB resident (shared pages counted for each)`,
    )
    results.push({ what: 'memory of all programs when idle', value: total('share'), unit: 'MB', limit: { most: 300 } })
  }
  report(results)
} finally {
  await product.stop()
}
