import type { Context } from '../../../kernel/module/context.ts'

/** Unfinished sessions of each component, in all organizations; loaded once per request. */
export function onlineSessions(ctx: Context): Promise<Map<string, number>> {
  return ctx.once('terminal online sessions', async () => {
    const rows = await ctx.acrossOrganizations
      .selectFrom('terminal_session')
      .select((eb) => ['terminal_id', eb.fn.countAll().as('amount')])
      .where('is_finished', '=', false)
      .groupBy('terminal_id')
      .execute()
    return new Map(rows.map(({ terminal_id, amount }) => [String(terminal_id), Number(amount)]))
  })
}
