import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { batches } from '../../../db/batches.ts'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import { componentOf } from '../components/component.ts'

/** Component types whose sessions can be watched from a browser. */
const watchable = new Set(['koko', 'lion'])

/** How long after its end a session still accepts reports, such as those a gateway buffered during an outage. Days. */
const reportDays = 30

export type Joinable = { is_finished: boolean; login_from: string; type: string }

export function canJoin(row: Joinable, componentType: string | undefined): boolean {
  return !row.is_finished && row.login_from !== 'RT' && row.type === 'normal' && watchable.has(componentType ?? '')
}

export interface KnownComponent {
  id: string
  name: string
  type: string
  is_deleted: boolean
}

/** Components of sessions, including removed ones, loaded once per request. */
export async function componentsOf(ctx: Context): Promise<Map<string, KnownComponent>> {
  return ctx.once('terminal components by id', async () => {
    const rows = await ctx.rawDb.selectFrom('terminal_terminal').select(['id', 'name', 'type', 'is_deleted']).execute()
    return new Map(
      rows.map((row) => [row.id as string, { ...row, is_deleted: Boolean(row.is_deleted) } as KnownComponent]),
    )
  })
}

export type Reported = { terminal_id: string | null; is_finished: boolean; date_end: number | null }

/** Why the calling component may not report on a session; undefined when it may. */
async function refusal(ctx: Context, row: Reported) {
  const own = await componentOf(ctx)
  // A component that was removed must register again, and may then complete the reports of its old sessions.
  const left = row.terminal_id === null || (await componentsOf(ctx)).get(row.terminal_id)?.is_deleted === true
  if (!own || (row.terminal_id !== own.id && !left)) return texts.session_of_other
  if (row.is_finished && Number(row.date_end) < ctx.now - reportDays * 86_400_000) return texts.session_long_over
  return undefined
}

/** Throws 403 unless the session belongs to the calling component and still accepts reports. */
export async function demandOwnSession(ctx: Context, row: Reported): Promise<void> {
  const reason = await refusal(ctx, row)
  if (reason) throw permissionDenied(say(reason, { days: reportDays }))
}

/** The data against which reports on a session are checked. */
export interface ReportedSession {
  id: string
  org_id: string
  date_start: number
  date_end: number | null
}

/** Those of the named sessions that the calling component may report on, by id. */
export async function reportableSessions(
  ctx: Context,
  named: readonly unknown[],
): Promise<Map<string, ReportedSession>> {
  const ids = new Set(named.flatMap((id) => normalUuid(id) ?? []))
  const found = new Map<string, ReportedSession>()
  for (const some of batches([...ids]))
    for (const row of await ctx.acrossOrganizations
      .selectFrom('terminal_session')
      .select(['id', 'org_id', 'terminal_id', 'date_start', 'date_end', 'is_finished'])
      .where('id', 'in', some)
      .execute())
      if ((await refusal(ctx, row)) === undefined)
        found.set(row.id, {
          id: row.id,
          org_id: row.org_id,
          date_start: Number(row.date_start),
          date_end: row.date_end === null ? null : Number(row.date_end),
        })
  return found
}
