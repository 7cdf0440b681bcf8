import { operateActions } from '@castellan/contract/choices/audits'
import { operateResourceLabel } from '@castellan/contract/operate-resources'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { choice, datetime, json, nullableText, text, uuid } from '../../kernel/fields/index.ts'
import { defineResource, type Filter, type Row } from '../../kernel/resource/resource.ts'

/** Values of a row before and after, by column or relation; rendered in the reader's language when they are read. */
export interface StoredDiff {
  /** `app.model` of the resource whose fields the keys are; empty when the keys are labels. */
  model: string
  before: StoredRow
  after: StoredRow
  /** The change was too large to be stored. */
  tooLarge?: true
}

const equal =
  (column: string): Filter =>
  (_ctx, query, value) =>
    query.where(`t.${column}`, '=', value)

/** Actions of users on objects. Entries cannot be changed or deleted. */
export const operateLog = defineResource({
  app: 'audits',
  name: 'operatelog',
  path: 'operate-logs',
  scope: 'org',
  // One entry is read by a separate route, which also returns the difference.
  verbs: ['list'],
  bare: true,
  unlogged: true,
  fields: {
    user: text({ max: 128, required: true, filter: true }),
    action: choice(operateActions, { required: true, filter: true }),
    resource_type: {
      ...text({ readOnly: true }),
      type: 'field',
      wire: (value, ctx) => operateResourceLabel(String(value), ctx.language),
    },
    resource: { ...text({ readOnly: true, filter: true }), type: 'field' },
    remote_addr: nullableText({ max: 128, filter: true }),
    datetime: datetime({ readOnly: true }),
  },
  columns: {
    resource_id: text(),
    user_id: uuid(),
    diff: json<StoredDiff>(),
  },
  indexes: [
    ['org_id', 'datetime', 'id'],
    ['datetime', 'id'],
    ['resource_id', 'datetime'],
    ['user_id', 'datetime'],
  ],
  dateRange: 'datetime',
  dailyCounts: { column: 'datetime', unit: 1 },
  defaultOrder: ['-datetime'],
  search: ['resource', 'user'],
  filters: { resource_type: equal('resource_type') },
})

export type OperateRow = Row<typeof operateLog>
