import { errors } from '@castellan/contract/messages/errors'
import { rbacMessages } from '@castellan/contract/messages/rbac'
import type { Context } from '../../kernel/context.ts'
import { badRequest, failureAs, text } from '../../kernel/errors.ts'
import type { AnyRow, Change } from '../../kernel/fields/field.ts'
import type { Hooks } from '../../kernel/resource.ts'
import { rolesChanged } from './effective.ts'

async function scopesOf(ctx: Context, changes: readonly Change[]): Promise<Map<string, string>> {
  const ids = [...new Set(changes.flatMap(({ row }) => (row.role_id ? [row.role_id] : [])))]
  if (ids.length === 0) return new Map()
  const rows = await ctx.unscoped.selectFrom('rbac_role').select(['id', 'scope']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.scope]))
}

/** What is left of somebody's roles in one place when some of them go. */
async function leftAfter(ctx: Context, going: readonly AnyRow[], userId: string, orgId: string | null) {
  let query = ctx.unscoped
    .selectFrom('rbac_rolebinding')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('user_id', '=', userId)
    .where(
      'id',
      'not in',
      going.map((row) => row.id),
    )
  query = orgId === null ? query.where('org_id', 'is', null) : query.where('org_id', '=', orgId)
  return Number((await query.executeTakeFirst())?.n ?? 0)
}

/** Rules of links between people and roles (identity.md §7); `path` is the address they are made at. */
export function bindingHooks(path: 'any' | 'system' | 'org'): Hooks<AnyRow> {
  return {
    async validate(ctx, changes, problem) {
      const scopes = await scopesOf(ctx, changes)
      for (const { index, row, values } of changes) {
        if (!row.user_id) problem(index, 'user', text(errors.required))
        const scope = scopes.get(row.role_id)
        if (!scope) continue
        if (path === 'system') row.org_id = null
        if (path === 'org') row.org_id = ctx.isRootOrg ? null : ctx.orgId
        row.scope = scope
        if (path !== 'any' && scope !== path)
          problem(index, 'role', text(errors.not_a_choice, { input: String(values.role ?? row.role_id) }))
        else if (scope === 'org' && !row.org_id) problem(index, 'org', text(errors.no_organisation))
        else if (scope === 'system') row.org_id = null
      }
    },
    async beforeDelete(ctx, rows) {
      for (const row of rows) {
        if ((await leftAfter(ctx, rows, row.user_id, row.org_id)) > 0) continue
        if (row.org_id === null) throw badRequest(text(rbacMessages.last_system_role), 'system_role_delete_error')
        throw failureAs(400, 'error', text(rbacMessages.last_org_role))
      }
    },
    afterSave: (ctx) => ctx.announce(rolesChanged, {}),
    afterDelete: (ctx) => ctx.announce(rolesChanged, {}),
  }
}
