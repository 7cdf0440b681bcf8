import { hostnameStrategies, releasedActions, syncAddressTypes } from '@castellan/contract/choices/cloud'
import { batches } from '../../db/batches.ts'
import {
  addressItem,
  boolean,
  choice,
  computed,
  datetime,
  longText,
  many,
  nullableDatetime,
  nullableText,
  one,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import { periodicFields } from '../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { RowOf } from '../../kernel/resource/resource.ts'
import { instance } from './instance.ts'
import { providerNamed } from './providers/index.ts'

/** How many rows of a table belong to each task. */
const countedBy = (table: string, onlyReal = false) =>
  computed('integer', {
    load: async (ctx: Context, rows) => {
      const counts = new Map<unknown, number>()
      for (const some of batches(rows.map(({ id }) => id))) {
        let query = ctx.acrossOrganizations
          .selectFrom(table)
          .select((eb) => ['task_id', eb.fn.countAll().as('count')])
          .where('task_id', 'in', some)
          .groupBy('task_id')
        if (onlyReal) query = query.where('is_preview', '=', false)
        for (const { task_id, count } of await query.execute()) counts.set(task_id, Number(count))
      }
      return ({ id }) => counts.get(id) ?? 0
    },
  })

const accountAttrs = {
  show: (row: Readonly<Record<string, unknown>>, ctx: Context) => {
    const provider = providerNamed(row.provider)
    const label = provider?.label[ctx.language] ?? String(row.provider)
    return { id: row.id, name: row.name, provider: { value: row.provider, label } }
  },
}

async function namesOfAccounts(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const some of batches([...new Set(ids)]))
    for (const { id, name } of await ctx.acrossOrganizations
      .selectFrom('xpack_account')
      .select(['id', 'name'])
      .where('id', 'in', some)
      .execute())
      names.set(id, name)
  return names
}

/** The fields of a task; the job that carries it out knows them as well. */
export const taskFields = {
  name: text({ max: 128, required: true, filter: true }),
  account: { ...one('xpack.account', { required: true, ...accountAttrs }), filter: true },
  regions: stringList({ required: true, max: 128, maxItems: 200 }),
  hostname_strategy: choice(hostnameStrategies, { required: true }),
  ip_network_segment_group: stringList({ default: ['*'], max: 128, maxItems: 256, item: addressItem }),
  sync_ip_type: choice(syncAddressTypes, { default: 'private' }),
  is_always_update: boolean({ default: false }),
  released_action: choice(releasedActions, { default: 'mark' }),
  strategy: many('xpack.strategy', {
    through: 'xpack_syncinstancetask_strategy',
    from: 'syncinstancetask_id',
    to: 'strategy_id',
    attrs: ['id', 'name', 'priority'],
  }),
  ...periodicFields,
  comment: longText(),
  account_display: computed('string', {
    load: async (ctx, rows) => {
      const accounts = await namesOfAccounts(
        ctx,
        rows.map(({ account_id: id }) => String(id)),
      )
      return ({ account_id: id }) => accounts.get(String(id)) ?? ''
    },
  }),
  node_display: computed('string', {
    load: async (ctx, rows) => {
      const accounts = await namesOfAccounts(
        ctx,
        rows.map(({ account_id: id }) => String(id)),
      )
      return ({ account_id: id, regions }) => {
        const list = Array.isArray(regions) ? regions : []
        return list
          .slice(0, 3)
          .map((region) => `${accounts.get(String(id))}/${region}`)
          .join(', ')
      }
    },
  }),
  history_count: countedBy('xpack_syncinstancetaskexecution', true),
  instance_count: countedBy(instance.table),
  date_last_sync: nullableDatetime({ readOnly: true }),
  created_by: nullableText({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

export type TaskRow = RowOf<typeof taskFields>
