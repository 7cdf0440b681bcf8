/** An execution as it goes: its state, its hosts, and what each of them prints. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { type Row, rowsIn, timestampOf } from '../../kit/row.ts'

export type HostStatus = 'pending' | 'running' | 'success' | 'failed' | 'skipped' | 'canceled' | 'lost'

/** One host of an execution. */
export interface Host {
  id: string
  name: string
  status: HostStatus
  /** The status in the language of the user. */
  word: string
  error: string
  seconds: number | undefined
  output: string
  /** Exit status; undefined until it is known, null when there is none. */
  rc: number | null | undefined
  account: string
  /** A part of the output is in a file only, or nowhere. */
  rest: 'none' | 'file' | 'cut'
}

export interface Execution {
  id: string
  isFinished: boolean
  isSuccess: boolean
  seconds: number
  jobId: string | null
  /** Why nothing ran, or what went wrong beside the hosts. */
  error: string
  hosts: readonly Host[]
  /** The connection to the server is interrupted; it is tried again. */
  isLost: boolean
}

interface Item extends Row {
  target: { id: string; name: string }
  status: { value: HostStatus; label: string }
  error: string | null
  date_start: string | null
  date_finished: string | null
}
interface Answer {
  parts: readonly { asset: string; stream: string; text: string }[]
  position: number
}
interface Printed {
  text: string
  rc?: number | null
  account?: string
  rest?: Host['rest']
}

/** How often output is asked for while hosts print, and hosts while they work. Milliseconds. */
const outputEvery = 300
const hostsEvery = 1000
const lostEvery = 3000

const secondsBetween = (start: string | null, end: string | null): number | undefined => {
  const from = timestampOf(start)?.valueOf()
  if (from === undefined) return undefined
  return Math.max(0, ((timestampOf(end)?.valueOf() ?? Date.now()) - from) / 1000)
}

/** Takes a part of the output; the last one of a host says how its command ended. */
function take(printed: Map<string, Printed>, { asset, stream, text }: Answer['parts'][number]): void {
  const old = printed.get(asset) ?? { text: '' }
  if (stream !== 'end') printed.set(asset, { ...old, text: old.text + text })
  else printed.set(asset, { ...old, ...(JSON.parse(text) as Omit<Printed, 'text'>) })
}

const hostOf = (item: Item, printed: Printed | undefined): Host => ({
  id: item.target.id,
  name: item.target.name,
  status: item.status.value,
  word: item.status.label,
  error: item.error ?? '',
  seconds: secondsBetween(item.date_start, item.date_finished),
  output: printed?.text ?? '',
  rc: printed?.rc,
  account: printed?.account ?? '',
  rest: printed?.rest ?? 'none',
})

const wait = (time: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, time)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Reads an execution until it has ended, and everything it printed. `base` is its address. */
async function follow(base: string, signal: AbortSignal, show: (change: Partial<Execution>) => void): Promise<void> {
  const printed = new Map<string, Printed>()
  let position = 0
  let items: Item[] = []
  let nextHosts = 0
  let isFinished = false
  const hosts = () => items.map((item) => hostOf(item, printed.get(item.target.id)))
  while (!signal.aborted) {
    try {
      const now = Date.now()
      const isTime = now >= nextHosts
      if (isTime) {
        // The state first: hosts and output that are read after the end are complete.
        const row = await call<Row>(base, { quiet: true })
        isFinished = row.is_finished === true
        const read = call(`${base}items/`, { quiet: true }).then((answer) => rowsIn(answer as never) as Item[])
        items = await read
        nextHosts = now + Math.max(hostsEvery, items.length)
        show({
          isFinished,
          isSuccess: row.is_success === true,
          seconds: Number(row.time_cost ?? 0),
          jobId: (row.job as { id?: string } | null)?.id ?? null,
          error: String((row.summary as { error?: string } | null)?.error ?? ''),
        })
      }
      const answer = await call<Answer>(`${base}output/?after=${position}`, { quiet: true })
      for (const part of answer.parts) take(printed, part)
      position = answer.position
      if (isTime || answer.parts.length > 0) show({ hosts: hosts(), isLost: false })
      if (answer.parts.length > 0) continue
      if (isFinished && isTime) return
      if (isFinished) nextHosts = 0
      else await wait(outputEvery, signal)
    } catch (error) {
      if ((error as { status?: number }).status === 404 || (error as { status?: number }).status === 403) throw error
      show({ isLost: true })
      await wait(lostEvery, signal)
    }
  }
}

const nothing = (id: string): Execution => ({
  id,
  isFinished: false,
  isSuccess: false,
  seconds: 0,
  jobId: null,
  error: '',
  hosts: [],
  isLost: false,
})

/** Follows an execution until it ends. `url` is the collection it is read from: one's own, or the job log. */
export function useExecution(
  id: string | undefined,
  url = '/api/v1/ops/job-executions/',
): { execution: Execution | undefined; missing: boolean } {
  const client = useQueryClient()
  const [execution, setExecution] = useState<Execution>()
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    setMissing(false)
    setExecution(id ? nothing(id) : undefined)
    if (!id) return undefined
    const leaving = new AbortController()
    follow(`${url}${id}/`, leaving.signal, (change) => {
      if (!leaving.signal.aborted) setExecution((old) => old && { ...old, ...change })
    }).then(
      () => void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith(url) }),
      () => setMissing(true),
    )
    return () => leaving.abort()
  }, [id, url, client])
  return { execution, missing }
}
