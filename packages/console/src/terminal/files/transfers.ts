/** Uploads and downloads of a file pane: a few at a time, with progress, pause, resume and cancel. */

export type TransferState = 'waiting' | 'running' | 'paused' | 'conflict' | 'failed' | 'done' | 'cancelled'

export interface TransferJob {
  direction: 'up' | 'down'
  name: string
  /** Bytes; the server may correct it later. */
  size: number
  /** Opens the transfer or asks for its offset. @returns transferred bytes, or `done` */
  begin(signal: AbortSignal): Promise<{ offset: number; done: boolean }>
  /** Transfers one piece. @returns the new offset */
  step(offset: number, signal: AbortSignal): Promise<{ offset: number; done: boolean; size?: number }>
  /** Called once after the last piece. */
  finish(): Promise<void>
  /** Discards the transfer; a partial file is removed. */
  abandon(): Promise<void>
}

export interface Transfer {
  id: number
  direction: 'up' | 'down'
  name: string
  size: number
  offset: number
  state: TransferState
  /** Bytes per second, over the last pieces. */
  speed: number
  error: string
}

/** How the queue reacts to an error: retry automatically, ask the server for the offset, ask the user, or fail. */
export type Verdict = 'again' | 'resync' | 'conflict' | 'fail'

interface Entry {
  shown: Transfer
  job: TransferJob
  abort: AbortController
  tries: number
}

const tries = 4

export class TransferQueue {
  readonly #entries: Entry[] = []
  readonly #parallel: number
  readonly #judge: (error: unknown) => Verdict
  readonly #words: (error: unknown) => string
  readonly #pause: (milliseconds: number) => Promise<void>
  readonly #listeners = new Set<() => void>()
  #number = 0
  #list: readonly Transfer[] = []
  /** Called after a successful transfer. */
  onDone: (transfer: Transfer) => void = () => undefined

  /**
   * @param judge classifies an error; @param words its message; @param pause delay before a retry, replaceable for
   * tests
   */
  constructor(judge: (error: unknown) => Verdict, words: (error: unknown) => string, parallel = 2, pause = wait) {
    this.#judge = judge
    this.#words = words
    this.#parallel = parallel
    this.#pause = pause
  }

  /** The current transfers, newest first; a new array after every change. */
  readonly list = (): readonly Transfer[] => this.#list

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(job: TransferJob): number {
    const shown: Transfer = {
      id: ++this.#number,
      direction: job.direction,
      name: job.name,
      size: job.size,
      offset: 0,
      state: 'waiting',
      speed: 0,
      error: '',
    }
    this.#entries.unshift({ shown, job, abort: new AbortController(), tries: 0 })
    this.#changed()
    this.#fill()
    return shown.id
  }

  pause(id: number) {
    const entry = this.#find(id)
    if (!entry || (entry.shown.state !== 'running' && entry.shown.state !== 'waiting')) return
    entry.shown.state = 'paused'
    entry.abort.abort()
    this.#changed()
    this.#fill()
  }

  /** Continues after a pause or failure, from the server's offset. */
  resume(id: number) {
    const entry = this.#find(id)
    if (!entry || !['paused', 'failed', 'conflict'].includes(entry.shown.state)) return
    entry.shown.state = 'waiting'
    entry.shown.error = ''
    entry.tries = 0
    entry.abort = new AbortController()
    this.#changed()
    this.#fill()
  }

  cancel(id: number) {
    const entry = this.#find(id)
    if (!entry || entry.shown.state === 'done' || entry.shown.state === 'cancelled') return
    entry.shown.state = 'cancelled'
    entry.abort.abort()
    entry.job.abandon().catch(() => undefined)
    this.#changed()
    this.#fill()
  }

  cancelAll() {
    for (const { shown } of [...this.#entries]) this.cancel(shown.id)
  }

  clearEnded() {
    const remaining = this.#entries.filter(({ shown }) => shown.state !== 'done' && shown.state !== 'cancelled')
    this.#entries.splice(0, this.#entries.length, ...remaining)
    this.#changed()
  }

  get active(): number {
    return this.#entries.filter(({ shown }) => shown.state === 'running' || shown.state === 'waiting').length
  }

  #find(id: number) {
    return this.#entries.find(({ shown }) => shown.id === id)
  }

  #changed() {
    this.#list = this.#entries.map(({ shown }) => ({ ...shown }))
    for (const listener of this.#listeners) listener()
  }

  #fill() {
    let running = this.#entries.filter(({ shown }) => shown.state === 'running').length
    for (const entry of [...this.#entries].reverse()) {
      if (running >= this.#parallel) return
      if (entry.shown.state !== 'waiting') continue
      running++
      entry.shown.state = 'running'
      this.#changed()
      void this.#run(entry)
    }
  }

  async #run(entry: Entry) {
    const { shown, job, abort } = entry
    // A pause replaces the controller of the entry; callbacks with the old one are ignored.
    const current = () => entry.abort === abort && shown.state === 'running'
    for (;;) {
      try {
        await this.#move(entry, abort.signal, current)
        if (!current()) return
        await job.finish()
        shown.state = 'done'
        shown.speed = 0
        shown.offset = shown.size
        this.#changed()
        this.onDone({ ...shown })
        break
      } catch (error) {
        if (!current()) return
        const verdict = this.#judge(error)
        if (verdict === 'resync' && entry.tries++ < tries) continue
        if (verdict === 'again' && entry.tries++ < tries) {
          await this.#pause(500 * 2 ** entry.tries)
          if (!current()) return
          continue
        }
        shown.state = verdict === 'conflict' ? 'conflict' : 'failed'
        shown.error = verdict === 'conflict' ? '' : this.#words(error)
        shown.speed = 0
        this.#changed()
        break
      }
    }
    this.#fill()
  }

  async #move(entry: Entry, signal: AbortSignal, current: () => boolean) {
    const { shown, job } = entry
    let at = await job.begin(signal)
    shown.offset = at.offset
    this.#changed()
    while (!at.done && current()) {
      const from = at.offset
      const begun = performance.now()
      const next = await job.step(from, signal)
      const seconds = Math.max(0.001, (performance.now() - begun) / 1000)
      const speed = (next.offset - from) / seconds
      if (!current()) return
      shown.speed = shown.speed ? shown.speed * 0.7 + speed * 0.3 : speed
      shown.offset = next.offset
      if (next.size !== undefined) shown.size = next.size
      entry.tries = 0
      at = next
      this.#changed()
    }
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
