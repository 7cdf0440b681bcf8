import type { Db, DialectName } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/locks.ts'
import type { JobKeyRow } from './tables.ts'

/** What must not be worked on by more than `limit` jobs or items at once, wherever they run. One unless it is said. */
export type ConcurrencyKey = string | { readonly key: string; readonly limit: number }

/** A job or an item that needs keys. Units that waited longer come first. */
export interface Unit {
  readonly id: string
  readonly jobId: string
  readonly keys: readonly ConcurrencyKey[]
}

/** Bounds beside the keys. */
interface TakingTurns {
  /** Asked right before a unit would get its keys: false leaves it out. */
  mayTake?(unit: Unit): boolean
  took?(unit: Unit): void
}

/** How long a waiting unit keeps younger ones back after it last asked. Milliseconds. */
const waitsFor = 10_000
/** How often a waiting unit confirms that it still waits. Milliseconds. */
const asksEvery = 3000
/** Waiting units of one caller that are noted; the others of the same caller come behind them by themselves. */
const mostNoted = 20

const nameOf = (key: ConcurrencyKey) => (typeof key === 'string' ? key : key.key)
const limitOf = (key: ConcurrencyKey) => (typeof key === 'string' ? 1 : key.limit)

/**
 * Gives units all of their keys or none. No unit waits while holding keys, so there is no deadlock. A unit that does not
 * get its keys is queued, and later ones that need one of them wait behind it, so that none starves.
 * @returns the ids of at most `most` units that hold their keys now
 */
export async function takeKeys(
  db: Db,
  dialect: DialectName,
  units: readonly Unit[],
  { now, most, mayTake, took }: { now: number; most: number } & TakingTurns,
): Promise<Set<string>> {
  const granted = new Set<string>()
  const names = [...new Set(units.flatMap(({ keys }) => keys.map(nameOf)))]
  const state = new KeyState(names.length > 0 ? await keyRows(db, dialect, names, now) : [])
  let noted = 0
  // Units that are noted already keep their place; new ones queue behind them.
  for (const unit of units.toSorted((a, b) => state.since(a) - state.since(b))) {
    if (granted.size === most) break
    if (mayTake?.(unit) === false) continue
    const isFree = state.isFreeFor(unit)
    if (isFree) {
      granted.add(unit.id)
      took?.(unit)
    } else if (noted++ >= mostNoted) continue
    if (unit.keys.length > 0) await store(db, unit, isFree, state.known(unit), now)
    state.add(unit, isFree, now)
  }
  return granted
}

async function keyRows(db: Db, dialect: DialectName, names: readonly string[], now: number): Promise<JobKeyRow[]> {
  await lockUntilCommit(db, dialect, 'job-keys')
  return db
    .selectFrom('kernel_job_key')
    .selectAll()
    .$castTo<JobKeyRow>()
    .where('key', 'in', [...names])
    .where((eb) => eb.or([eb('held', '=', true), eb('date_asked', '>', now - waitsFor)]))
    .execute()
}

async function store(
  db: Db,
  unit: Unit,
  held: boolean,
  known: { date_asked: unknown } | undefined,
  now: number,
): Promise<void> {
  if (!held && known && Number(known.date_asked) > now - asksEvery) return
  if (known) {
    await db
      .updateTable('kernel_job_key')
      .set({ held, date_asked: now })
      .where('job_id', '=', unit.jobId)
      .where('unit_id', '=', unit.id)
      .execute()
    return
  }
  await releaseUnitKeys(db, unit.jobId, [unit.id])
  const rows = [...new Set(unit.keys.map(nameOf))].sort().map((key) => ({
    key,
    unit_id: unit.id,
    job_id: unit.jobId,
    held,
    date_created: now,
    date_asked: now,
  }))
  await db.insertInto('kernel_job_key').values(rows).execute()
}

/** Who holds and who waits for keys, in the order in which they came. */
class KeyState {
  readonly #rows: { key: string; unit_id: string; held: boolean; date_created: unknown; date_asked: unknown }[]

  constructor(rows: readonly JobKeyRow[]) {
    this.#rows = rows.map(({ key, unit_id, held, date_created, date_asked }) => ({
      key,
      unit_id,
      held: Boolean(held),
      date_created,
      date_asked,
    }))
  }

  known(unit: Unit): { date_asked: unknown; date_created: unknown } | undefined {
    return this.#rows.find((row) => row.unit_id === unit.id)
  }

  since(unit: Unit): number {
    return Number(this.known(unit)?.date_created ?? Number.MAX_SAFE_INTEGER)
  }

  isFreeFor(unit: Unit): boolean {
    const since = this.since(unit)
    // Of those that came at the same moment one is first for everybody, or each would wait for the other.
    const isBefore = ({ date_created, unit_id }: { date_created: unknown; unit_id: string }) =>
      Number(date_created) < since || (Number(date_created) === since && unit_id < unit.id)
    return unit.keys.every((key) => {
      const ahead = this.#rows.filter(
        (row) => row.key === nameOf(key) && row.unit_id !== unit.id && (row.held || isBefore(row)),
      )
      return ahead.length < limitOf(key)
    })
  }

  add(unit: Unit, held: boolean, now: number): void {
    const known = this.#rows.filter((row) => row.unit_id === unit.id)
    for (const row of known) row.held = held
    if (known.length === 0)
      for (const key of unit.keys)
        this.#rows.push({ key: nameOf(key), unit_id: unit.id, held, date_created: now, date_asked: now })
  }
}

/** Frees the keys of some units of an execution, held or requested. */
export async function releaseUnitKeys(db: Db, jobId: string, unitIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('kernel_job_key')
    .where('job_id', '=', jobId)
    .where('unit_id', 'in', [...unitIds])
    .execute()
}

/** Frees every key of an execution and of its items: in the transaction that ends the attempt. */
export async function releaseJobKeys(db: Db, jobId: string): Promise<void> {
  await db.deleteFrom('kernel_job_key').where('job_id', '=', jobId).execute()
}
