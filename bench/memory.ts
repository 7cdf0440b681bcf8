import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** Shared pages by parts. A mapped database is a cache of the system's, which it takes back at any time. KiB. */
function occupied(pid: number): number {
  let sum = 0
  let isCache = false
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isCache = line.endsWith('.db')
    else if (!isCache && line.startsWith('Pss:')) sum += Number(/\d+/.exec(line)?.[0] ?? 0)
  }
  return sum
}

/** What a process and those it started occupy. MiB. */
export function memoryOf(root: number): number {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const [, parent] = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      parents.set(Number(entry), Number(parent))
    } catch {
      // It has ended.
    }
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0))
  let sum = 0
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue
    try {
      sum += occupied(pid)
    } catch {
      // It has ended.
    }
  }
  return sum / 1024
}

export interface Measured {
  seconds: number
  /** The most that was occupied. MiB. */
  memory: number
}

/** How long work takes, and how much a process and its children occupy meanwhile. */
export async function measured(pid: () => number, work: () => Promise<unknown>): Promise<Measured> {
  const begin = performance.now()
  let memory = 0
  let isDone = false
  const watched = (async () => {
    while (!isDone) {
      memory = Math.max(memory, memoryOf(pid()))
      await delay(500)
    }
  })()
  try {
    await work()
  } finally {
    isDone = true
  }
  const seconds = (performance.now() - begin) / 1000
  await watched
  return { seconds, memory }
}
