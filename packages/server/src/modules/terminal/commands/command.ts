import { riskLevels } from '@castellan/contract/choices/terminal'
import { contains, startsWith } from '../../../db/search.ts'
import { choice, computed, describedAs, integer, text } from '../../../kernel/fields/index.ts'
import { formatTimestamp, parseTimestamp } from '../../../kernel/fields/timestamps.ts'
import { defineResource, type Filter } from '../../../kernel/resource/resource.ts'

const seconds =
  (bound: '>=' | '<='): Filter =>
  (ctx, query, value) => {
    const timestamp = parseTimestamp(value, ctx.zone)
    return timestamp === undefined ? query : query.where('t.timestamp', bound, Math.floor(timestamp / 1000))
  }
const equal =
  (column: string): Filter =>
  (_ctx, query, value) =>
    query.where(`t.${column}`, '=', value)

/** A typed command with its output. Rows are written by components in batches, and never changed. */
export const command = defineResource({
  app: 'terminal',
  name: 'command',
  path: 'commands',
  scope: 'org',
  orgFields: false,
  verbs: ['retrieve'],
  imports: 'terminal.add_command',
  // What people typed is not rewritten.
  describesToo: ['PUT', 'PATCH'],
  idWritable: false,
  fieldOrder: [
    'user',
    'asset',
    'input',
    'session',
    'risk_level',
    'org_id',
    'id',
    'account',
    'output',
    'timestamp',
    'timestamp_display',
  ],
  bare: true,
  unlogged: true,
  fields: {
    user: text({ required: true }),
    asset: text({ max: 128, required: true }),
    input: text({ max: 2048, required: true, verbatim: true }),
    session: text({ max: 36, required: true }),
    risk_level: choice(riskLevels, { numeric: true, default: 0, filter: true }),
    org_id: describedAs(
      { ...computed('string', { wire: (_value, _ctx, row) => row.org_id }), order: false },
      { read_only: false, max_length: 36, default: '' },
    ),
    account: text({ required: true }),
    output: text({ max: 2048, required: true, blank: true, verbatim: true }),
    /** Unix seconds. */
    timestamp: integer({ required: true }),
    timestamp_display: computed('datetime', {
      wire: (_value, ctx, row: { timestamp: number }) => formatTimestamp(row.timestamp * 1000, ctx.zone),
    }),
    remote_addr: computed('string', {
      load: async (ctx, rows) => {
        const ids = [...new Set(rows.map((row) => row.session))]
        const found = await ctx.acrossOrganizations
          .selectFrom('terminal_session')
          .select(['id', 'remote_addr'])
          .where('id', 'in', ids)
          .execute()
        const byId = new Map(found.map((row) => [row.id, row.remote_addr]))
        return (row) => byId.get(row.session) ?? ''
      },
    }),
  },
  // Each ends with the id, so that a page in either direction is read from the index alone.
  indexes: [
    ['org_id', 'timestamp', 'id'],
    ['timestamp', 'id'],
    ['session', 'timestamp', 'id'],
    ['org_id', 'risk_level', 'timestamp', 'id'],
  ],
  dailyCounts: { column: 'timestamp', unit: 1000, ignores: ['command_storage_id'] },
  orderable: ['timestamp', 'risk_level'],
  defaultOrder: ['-timestamp'],
  search: ['input'],
  filters: {
    asset: (ctx, query, value) => query.where((eb) => contains(ctx.dialect, eb.ref('t.asset'), value)),
    input: (ctx, query, value) => query.where((eb) => contains(ctx.dialect, eb.ref('t.input'), value)),
    user: (ctx, query, value) => query.where((eb) => startsWith(ctx.dialect, eb.ref('t.user'), value)),
    account: equal('account'),
    session: equal('session'),
    session_id: equal('session'),
    date_from: seconds('>='),
    date_to: seconds('<='),
  },
})
