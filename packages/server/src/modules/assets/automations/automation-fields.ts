import { batches } from '../../../db/batches.ts'
import {
  boolean,
  computed,
  datetime,
  json,
  longText,
  many,
  nullableText,
  stringList,
  text,
} from '../../../kernel/fields/index.ts'
import { periodicFields } from '../../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { Resource } from '../../../kernel/resource/resource.ts'

/** How often each automation was executed. */
const executedAmount = (execution: () => Resource) =>
  computed('field', {
    load: async (ctx: Context, rows) => {
      const counts = new Map<unknown, number>()
      for (const some of batches(rows.map(({ id }) => id)))
        for (const { automation_id, count } of await ctx.acrossOrganizations
          .selectFrom(execution().table)
          .select((eb) => ['automation_id', eb.fn.countAll().as('count')])
          .where('automation_id', 'in', some)
          .groupBy('automation_id')
          .execute())
          counts.set(automation_id, Number(count))
      return ({ id }) => counts.get(id) ?? 0
    },
  })

/** Usernames; the wire calls the list JSON. */
const usernames = {
  ...stringList({ default: [], max: 128, maxItems: 1000 }),
  type: 'json' as const,
  meta: () => ({ default: [] }),
}

/** Fields that every automation has beside its own. `table`: where its rows stand; its links stand beside it. */
export function automationFields(table: string, name: string, execution: () => Resource) {
  const links = (field: string, to: string) => ({ through: `${table}_${field}`, from: `${name}_id`, to })
  return {
    name: text({ max: 128, required: true, filter: true }),
    ...periodicFields,
    accounts: usernames,
    nodes: many('assets.node', {
      nameColumn: 'value',
      ...links('nodes', 'node_id'),
      show: (row) => ({ id: row.id, name: row.value }),
    }),
    assets: many('assets.asset', links('assets', 'asset_id')),
    executed_amount: executedAmount(execution),
    type: text({ readOnly: true }),
    comment: longText(),
    is_active: boolean({ default: true }),
    created_by: nullableText({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  }
}

/** The order of those that every plan has, before its own ones. */
export const planOrder = [
  'id',
  'name',
  'interval',
  'crontab',
  'comment',
  'type',
  'accounts',
  'nodes',
  'assets',
] as const

/** Parameters of methods, by the id of the method. */
export const paramsField = () => json<Record<string, unknown>>({ default: {}, shape: 'object' })
