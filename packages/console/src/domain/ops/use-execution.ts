/** An execution as it goes: its state, its hosts, and what each of them prints. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { openSocket } from '../../kit/api/socket.ts'
import type { Row } from '../../kit/row.ts'

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
  /** How long it had taken at the time `since`, Unix milliseconds. */
  seconds: number
  since: number
  jobId: string | null
  /** `adhoc`, `playbook`, `upload` or `fetch`; empty until it is known. */
  type: string
  /** Why nothing ran, or what went wrong beside the hosts. */
  error: string
  hosts: readonly Host[]
  /** The connection to the server is interrupted; it is tried again. */
  isLost: boolean
}

/** A host as the socket tells of it. Unix milliseconds. */
interface ToldHost {
  asset: string
  name: string
  status: { value: HostStatus; label: string }
  error: string | null
  date_start: number | null
  date_finished: number | null
}
type Told =
  | { event: 'hosts'; hosts: readonly ToldHost[] }
  | { event: 'output'; position: number; parts: readonly { asset: string; stream: string; text: string }[] }
  | { event: 'end'; status: string }
  | { event: 'denied' }

const socketPath = '/ws/ops/job-executions/'
/** How often what has arrived is drawn. Milliseconds. */
const drawEvery = 50

const nothingPrinted = { output: '', rc: undefined, account: '', rest: 'none' } as const

const hostOf = (told: ToldHost, old: Host | undefined): Host => ({
  ...(old ?? nothingPrinted),
  id: told.asset,
  name: told.name,
  status: told.status.value,
  word: told.status.label,
  error: told.error ?? '',
  seconds:
    told.date_start === null ? undefined : Math.max(0, ((told.date_finished ?? Date.now()) - told.date_start) / 1000),
})

/** Hosts as they are told of, in the order of the execution. Only what changes gets a new object. */
class Hosts {
  readonly #hosts = new Map<string, Host>()

  tell(hosts: readonly ToldHost[]): void {
    for (const told of hosts) this.#hosts.set(told.asset, hostOf(told, this.#hosts.get(told.asset)))
  }

  /** Takes a part of the output; the last one of a host says how its command ended. */
  print({ asset, stream, text }: { asset: string; stream: string; text: string }): void {
    const old = this.#hosts.get(asset)
    if (!old) return
    const more = stream === 'end' ? (JSON.parse(text) as Partial<Host>) : { output: old.output + text }
    this.#hosts.set(asset, { ...old, ...more })
  }

  all(): readonly Host[] {
    return [...this.#hosts.values()]
  }
}

const factsOf = (row: Row): Partial<Execution> => ({
  isFinished: row.is_finished === true,
  isSuccess: row.is_success === true,
  seconds: Number(row.time_cost ?? 0),
  since: Date.now(),
  jobId: (row.job as { id?: string } | null)?.id ?? null,
  type: String(row.job_type ?? ''),
  error: String((row.summary as { error?: string } | null)?.error ?? ''),
})

/** Follows an execution over its socket: hosts and output as they arrive, and how it stands at its beginning and end. */
function follow(
  base: string,
  id: string,
  show: (change: Partial<Execution>) => void,
  onEnd: (isThere: boolean) => void,
) {
  const hosts = new Hosts()
  let position = 0
  let isOver = false
  let drawing: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    clearTimeout(drawing)
    drawing = undefined
    show({ hosts: hosts.all(), isLost: false })
  }
  const read = () =>
    call<Row>(base, { quiet: true }).then(
      (row) => show(factsOf(row)),
      (error: { status?: number }) => {
        if (error.status === 404 || error.status === 403) finish(false)
      },
    )
  const finish = (isThere: boolean) => {
    if (isOver) return
    isOver = true
    close()
    clearTimeout(drawing)
    onEnd(isThere)
  }
  void read()
  const close = openSocket(
    socketPath,
    (message) => {
      const told = message as Told
      if (isOver) return
      if (told.event === 'denied') return finish(false)
      if (told.event === 'end') {
        draw()
        // What cannot be read now has ended all the same.
        show({ isFinished: true, isSuccess: told.status === 'success' })
        void read().finally(() => finish(true))
        return
      }
      if (told.event === 'hosts') hosts.tell(told.hosts)
      else {
        for (const part of told.parts) hosts.print(part)
        position = told.position
      }
      drawing ??= setTimeout(draw, drawEvery)
    },
    (send) => {
      show({ isLost: false })
      send({ execution: id, after: position })
    },
    () => show({ isLost: true }),
  )
  return () => {
    isOver = true
    clearTimeout(drawing)
    close()
  }
}

const nothing = (id: string): Execution => ({
  id,
  isFinished: false,
  isSuccess: false,
  seconds: 0,
  since: Date.now(),
  jobId: null,
  type: '',
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
    return follow(
      `${url}${id}/`,
      id,
      (change) => setExecution((old) => old && { ...old, ...change }),
      (isThere) => {
        if (!isThere) return setMissing(true)
        // Lists of executions show how it ended.
        void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith(url) })
        return undefined
      },
    )
  }, [id, url, client])
  return { execution, missing }
}
