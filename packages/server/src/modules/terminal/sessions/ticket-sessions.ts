import { batches } from '../../../db/batches.ts'
import { defineEvent } from '../../../kernel/events/events.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { definePort } from '../../../kernel/module/hooks.ts'

/** Those of the sessions that a user may watch and control as an assignee of their ticket. */
export const ticketSessions =
  definePort<(ctx: Context, userId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>>(
    'terminal.ticket-sessions',
  )

/** An approval was decided for which a component may be waiting. */
export const approvalDecided = defineEvent<object>('terminal.approvals.decided')

/** Those of the sessions that are running, in any organization. */
export async function runningSessions(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of batches([...new Set(ids)])) {
    const rows = await ctx.acrossOrganizations
      .selectFrom('terminal_session')
      .select('id')
      .where('id', 'in', some)
      .where('is_finished', '=', false)
      .execute()
    for (const { id } of rows) found.add(String(id))
  }
  return found
}
