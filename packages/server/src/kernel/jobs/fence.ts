import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db, DialectName, Tables } from '../../db/database.ts'
import type { JobRow } from './tables.ts'

/** Identifies one attempt at one execution: only it may write while the row names it. */
export interface Fence {
  readonly id: string
  /** Unique per start of a worker: process ids repeat. */
  readonly worker: string
  readonly attempt: number
}

/** The execution was taken over, ended or removed. Nothing of this attempt is stored any more. */
export class RunLost extends Error {
  override readonly name = 'RunLost'
}

/** The condition under which an attempt may still write. */
export const isHeldBy =
  ({ id, worker, attempt }: Fence) =>
  (eb: ExpressionBuilder<Tables, 'kernel_job'>): Expression<SqlBool> =>
    eb.and({ id, worker, attempts: attempt, state: 'RUNNING' })

/** Locks a row of `kernel_job` until the transaction ends, if it still fulfils the condition. */
export async function lockJob(
  db: Db,
  dialect: DialectName,
  condition: (eb: ExpressionBuilder<Tables, 'kernel_job'>) => Expression<SqlBool>,
): Promise<JobRow | undefined> {
  const query = db.selectFrom('kernel_job').selectAll().$castTo<JobRow>().where(condition)
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

/** Locks the execution of an attempt until the transaction ends. @throws RunLost when the attempt may not write any more */
export async function lockRun(db: Db, dialect: DialectName, fence: Fence): Promise<JobRow> {
  const row = await lockJob(db, dialect, isHeldBy(fence))
  if (!row) throw new RunLost('Another worker continues this execution, or it has ended.')
  return row
}
