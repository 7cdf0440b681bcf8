import { setTimeout as delay } from 'node:timers/promises'
import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Db } from '../../db/database.ts'
import { updateRows } from '../../db/update-rows.ts'
import type { Context } from '../module/context.ts'
import { type Attempt, isCancelled, settledOrAbandoned, tookTooLong, workerStops } from './attempt.ts'
import { lockRun } from './fence.ts'
import { GroupCommit } from './group-commit.ts'
import { countEnded, type ItemTarget, insertItems, type NewItem, type Progress, progressOf } from './item-rows.ts'
import { type ConcurrencyKey, releaseUnitKeys, takeKeys } from './keys.ts'
import type { EachItem, JobItem } from './kinds.ts'
import { errorCodeOf, ItemSkipped, type ItemState, messageOf } from './states.ts'
import type { JobItemRow } from './tables.ts'
import { jobItemTable } from './tables.ts'

/** Items that are read at a time, and looked at when the first ones wait for their keys. */
const pageSize = 200
/** How ends of items wait for each other, when many are under way: milliseconds, and how many are enough. */
const endsTogether = { ms: 50, most: 8 }
/** How long items wait for keys that another worker holds before they ask again. Milliseconds. */
const askAgainAfter = 500

interface PendingItem {
  id: string
  position: number
  target: ItemTarget
  payload: unknown
  reached: unknown
  attempts: number
  keys: readonly ConcurrencyKey[]
}

interface ItemEnd {
  state: ItemState
  code?: string
  error?: string
}

type EndedItem = ItemEnd & { item: PendingItem }

const parsed = (text: unknown) => (text === null || text === undefined ? undefined : JSON.parse(String(text)))

/** Works on the items of one attempt. */
export class ItemWork {
  readonly #run: Attempt
  readonly #commits: GroupCommit<EndedItem>
  /** Items that are under way. */
  #underWay = 0

  constructor(run: Attempt) {
    this.#run = run
    this.#commits = new GroupCommit<EndedItem>(
      (work) => run.owned(work),
      (db, ends) => this.#storeEnds(db, ends),
      { ms: endsTogether.ms, enough: () => Math.min(endsTogether.most, this.#underWay) },
    )
  }

  async #progress(): Promise<Progress | undefined> {
    const { services, fence } = this.#run
    const row = await services.database.reader
      .selectFrom('kernel_job')
      .select(['items_total', 'items_done', 'items_failed'])
      .where('id', '=', fence.id)
      .executeTakeFirst()
    return row && progressOf(row)
  }

