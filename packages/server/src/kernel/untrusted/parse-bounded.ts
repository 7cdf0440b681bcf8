import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Language } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { ApiError, failure, text } from '../module/errors.ts'
import type { Task, Told } from './parser-thread.ts'

/** What a parser may take. */
export interface ParseBounds {
  /** Time of the parser itself. Milliseconds. */
  readonly milliseconds: number
  /** Memory of its thread. Mebibytes. */
  readonly megabytes: number
  /** Parsers that take long wait for each other and not in the way of short ones. */
  readonly lane: 'short' | 'long'
}

/** Documents that are parsed at the same time. One user has all threads but one. */
const threadsOf = { short: 3, long: 3 } as const
/** Documents of one user that may wait. */
const mostWaiting = 16
/** How long a thread may take to load a parser, and how long one without work is kept. Milliseconds. */
const longestStart = 60_000
const keptFor = 60_000

interface Waiting {
  readonly who: string
  readonly task: Task
  readonly bounds: ParseBounds
  settle(found: unknown): void
  fail(error: unknown): void
}

const tooHard = () => failure(400, 'too_hard_to_read', text(errors.too_hard_to_read))
const tooMany = () => failure(429, 'throttled', text(errors.too_many_documents), { 'retry-after': '5' })

/** Whether an error says that a document took too much time, memory or depth. */
export const isTooHard = (error: unknown): boolean => error instanceof ApiError && error.message === 'too_hard_to_read'

/** A thread, and what it is doing. Where it does too much it is ended, and another one takes its place. */
class Thread {
  readonly megabytes: number
  readonly #worker: Worker
  #current: { work: Waiting; timer: NodeJS.Timeout } | undefined
  #idle: NodeJS.Timeout | undefined
  readonly #free: () => void
  isGone = false

  constructor(megabytes: number, free: () => void) {
    this.megabytes = megabytes
    this.#free = free
    this.#worker = new Worker(join(import.meta.dirname, 'parser-thread.ts'), {
      env: {},
      execArgv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 2 },
    })
    this.#worker.on('message', (told: Told) => this.#hear(told))
    // Its memory, mostly.
    this.#worker.on('error', () => this.#end(tooHard()))
    this.#worker.on('exit', () => this.#end(tooHard()))
    this.#worker.unref()
  }

  get who(): string | undefined {
    return this.#current?.work.who
  }

  get isFree(): boolean {
    return !this.#current && !this.isGone
  }

  take(work: Waiting): void {
    clearTimeout(this.#idle)
    this.#worker.ref()
    this.#current = { work, timer: setTimeout(() => this.#end(tooHard()), longestStart) }
    this.#worker.postMessage(work.task)
  }

  #hear(told: Told): void {
    const current = this.#current
    if (!current) return
    if (told.state === 'begun') {
      clearTimeout(current.timer)
      current.timer = setTimeout(() => this.#end(tooHard()), current.work.bounds.milliseconds)
      return
    }
    this.#settled()
    if (told.state === 'found') current.work.settle(told.found)
    else if (told.state === 'refused') {
      const { status, summary, bodies } = told.error
      current.work.fail(new ApiError(status, summary, (language: Language) => bodies[language]))
    } else current.work.fail(told.isDeep ? tooHard() : new Error(told.reason))
    this.#idle = setTimeout(() => this.#end(undefined), keptFor).unref()
    this.#free()
  }

  #settled(): void {
    clearTimeout(this.#current?.timer)
    this.#current = undefined
    this.#worker.unref()
  }

  #end(reason: unknown): void {
    if (this.isGone) return
    this.isGone = true
    const work = this.#current?.work
    this.#settled()
    void this.#worker.terminate()
    work?.fail(reason)
    this.#free()
  }
}

/** Threads of one lane, and who waits for them: each user in turn. */
class Lane {
  readonly #most: number
  #threads: Thread[] = []
  #waiting: Waiting[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** @throws 429 when too many documents of the same user wait */
  add(work: Waiting): void {
    if (this.#waiting.filter(({ who }) => who === work.who).length >= mostWaiting) throw tooMany()
    this.#waiting.push(work)
    this.#next()
  }

  readonly #next = (): void => {
    this.#threads = this.#threads.filter((thread) => !thread.isGone)
    while (this.#waiting.length > 0) {
      const busy = this.#threads.filter((thread) => !thread.isFree)
      if (busy.length >= this.#most) return
      const shareOf = (who: string) => busy.filter((thread) => thread.who === who).length
      // Who has fewest in work is next, and the last thread is for somebody else.
      const next = this.#waiting.toSorted((one, other) => shareOf(one.who) - shareOf(other.who))[0]
      if (!next || shareOf(next.who) >= Math.max(1, this.#most - 1)) return
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      const free = this.#threads.find((thread) => thread.isFree && thread.megabytes === next.bounds.megabytes)
      const thread = free ?? new Thread(next.bounds.megabytes, this.#next)
      if (!free) this.#threads.push(thread)
      thread.take(next)
    }
  }
}

// They hold nothing of an installation.
const lanes = { short: new Lane(threadsOf.short), long: new Lane(threadsOf.long) }

type Parsed<F extends (...given: never[]) => unknown> = (
  who: string,
  ...given: Parameters<F>
) => Promise<Awaited<ReturnType<F>>>

/**
 * A parser of documents that users send. It runs in a thread, with limits of time and memory, so that others are answered
 * meanwhile; call it outside of transactions. Who asks is named, because each user has a turn; `''` for the program itself.
 * Parsers are listed in `scripts/gates/untrusted-parsers.ts`.
 * @param file of the module that exports the function `name`, which takes and returns plain values
 * @throws ApiError what the parser throws, 400 `too_hard_to_read` beyond a limit, 429; Error for other failures
 */
export function boundedParser<F extends (...given: never[]) => unknown>(
  file: string,
  name: string,
  bounds: ParseBounds,
): Parsed<F> {
  const module = pathToFileURL(file).href
  return (who, ...given) =>
    new Promise((resolve, reject) => {
      const settle = (found: unknown) => resolve(found as Awaited<ReturnType<F>>)
      try {
        lanes[bounds.lane].add({ who, bounds, settle, fail: reject, task: { module, name, given } })
      } catch (error) {
        reject(error)
      }
    })
}
