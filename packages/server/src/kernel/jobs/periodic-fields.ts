import { say } from '@castellan/contract/messages'
import { scheduleMessages } from '@castellan/contract/messages/schedules'
import { boolean, type Change, computed, integer, text } from '../fields/index.ts'
import type { Context } from '../module/context.ts'
import type { Problem } from '../module/errors.ts'
import { type PeriodicFields, periodicProblems, timingFrom } from './crontab.ts'
import type { Queueable } from './queue.ts'
import { setSchedule } from './schedules.ts'

/** How a periodic run is shown in lists: `-` for one that only runs when it is started. */
function displayOf({ is_periodic, crontab, interval }: PeriodicFields, ctx: Context): string {
  if (!is_periodic) return '-'
  if (crontab) return `${say(scheduleMessages.crontab_label, ctx.language)} ( ${crontab} )`
  return interval ? `${say(scheduleMessages.interval_label, ctx.language)} ( ${interval} h )` : '-'
}

/** Fields of a resource whose rows run by a schedule of their own. Use with `checkPeriodic` and `storeSchedules`. */
export const periodicFields = {
  is_periodic: boolean({ default: true }),
  interval: integer({ default: 24, nullable: true }),
  crontab: text({ max: 128, nullable: true }),
  periodic_display: computed('field', { wire: (_value, ctx, row) => displayOf(row as object as PeriodicFields, ctx) }),
}

/** For `validate`. A body that replaces the row has to name the times itself: a default is no decision. */
export function checkPeriodic(
  changes: readonly (Pick<Change, 'input' | 'partial' | 'index'> & { row: PeriodicFields })[],
  problem: (index: number, field: keyof PeriodicFields, problem: Problem) => void,
): void {
  for (const { row, input, partial, index } of changes) {
    const { is_periodic, crontab, interval } = row
    const isNamed = (name: string) => partial || input[name] !== undefined
    const problems = periodicProblems({
      is_periodic,
      crontab: isNamed('crontab') ? crontab : null,
      interval: isNamed('interval') ? interval : null,
    })
    for (const [field, text] of Object.entries(problems)) problem(index, field as keyof PeriodicFields, [text])
  }
}

/** A row that has a schedule. */
export type OwnerRow = PeriodicFields & { id: string; org_id: string; is_active?: boolean }

/**
 * For `afterSave`: sets the schedules of saved rows. Their runs act for the system in the organization of the row; a
 * row with `is_active` runs only while it is active.
 */
export async function storeSchedules<P>(
  ctx: Context,
  type: string,
  changes: readonly { row: OwnerRow }[],
  job: Queueable<P>,
  payloadOf: (id: string) => P,
): Promise<void> {
  for (const { row } of changes)
    await setSchedule(
      row.org_id ? ctx.inOrg(row.org_id) : ctx,
      { type, id: row.id },
      {
        job,
        payload: payloadOf(row.id),
        enabled: Boolean(row.is_periodic && (row.is_active ?? true)),
        creator: 'System',
        ...timingFrom(row),
      },
    )
}
