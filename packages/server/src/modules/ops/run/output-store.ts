import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Db } from '../../../db/database.ts'
import type { TableShape } from '../../../db/schema.ts'
import { jobLogged } from '../../../kernel/jobs/queue.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { PrintableOutput } from './printable-output.ts'

/** What hosts printed, in consecutive parts; the last part of a host says how its command ended. */
export const outputTable = {
  name: 'ops_executionoutput',
  columns: {
    id: { type: 'serial' },
    execution_id: { type: 'uuid' },
    asset_id: { type: 'uuid' },
    /** `out`, `err`, or `end`, whose text is JSON (`HostEnd`). */
    stream: { type: 'text' },
    text: { type: 'text' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['execution_id', 'id'], ['execution_id', 'asset_id', 'id'], ['date_created']],
} as const satisfies TableShape

/** How a command ended on one host. */
export interface HostEnd {
  /** Exit status; null when there is none. */
  rc: number | null
  /** The account that it ran as. */
  account: string
  /** Bytes that the host printed. */
  bytes: number
  /** Where the output goes on that is not in the database: in a file, which may be cut as well. */
  rest: 'none' | 'file' | 'cut'
}

interface Part {
  asset_id: string
  stream: 'out' | 'err' | 'end'
  text: string
}

/** Characters of one host's output in the database, and bytes of the file with the rest. */
export const outputLimits = { stored: 262_144, file: 10 * 1_048_576 }
/** How long parts wait for others before they are stored together; those after a silence wait less. Milliseconds. */
const batchTime = 100
const firstBatchTime = 5
/** Characters that may wait; a host that prints more waits until they are stored. */
const mostWaiting = 1_048_576
/** Characters of a host's output that stay in memory for the log. */
const longestHead = 16_384

export const outputFolder = (services: Services): string => join(services.dataDir, 'ops', 'output')

export const restPath = (services: Services, execution: string, asset: string): string =>
  join(outputFolder(services), execution.slice(0, 2), execution, `${asset}.log`)

/** A file that was fetched from a host. */
export const fetchedPath = (services: Services, execution: string, asset: string): string =>
  join(outputFolder(services), execution.slice(0, 2), execution, `${asset}.fetched`)

/** Stores the output of all hosts of one execution, few transactions for many hosts. */
export class OutputStore {
  readonly #ctx: Context
  readonly #execution: string
  #parts: Part[] = []
  #size = 0
  #timer: NodeJS.Timeout | undefined
  /** When parts were stored last. */
  #stored = 0
  #writing: Promise<void> | undefined

  constructor(ctx: Context, execution: string) {
    this.#ctx = ctx
    this.#execution = execution
  }

  host(assetId: string): HostOutput {
    return new HostOutput(this, this.#ctx.services, this.#execution, assetId)
  }

  /** Takes a part. A promise makes the writer wait. */
  put(part: Part): Promise<void> | undefined {
    this.#parts.push(part)
    this.#size += part.text.length
    const time = Date.now() - this.#stored > batchTime ? firstBatchTime : batchTime
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), time)
    return this.#size >= mostWaiting ? this.flush() : undefined
  }

  /** Stores what waits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#writing) await this.#writing
    if (this.#parts.length === 0) return
    const parts = this.#parts
    this.#parts = []
    this.#size = 0
    this.#writing = this.#ctx
      .transaction(({ rawDb }) => this.#store(rawDb, parts))
      .finally(() => {
        this.#writing = undefined
      })
    await this.#writing
  }

  async #store(db: Db, parts: readonly Part[]): Promise<void> {
    const now = Date.now()
    this.#stored = now
    const rows = parts.map((part) => ({ ...part, execution_id: this.#execution, date_created: now }))
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('ops_executionoutput')
        .values(rows.slice(at, at + 100))
        .execute()
    await this.#ctx.services.events.send(db, jobLogged, { id: this.#execution, ended: false })
  }
}

const drainOf = (file: WriteStream) =>
  new Promise<void>((resolve) => {
    const done = () => {
      file.removeListener('drain', done).removeListener('close', done)
      resolve()
    }
    file.once('drain', done).once('close', done)
  })

/** The output of one host: its beginning in the database, more of it in a file, and the rest nowhere. */
export class HostOutput {
  readonly #store: OutputStore
  readonly #path: string
  readonly #asset: string
  readonly #text = { out: new PrintableOutput(), err: new PrintableOutput() }
  #stored = 0
  #bytes = 0
  #inFile = 0
  #file: WriteStream | undefined
  #drained: Promise<void> | undefined
  #rest: HostEnd['rest'] = 'none'
  /** The beginning of the output, for the log. */
  head = ''

  constructor(store: OutputStore, services: Services, execution: string, asset: string) {
    this.#store = store
    this.#asset = asset
    this.#path = restPath(services, execution, asset)
  }

  write(chunk: Buffer, stream: 'out' | 'err'): Promise<void> | undefined {
    this.#bytes += chunk.length
    return this.#take(this.#text[stream].push(chunk), stream)
  }

  #take(text: string, stream: 'out' | 'err'): Promise<void> | undefined {
    if (text === '') return undefined
    if (this.head.length < longestHead) this.head += text.slice(0, longestHead - this.head.length)
    const room = outputLimits.stored - this.#stored
    const kept = text.slice(0, room)
    this.#stored += kept.length
    const waiting = kept === '' ? undefined : this.#store.put({ asset_id: this.#asset, stream, text: kept })
    return kept.length < text.length ? this.#toFile(text.slice(kept.length), waiting) : waiting
  }

  async #toFile(text: string, waiting: Promise<void> | undefined): Promise<void> {
    await waiting
    if (this.#rest === 'cut') return
    this.#rest = 'file'
    if (!this.#file) {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
      this.#file = createWriteStream(this.#path, { mode: 0o600 })
      // A full disk ends the file, not the command.
      this.#file.on('error', () => {
        this.#rest = 'cut'
      })
    }
    const bytes = Buffer.from(text)
    const part = bytes.subarray(0, outputLimits.file - this.#inFile)
    this.#inFile += part.length
    if (part.length < bytes.length) this.#rest = 'cut'
    const file = this.#file
    if (part.length > 0 && !file.destroyed && !file.write(part))
      this.#drained ??= drainOf(file).finally(() => {
        this.#drained = undefined
      })
    await this.#drained
  }

  /** Stores how the command ended, behind its output. */
  async end(account: string, rc: number | undefined): Promise<HostEnd> {
    for (const stream of ['out', 'err'] as const) await this.#take(this.#text[stream].end(), stream)
    if (this.#file) {
      this.#file.end()
      await finished(this.#file).catch(() => undefined)
    }
    const end: HostEnd = { rc: rc ?? null, account, bytes: this.#bytes, rest: this.#rest }
    await this.#store.put({ asset_id: this.#asset, stream: 'end', text: JSON.stringify(end) })
    return end
  }
}
