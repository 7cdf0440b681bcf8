import { errors } from '@castellan/contract/messages/errors'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { batches } from '../../../db/batches.ts'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type Problem, permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import { recordAction } from '../../../kernel/resource/changes.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { componentOf } from '../components/component.ts'
import { wasConnected } from './evidence.ts'
import type { SessionChange, SessionRow } from './session-fields.ts'

/** Maximum age of a session at its first report. Milliseconds. */
const oldest = 86_400_000

/** Facts of a session that are fixed by its first report; later reports only update its progress. */
const fixed = [
  ...(['user', 'user_id', 'asset', 'asset_id', 'account', 'account_id', 'protocol'] as const),
  ...(['type', 'login_from', 'remote_addr', 'date_start'] as const),
]
/** Flags that cannot be reset. */
const lasting = ['is_finished', 'has_replay', 'has_command'] as const

const within = (at: unknown, from: number, to: number) => Math.min(Math.max(Number(at), from), to)

/** Organizations of existing assets, by the assets' ids. */
async function organizationsOf(ctx: Context, ids: readonly unknown[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const some of batches([...new Set(ids.flatMap((id) => normalUuid(id) ?? []))]))
    for (const { id, org_id } of await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select(['id', 'org_id'])
      .where('id', 'in', some)
      .execute())
      found.set(id, org_id)
  return found
}

/**
 * Validates reports of sessions: the organization must be the asset's own. Unknown ids are accepted, as the contract
 * requires.
 */
export async function checkReports(
  ctx: Context,
  changes: readonly SessionChange[],
  problem: (index: number, field: 'org_id', problem: Problem) => void,
): Promise<void> {
  // System work is exempt.
  if (!ctx.caller) return
  if (!(await componentOf(ctx))) throw permissionDenied(say(errors.components_only))
  const begun = changes.filter(({ mode }) => mode === 'create')
  const orgs = await organizationsOf(
    ctx,
    begun.map(({ row }) => row.asset_id),
  )
  for (const { row, index } of begun) {
    const org = orgs.get(normalUuid(row.asset_id) ?? '')
    if (org !== undefined && row.org_id !== org) problem(index, 'org_id', [say(texts.session_other_organization)])
  }
}

/**
 * Logs sessions of users who never requested a connection to the asset. The report is accepted, because the component
 * authenticated the user; the operate log records that there is no other evidence.
 */
export async function noteUnexplained(ctx: Context, sessions: readonly SessionRow[]): Promise<void> {
  if (!ctx.caller) return
  for (const row of sessions)
    if (!(await wasConnected(ctx, row)))
      await recordAction(ctx, findResource('terminal.session'), 'notice', row, { user: row.user, asset: row.asset })
}

/** Completes reports before they are stored: component, organization, and times no later than now. */
export async function settleReports(ctx: Context, changes: readonly SessionChange[]): Promise<void> {
  const own = await componentOf(ctx)
  for (const { mode, row, before } of changes) {
    if (mode === 'create') {
      row.terminal_id = own?.id ?? null
      if (own) row.date_start = within(row.date_start, ctx.now - oldest, ctx.now)
    }
    if (before) {
      for (const column of fixed) Object.assign(row, { [column]: before[column] })
      row.gateway = before.gateway ?? row.gateway
      for (const column of lasting) row[column] = before[column] || row[column]
    }
    if (row.is_finished) {
      row.locked = false
      row.date_end ??= ctx.now
    }
    if (row.date_end !== null) row.date_end = within(row.date_end, row.date_start, Math.max(row.date_start, ctx.now))
  }
}

/** The reported time of an event in a session, limited to the session. Unix seconds. */
export const momentWithin = (
  { date_start, date_end }: { date_start: number; date_end: number | null },
  reported: number,
  now: number,
): number => within(reported, Math.floor(date_start / 1000), Math.floor(Math.max(date_end ?? now, date_start) / 1000))
