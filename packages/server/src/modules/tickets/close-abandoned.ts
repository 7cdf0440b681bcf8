import { defineJob } from '../../kernel/jobs/kinds.ts'
import { ApiError } from '../../kernel/module/errors.ts'
import { currentTicket, decide } from './decide.ts'
import { abandonedTickets } from './waiting.ts'

/** Closes tickets of connections and commands for which nobody waits any more. */
export const closeAbandoned = defineJob<object>({
  name: 'tickets.close-abandoned',
  delivery: 'idempotent',
  every: 60_000,
  async run(ctx) {
    for (const id of await abandonedTickets(ctx)) {
      const row = await currentTicket(ctx, id)
      if (row?.status !== 'open') continue
      const by = { id: row.applicant_id ?? '', name: '', username: '', system: true }
      await decide(ctx, id, 'close', by).catch((error: unknown) => {
        // Decided at the same moment.
        if (!(error instanceof ApiError)) throw error
      })
    }
  },
})
