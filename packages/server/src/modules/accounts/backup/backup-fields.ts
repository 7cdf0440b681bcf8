import { backupTypes } from '@castellan/contract/choices/accounts'
import { batches } from '../../../db/batches.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  linksOf,
  longText,
  many,
  nullableText,
  type StoredRow,
  secret,
  stringList,
  text,
} from '../../../kernel/fields/index.ts'
import { periodicFields } from '../../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { ChangeOf, RowOf } from '../../../kernel/resource/resource.ts'

const table = 'accounts_accountbackupautomation'
const links = (field: string, to: string) => ({ through: `${table}_${field}`, from: 'accountbackupautomation_id', to })

/** Where the two halves of a backup go, by kind of recipient. */
export const partsOf = {
  email: ['recipients_part_one', 'recipients_part_two'],
  object_storage: ['obj_recipients_part_one', 'obj_recipients_part_two'],
} as const

export type PartName = (typeof partsOf)[keyof typeof partsOf][number]

const joinOf = {
  recipients_part_one: links('recipients_part_one', 'user_id'),
  recipients_part_two: links('recipients_part_two', 'user_id'),
  obj_recipients_part_one: links('obj_recipients_part_one', 'replaystorage_id'),
  obj_recipients_part_two: links('obj_recipients_part_two', 'replaystorage_id'),
} as const

const users = (part: 'recipients_part_one' | 'recipients_part_two') => many('users.user', joinOf[part])
const storages = (part: 'obj_recipients_part_one' | 'obj_recipients_part_two') =>
  many('terminal.replaystorage', joinOf[part])

async function executedAmounts(ctx: Context, rows: readonly StoredRow[]): Promise<(row: StoredRow) => number> {
  const counts = new Map<unknown, number>()
  for (const some of batches(rows.map(({ id }) => id)))
    for (const { plan_id, count } of await ctx.acrossOrganizations
      .selectFrom('accounts_accountbackupexecution')
      .select((eb) => ['plan_id', eb.fn.countAll().as('count')])
      .where('plan_id', 'in', some)
      .groupBy('plan_id')
      .execute())
      counts.set(plan_id, Number(count))
  return ({ id }) => counts.get(id) ?? 0
}

export const planFields = {
  name: text({ max: 128, required: true, filter: true }),
  ...periodicFields,
  comment: longText(),
  types: {
    ...stringList({ default: [], max: 128, maxItems: 200 }),
    type: 'json' as const,
    meta: () => ({ default: [] }),
  },
  recipients_part_one: users('recipients_part_one'),
  recipients_part_two: users('recipients_part_two'),
  backup_type: choice(backupTypes, { default: 'email' }),
  obj_recipients_part_one: storages('obj_recipients_part_one'),
  obj_recipients_part_two: storages('obj_recipients_part_two'),
  zip_encrypt_password: secret({ max: 40_960 }),
  executed_amount: computed('field', { load: executedAmounts }),
  is_password_divided_by_email: boolean({ default: true }),
  is_password_divided_by_obj_storage: boolean({ default: true }),
  created_by: nullableText({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

export type BackupPlanRow = RowOf<typeof planFields>
export type PlanChange = ChangeOf<typeof planFields>

/** The ids of those who receive a part, as they are after a change. */
export async function recipientsOf(ctx: Context, planId: string, part: PartName): Promise<string[]> {
  const join = { table: joinOf[part].through, from: joinOf[part].from, to: joinOf[part].to }
  return (await linksOf(ctx, join, [planId])).map((link) => String(link[join.to as 'user_id']))
}
