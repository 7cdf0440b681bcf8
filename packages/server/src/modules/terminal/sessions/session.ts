import { defineEvent } from '../../../kernel/events/events.ts'
import { type Field, normalUuid } from '../../../kernel/fields/index.ts'
import { addToDailyCounts } from '../../../kernel/lists/daily-counts.ts'
import { defineHook } from '../../../kernel/module/hooks.ts'
import { defineResource, findResource } from '../../../kernel/resource/resource.ts'
import { closeSharings } from '../sharing/join-record.ts'
import { shorten } from '../shorten.ts'
import { joinCheck } from './join.ts'
import { onlineInfo } from './online-info.ts'
import { replayActions } from './replay.ts'
import { checkReports, noteUnexplained, settleReports } from './reported.ts'
import { demandOwnSession } from './session-components.ts'
import { type SessionChange, type SessionRow, sessionColumns, sessionFields } from './session-fields.ts'

/** Sessions started. */
export const sessionsStarted = defineEvent<{ ids: string[] }>('terminal.sessions.started')
/** Sessions ended, for any reason. */
export const sessionsFinished = defineEvent<{ ids: string[] }>('terminal.sessions.finished')

/** New sessions, inside the transaction that stores them. */
export const sessionsStored = defineHook<readonly SessionRow[]>('terminal.sessions.stored')

const shared = {
  app: 'terminal',
  name: 'session',
  table: 'terminal_session',
  scope: 'org' as const,
  orgFields: false,
  // Reports of a component are evidence, not an administrator's change.
  unlogged: true,
  defaultOrder: ['-date_start'] as const,
}

/** A connection of a user to an asset, as reported by its component. */
export const session = defineResource({
  ...shared,
  path: 'sessions',
  aliases: ['/api/v1/terminal/terminals/sessions/', '/api/v1/terminal/terminals/:terminal/sessions/'],
  // Sessions are deleted by retention only.
  verbs: ['list', 'retrieve', 'create', 'update'],
  reported: ['create', 'update'],
  fields: sessionFields(false),
  columns: sessionColumns,
  indexes: [
    // A page in either direction is read from an index that ends with the id.
    ['org_id', 'date_start', 'id'],
    ['date_start', 'id'],
    ['org_id', 'is_finished', 'date_start', 'id'],
    ['is_finished', 'terminal_id'],
    ['user_id', 'date_start'],
    ['asset_id', 'date_start'],
  ],
  dateRange: 'date_start',
  dailyCounts: { column: 'date_start', unit: 1 },
  search: ['user', 'asset', 'account', 'remote_addr', 'protocol', 'login_from'],
  filters: {
    terminal: (ctx, query, value) => {
      const id = normalUuid(value)
      if (id) return query.where('t.terminal_id', '=', id)
      const named = ctx.rawDb.selectFrom('terminal_terminal').select('id').where('name', '=', value)
      return query.where('t.terminal_id', 'in', named)
    },
  },
  display: (row) => `${row.id} of ${row.user} to ${row.asset}`,
  async guard(ctx, row, verb) {
    // The route rejects users; OPTIONS still describes the fields for them.
    if (verb === 'update' && ctx.caller?.isServiceAccount) await demandOwnSession(ctx, row)
  },
  hooks: {
    prepare: (_ctx, input) =>
      typeof input.asset === 'string' ? { ...input, asset: shorten(input.asset.trim(), 128) } : input,
    validate: checkReports,
    beforeSave: settleReports,
    async afterSave(ctx, changes) {
      const started = changes.filter((change) => change.mode === 'create')
      const rowsOf = (some: SessionChange[]) => some.map((change) => change.row)
      await addToDailyCounts(ctx, findResource('terminal.session'), rowsOf(started))
      await noteUnexplained(ctx, rowsOf(started))
      if (started.length > 0) await sessionsStored.run(ctx, rowsOf(started))
      const idsOf = (some: SessionChange[]) => ({ ids: some.map((change) => String(change.row.id)) })
      if (started.length > 0) await ctx.publish(sessionsStarted, idsOf(started))
      const finished = changes.filter((change) => change.row.is_finished && !change.before?.is_finished)
      if (finished.length === 0) return
      await closeSharings(ctx, idsOf(finished).ids)
      await ctx.publish(sessionsFinished, idsOf(finished))
    },
  },
  actions: [onlineInfo, joinCheck, ...replayActions],
})

export type { SessionRow } from './session-fields.ts'

/** The caller's own sessions in the current organization. */
export const mySession = defineResource({
  ...shared,
  shares: 'terminal.session',
  path: 'my-sessions',
  verbs: ['list'],
  requires: { list: 'valid' },
  fields: Object.fromEntries(
    Object.entries<Field>(sessionFields(true))
      // Addresses of gateways are for administrators and auditors.
      .filter(([name]) => name !== 'gateway')
      .map(([name, field]) => [name, { ...field, filter: false }]),
  ),
  columns: sessionColumns,
  visible: (ctx, query) => query.where('t.user_id', '=', ctx.me.id),
})
