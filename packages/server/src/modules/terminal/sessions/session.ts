import { componentTypes, sessionErrorReasons, sessionOrigins, sessionTypes } from '@castellan/contract/choices/terminal'
import type { Context } from '../../../kernel/context.ts'
import { addToDailyCounts } from '../../../kernel/daily-counts.ts'
import { defineEvent } from '../../../kernel/events.ts'
import type { AnyRow, Change } from '../../../kernel/fields/field.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  describedAs,
  type Field,
  integer,
  normalUuid,
  nullableDatetime,
  nullableText,
  rawChoice,
  text,
  uuid,
} from '../../../kernel/fields/index.ts'
import { defineHook } from '../../../kernel/hooks.ts'
import { fieldsInfo } from '../../../kernel/metadata.ts'
import { defineResource, findResource, type Row } from '../../../kernel/resource.ts'
import { reportedOrgFields } from '../../../kernel/standard-fields.ts'
import { shorten } from '../shorten.ts'
import { joinCheck } from './join.ts'
import { onlineInfo } from './online-info.ts'
import { replayActions } from './replay.ts'
import { checkReports, noteUnexplained, settleReports } from './reported.ts'
import { canJoin, componentsOf, demandOwnSession } from './session-components.ts'

/** Sessions started. */
export const sessionsStarted = defineEvent<{ ids: string[] }>('terminal.sessions.started')
/** Sessions ended, for any reason. */
export const sessionsFinished = defineEvent<{ ids: string[] }>('terminal.sessions.finished')

/** New sessions, inside the transaction that stores them. */
export const sessionsStored = defineHook<readonly AnyRow[]>('terminal.sessions.stored')

const reportedOrg = reportedOrgFields({ required: true })
/** Fields of a session's component. */
const componentParts = { id: uuid(), name: text({ max: 128, required: true }), type: rawChoice(componentTypes) }

const fields = (mine: boolean) => ({
  user: text({ max: 128, required: true, filter: true }),
  asset: text({ required: true, filter: true }),
  user_id: text({ max: 36 }),
  asset_id: text({ max: 36 }),
  account: text({ max: 128, required: true, filter: true }),
  account_id: text({ max: 128, required: true }),
  protocol: text({ max: 128, required: true, filter: true }),
  type: choice(sessionTypes, { default: 'normal' }),
  login_from: choice(sessionOrigins, { default: 'ST', filter: true }),
  remote_addr: nullableText({ max: 128, filter: true }),
  comment: describedAs(nullableText({ max: 4096 }), { max_length: undefined }),
  terminal_display: computed('field', {
    load: async (ctx) => {
      const components = await componentsOf(ctx)
      return (row) => components.get(row.terminal_id)?.name ?? ''
    },
  }),
  is_locked: computed('field', { wire: (_value, _ctx, row) => row.locked && !row.is_finished }),
  command_amount: computed('integer', { wire: (_value, _ctx, row) => Number(row.commands) }),
  error_reason: choice(sessionErrorReasons, { blank: true, default: '' as never }),
  terminal: {
    ...computed(mine ? 'object_related_field' : 'nested object', {
      ...(mine ? {} : { meta: (ctx: Context) => ({ children: fieldsInfo(ctx, 'terminal', componentParts) }) }),
      load: async (ctx) => {
        const components = await componentsOf(ctx)
        return (row) => {
          const found = components.get(row.terminal_id)
          if (!found) return null
          return mine ? { id: found.id, name: found.name } : { id: found.id, name: found.name, type: found.type }
        }
      },
      toCell: (wire) => (wire as { name?: string } | null)?.name ?? '-',
    }),
  },
  ...reportedOrg,
  org_id: describedAs(reportedOrg.org_id as Field, { max_length: undefined }),
  is_success: boolean({ default: true }),
  is_finished: boolean({ filter: true }),
  has_replay: boolean(),
  has_command: boolean(),
  can_replay: computed('boolean', { wire: (_value, _ctx, row) => row.has_replay }),
  can_join: computed('boolean', {
    load: async (ctx) => {
      const components = await componentsOf(ctx)
      return (row) => canJoin(row, components.get(row.terminal_id)?.type)
    },
  }),
  can_terminate: computed('boolean', { wire: (_value, _ctx, row) => !row.is_finished }),
  date_start: datetime({ default: () => Date.now(), resets: false }),
  date_end: nullableDatetime(),
})

const shared = {
  app: 'terminal',
  name: 'session',
  table: 'terminal_session',
  scope: 'org' as const,
  orgFields: false,
  // Reports of a component are evidence, not an administrator's change.
  unlogged: true,
  defaultOrder: ['-date_start'],
}

/** A connection of a user to an asset, as reported by its component. */
export const session = defineResource({
  ...shared,
  path: 'sessions',
  aliases: ['/api/v1/terminal/terminals/sessions/', '/api/v1/terminal/terminals/:terminal/sessions/'],
  // Sessions are deleted by retention only.
  verbs: ['list', 'retrieve', 'create', 'update'],
  reported: ['create', 'update'],
  fields: fields(false),
  columns: {
    terminal_id: uuid(),
    /** Input is blocked by an auditor. */
    locked: boolean(),
    /** Number of recorded commands, updated when they are stored. */
    commands: integer({ default: 0 }),
  },
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
      const named = ctx.unscoped.selectFrom('terminal_terminal').select('id').where('name', '=', value)
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
      const rowsOf = (some: Change[]) => some.map((change) => change.row)
      await addToDailyCounts(ctx, findResource('terminal.session'), rowsOf(started))
      await noteUnexplained(ctx, rowsOf(started))
      if (started.length > 0) await sessionsStored.run(ctx, rowsOf(started))
      const idsOf = (some: Change[]) => ({ ids: some.map((change) => String(change.row.id)) })
      if (started.length > 0) await ctx.publish(sessionsStarted, idsOf(started))
      const finished = changes.filter((change) => change.row.is_finished && !change.before?.is_finished)
      if (finished.length > 0) await ctx.publish(sessionsFinished, idsOf(finished))
    },
  },
  actions: [onlineInfo, joinCheck, ...replayActions],
})

export type SessionRow = Row<typeof session>

/** The caller's own sessions in the current organization. */
export const mySession = defineResource({
  ...shared,
  shares: 'terminal.session',
  path: 'my-sessions',
  verbs: ['list'],
  requires: { list: 'valid' },
  fields: Object.fromEntries(Object.entries(fields(true)).map(([name, field]) => [name, { ...field, filter: false }])),
  columns: { terminal_id: uuid(), locked: boolean(), commands: integer({ default: 0 }) },
  visible: (ctx, query) => query.where('t.user_id', '=', ctx.me.id),
})
