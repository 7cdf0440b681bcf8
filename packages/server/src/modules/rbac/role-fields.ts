import { roleScopes } from '@castellan/contract/choices/users'
import { boolean, choice, computed, datetime, nullableText, text } from '../../kernel/fields/index.ts'
import type { HooksOf, RowOf } from '../../kernel/resource/resource.ts'
import { permissionsField } from './permission-rows.ts'
import { roleDisplay } from './role-display.ts'

/** Number of users with a role, in the caller's scope. */
const usersAmount = () =>
  computed('field', {
    answers: 'number',
    load: async (ctx, rows: readonly { id: string }[]) => {
      let query = ctx.acrossOrganizations
        .selectFrom('rbac_rolebinding')
        .select((eb) => ['role_id', eb.fn.count('user_id').distinct().as('amount')])
        .where(
          'role_id',
          'in',
          rows.map((row) => row.id),
        )
        .groupBy('role_id')
      if (!ctx.isRootOrg) query = query.where((eb) => eb.or([eb('org_id', 'is', null), eb('org_id', '=', ctx.orgId)]))
      const amounts = new Map((await query.execute()).map((row) => [row.role_id, Number(row.amount)]))
      return (row: { id: string }) => amounts.get(row.id) ?? 0
    },
  })

export const roleFields = {
  name: text({ max: 128, required: true }),
  display_name: computed('field', {
    answers: 'string',
    wire: (_value, ctx, row: { id: string; name: string }) => roleDisplay(row, ctx.language),
  }),
  scope: choice(roleScopes, { required: true, filter: true }),
  users_amount: usersAmount(),
  builtin: boolean({ readOnly: true, filter: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
  created_by: nullableText({ readOnly: true }),
  updated_by: nullableText({ readOnly: true }),
  comment: text({ max: 128 }),
  /** For built-in roles the contract's catalog is used instead. */
  permissions: permissionsField(),
}

export type RoleRow = RowOf<typeof roleFields>
export type RoleHooks = HooksOf<typeof roleFields>
