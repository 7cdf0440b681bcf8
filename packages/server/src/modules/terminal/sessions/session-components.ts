import type { Context } from '../../../kernel/context.ts'
import { permissionDenied } from '../../../kernel/errors.ts'
import type { AnyRow } from '../../../kernel/fields/field.ts'
import { componentOf } from '../components/component.ts'
import { livingBeats } from '../components/heartbeat.ts'

/** Components whose sessions can be watched from a browser. */
const watchable = new Set(['koko', 'lion'])

export function canJoin(row: AnyRow, componentType: string | undefined): boolean {
  return !row.is_finished && row.login_from !== 'RT' && row.type === 'normal' && watchable.has(componentType ?? '')
}

/** Components of sessions, removed ones included, asked once per request. */
export async function componentsOf(ctx: Context): Promise<Map<string, { id: string; name: string; type: string }>> {
  return ctx.once('terminal components by id', async () => {
    const rows = await ctx.unscoped.selectFrom('terminal_terminal').select(['id', 'name', 'type']).execute()
    return new Map(rows.map((row) => [row.id as string, row as { id: string; name: string; type: string }]))
  })
}

/**
 * A component reports on its own sessions, and on those whose component is gone: one that had to register anew
 * finishes what it had left. Throws 403 for any other; people are judged by their permissions alone.
 */
export async function demandOwnSession(ctx: Context, row: AnyRow): Promise<void> {
  if (!ctx.caller?.isServiceAccount) return
  const own = await componentOf(ctx)
  if (!own || (row.terminal_id !== own.id && (await livingBeats(ctx)).has(row.terminal_id))) throw permissionDenied()
}