  async plan(make: () => Promise<readonly NewItem[]>): Promise<void> {
    if (await this.#progress()) return
    const items = await make()
    const { id } = this.#run.fence
    await this.#run.owned(async (db) => {
      await insertItems(db, id, items)
      await db
        .updateTable('kernel_job')
        .set({ items_total: items.length, items_done: 0, items_failed: 0 })
        .where('id', '=', id)
        .execute()
    })
  }

  async each<P, C>(options: EachItem<P>, work: (item: JobItem<P, C>) => Promise<void>): Promise<Progress> {
    const { stopping } = this.#run
    const running = new Set<Promise<void>>()
    const waiting = new WaitingItems(this.#run, options as EachItem<unknown>)
    let failure: { error: unknown } | undefined
    while (!stopping.aborted && !failure) {
      await waiting.fill()
      const free = options.concurrency - running.size
      const begun = free > 0 && waiting.items.length > 0 ? await this.#begin(waiting, free) : []
      for (const item of begun) {
        const over: Promise<void> = this.#do(item, options, work as (item: JobItem) => Promise<void>)
          .catch((error) => {
            failure ??= { error }
          })
          .finally(() => {
            running.delete(over)
            this.#underWay--
          })
        running.add(over)
        this.#underWay++
      }
      if (running.size === 0 && waiting.items.length === 0) break
      // All of a free place's candidates wait for keys that others hold.
      const isBlocked = running.size < options.concurrency && waiting.items.length > 0
      await this.#somethingHappens([...running], isBlocked ? askAgainAfter : undefined)
    }
    await Promise.all(running)
    if (failure) throw failure.error
    stopping.throwIfAborted()
    return (await this.#progress()) ?? { total: 0, done: 0, failed: 0 }
  }

  async #somethingHappens(running: readonly Promise<void>[], ms: number | undefined): Promise<void> {
    const over = new AbortController()
    const asked = ms === undefined ? [] : [delay(ms, undefined, { signal: over.signal }).catch(() => undefined)]
    const stopped = new Promise<void>((resolve) => {
      const { stopping } = this.#run
      if (stopping.aborted) resolve()
      else stopping.addEventListener('abort', () => resolve(), { once: true, signal: over.signal })
    })
    await Promise.race([...running, ...asked, stopped])
    over.abort()
  }

  /** Gives the first waiting items their keys and notes that they are under way, before anything is done to a target. */
  async #begin(waiting: WaitingItems, free: number): Promise<PendingItem[]> {
    const { fence, services } = this.#run
    const begun = await this.#commits.run(async (db) => {
      const now = Date.now()
      const units = waiting.items.map(({ id, keys }) => ({ id, jobId: fence.id, keys }))
      const granted = await takeKeys(db, services.database.dialect, units, { now, most: free })
      const chosen = waiting.items.filter(({ id }) => granted.has(id))
      if (chosen.length > 0)
        await db
          .updateTable('kernel_job_item')
          .set((eb) => ({ state: 'RUNNING', attempts: eb('attempts', '+', 1), date_start: now }))
          .where('job_id', '=', fence.id)
          .where(
            'id',
            'in',
            chosen.map(({ id }) => id),
          )
          .execute()
      return chosen
    })
    waiting.remove(begun)
    return begun
  }

  async #do<P>(item: PendingItem, { timeout }: EachItem<P>, work: (item: JobItem) => Promise<void>): Promise<void> {
    const { kind, times } = this.#run
    const run = this.#run.signalFor(kind.itemDelivery)
    const limit = new AbortController()
    const timer = timeout === undefined ? undefined : setTimeout(() => limit.abort(), timeout)
    const signal = AbortSignal.any([run, limit.signal])
    const ending = AbortSignal.any([this.#run.ending, limit.signal])
    const given: JobItem = {
      id: item.id,
      target: item.target,
      payload: item.payload,
      attempt: item.attempts + 1,
      reached: item.reached,
      signal,
      checkpoint: (value, ctx) => this.#checkpoint(item, value, ctx),
    }
    let end: ItemEnd | undefined
    try {
      // An attempt that stalled since then has been taken over.
      this.#run.assertAlive()
      await settledOrAbandoned(work(given), ending, times)
      end = { state: 'SUCCESS' }
    } catch (error) {
      end = this.#endOf(error, run, limit.signal.aborted)
    } finally {
      clearTimeout(timer)
    }
    // Without an end the item stays RUNNING; the end of the attempt decides.
    if (end) await this.#commits.put({ item, ...end })
  }

  #endOf(error: unknown, run: AbortSignal, isLate: boolean): ItemEnd | undefined {
    const language = this.#run.job.language ?? 'en'
    if (run.reason === isCancelled) return { state: 'CANCELED', code: 'canceled' }
    if (isLate || run.reason === tookTooLong)
      return { state: 'FAILURE', code: 'timeout', error: say(taskLogs.item_took_too_long, language as 'en') }
    // Work may look at the signal of the execution instead of the item's.
    if (run.aborted || error === workerStops) return undefined
    const state = error instanceof ItemSkipped ? 'SKIPPED' : 'FAILURE'
    return { state, code: errorCodeOf(error), error: messageOf(error) }
  }

  /** Stores how items ended, and gives their keys back. */
  async #storeEnds(db: Db, ends: readonly EndedItem[]): Promise<void> {
    const { services, fence } = this.#run
    const rows = ends.map(({ item, state, code, error }) => ({
      id: item.id,
      state,
      error_code: code ?? null,
      error: error ?? null,
      date_finished: Date.now(),
    }))
    await updateRows(db, services.database.dialect, jobItemTable, rows)
    await countEnded(db, fence.id, ends.length, ends.filter(({ state }) => state === 'FAILURE').length)
    const holders = ends.filter(({ item }) => item.keys.length > 0).map(({ item }) => item.id)
    if (holders.length > 0) await releaseUnitKeys(db, fence.id, holders)
  }

  async #checkpoint(item: PendingItem, value: unknown, ctx?: Context): Promise<void> {
    const { services, fence } = this.#run
    const store = async (db: Db) => {
      await db
        .updateTable('kernel_job_item')
        .set({ checkpoint: JSON.stringify(value) })
        .where('id', '=', item.id)
        .where('state', '=', 'RUNNING')
        .execute()
    }
    if (!ctx?.inTransaction) return this.#commits.run(store)
    const { dialect } = services.database
    await lockRun(ctx.rawDb, dialect, fence)
    await store(ctx.rawDb)
  }
}

/** Items that have not begun, a page at a time, so that many of them cost no memory. */
class WaitingItems {
  items: PendingItem[] = []
  readonly #run: Attempt
  readonly #options: EachItem<unknown>
  #next = 0
  #isRead = false

  constructor(run: Attempt, options: EachItem<unknown>) {
    this.#run = run
    this.#options = options
  }

  remove(begun: readonly PendingItem[]): void {
    const gone = new Set(begun)
    this.items = this.items.filter((item) => !gone.has(item))
  }

  async fill(): Promise<void> {
    if (this.#isRead || this.items.length >= pageSize / 2) return
    const rows = await this.#run.services.database.reader
      .selectFrom('kernel_job_item')
      .selectAll()
      .$castTo<JobItemRow>()
      .where('job_id', '=', this.#run.fence.id)
      .where('state', '=', 'PENDING')
      .where('position', '>=', this.#next)
      .orderBy('position')
      .limit(pageSize)
      .execute()
    this.#isRead = rows.length < pageSize
    this.#next = Number(rows.at(-1)?.position ?? this.#next) + 1
    this.items.push(...rows.map((row) => this.#pending(row)))
  }

  #pending(row: JobItemRow): PendingItem {
    const target = { type: row.target_type, id: row.target_id, label: row.target_label }
    const payload = parsed(row.payload)
    return {
      id: row.id,
      position: Number(row.position),
      target,
      payload,
      reached: parsed(row.checkpoint),
      attempts: Number(row.attempts),
      keys: this.#keysOf({ target, payload }),
    }
  }

  /** Keys of an item beyond those of its execution. Holding some while waiting for others could wait for ever. */
  #keysOf(item: { target: ItemTarget; payload: unknown }): readonly ConcurrencyKey[] {
    const keys = this.#options.keys?.(item) ?? []
    if (keys.length > 0 && this.#run.kind.keys)
      throw new Error(`${this.#run.kind.name}: keys are stated for the job or for its items, not for both.`)
    return keys
  }
}
