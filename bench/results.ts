import { readFileSync } from 'node:fs'
import type { Client } from '@castellan/testing/client'

/** A measured number and its limit. */
export interface Result {
  what: string
  value: number
  unit: string
  /** Maximum or minimum. */
  limit: { most: number } | { least: number }
}

const meets = ({ value, limit }: Result) => ('most' in limit ? value <= limit.most : value >= limit.least)

/** Prints results with their limits; the process exits with 1 when one is missed. */
export function report(results: readonly Result[]): void {
  const wide = Math.max(...results.map(({ what }) => what.length)) + 2
  for (const result of results) {
    const { what, value, unit, limit } = result
    const number = value >= 100 ? value.toFixed(0) : value.toFixed(2)
    const border = 'most' in limit ? `at most ${limit.most}` : `at least ${limit.least}`
    console.log(
      `${what.padEnd(wide)}${number.padStart(10)} ${unit.padEnd(5)} limit: ${border} ${unit.padEnd(5)} ${meets(result) ? '✓' : '✗ missed'}`,
    )
  }
  if (!results.every(meets)) process.exitCode = 1
}

/** A number measured at several sizes; the limit applies to the last. */
export interface Growth {
  what: string
  unit: string
  /** By size; NaN where it was not measured. */
  values: readonly number[]
  /** Processor time of each, milliseconds: it depends less on other load of the machine than elapsed time. */
  processor?: readonly number[]
  limit: Result['limit']
}

/** Prints a table of numbers by size with their limits; the process exits with 1 when one is missed. */
export function reportGrowth(sizes: readonly number[], rows: readonly Growth[]): void {
  const short = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
  const wide = Math.max(...rows.map(({ what }) => what.length)) + 2
  console.log(' '.repeat(wide) + sizes.map((size) => size.toLocaleString('en').padStart(16)).join(''))
  for (const { what, unit, values, processor, limit } of rows) {
    const cells = values.map((value, at) => {
      const spent = processor?.[at]
      return (short(value) + (spent === undefined ? '' : ` (${short(spent)})`)).padStart(16)
    })
    const result = { what, unit, limit, value: values.at(-1) ?? Number.NaN }
    const border = 'most' in limit ? `at most ${limit.most}` : `at least ${limit.least}`
    console.log(`${what.padEnd(wide)}${cells.join('')}  ${border} ${unit} ${meets(result) ? '✓' : '✗ missed'}`)
    if (!meets(result)) process.exitCode = 1
  }
}

/** The percentile of samples for a share, e.g. 0.5 for the median. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Processor time used by a process so far, and that of its children that have ended. Milliseconds. */
export function processorTimes(pid: number): { own: number; children: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // Linux counts in hundredths of a second.
  const sum = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) * 10
  return { own: sum(11), children: sum(13) }
}

export const processorTime = (pid: number): number => processorTimes(pid).own

/** Processor time that all programs of this machine have used so far. Milliseconds. */
export function machineTime(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + soft) * 10
}

/** Processor time of a program per request, once it has answered that request for a while. Milliseconds. */
export async function processorPerRequest(client: Client, pid: number, path: string): Promise<number> {
  const repeated = 200
  // The compiler of the first question's code is still at work for a while.
  for (let at = 0; at < 300; at++) await client.request('GET', path)
  const before = processorTime(pid)
  for (let at = 0; at < repeated; at++) await client.request('GET', path)
  return (processorTime(pid) - before) / repeated
}
