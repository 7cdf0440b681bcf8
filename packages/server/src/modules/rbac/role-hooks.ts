import { errors } from '@castellan/contract/messages/errors'
import { rbacMessages } from '@castellan/contract/messages/rbac'
import { permissionByCode } from '@castellan/contract/permissions'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, permissionDenied, text } from '../../kernel/module/errors.ts'
import type { Verb } from '../../kernel/resource/resource.ts'
import { demandRightToChange } from './authority.ts'
import { roleCodes, rolesChanged } from './effective.ts'
import type { RoleHooks, RoleRow } from './role-fields.ts'

/** Built-in roles cannot be changed, and a role in use cannot be deleted. */
export async function roleGuard(ctx: Context, row: RoleRow, verb: Verb | 'action'): Promise<void> {
  if (verb !== 'update' && verb !== 'delete') return
  if (row.builtin) throw permissionDenied(text(errors.is_builtin))
  if (verb === 'update') return
  const holder = await ctx.acrossOrganizations
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('role_id', '=', row.id)
    .limit(1)
    .executeTakeFirst()
  if (holder) throw permissionDenied(text(rbacMessages.role_in_use))
}

/** The permissions that a new role copies from another one, as numbers. */
async function clonedPermissions(ctx: Context, source: string): Promise<number[]> {
  const id = normalUuid(source)
  const row = id
    ? await ctx.rawDb.selectFrom('rbac_role').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw invalid({ clone_from: [text(errors.does_not_exist, { pk: source })] })
  return roleCodes(row.id, JSON.parse(row.permissions), row.scope).flatMap((code) => permissionByCode(code)?.id ?? [])
}

/** The permissions that a change puts into a role or takes from it. */
function changedCodes(row: RoleRow, before: RoleRow | undefined): string[] {
  const now: readonly string[] = row.permissions
  const earlier: readonly string[] = before?.permissions ?? []
  return [...now.filter((code) => !earlier.includes(code)), ...earlier.filter((code) => !now.includes(code))]
}

export function roleHooks(scope: 'system' | 'org' | undefined): RoleHooks {
  return {
    async prepare(ctx, input, { mode, query }) {
      if (mode !== 'create' || !query.clone_from) return input
      return { ...input, permissions: await clonedPermissions(ctx, String(query.clone_from)) }
    },
    async validate(ctx, changes, problem) {
      for (const { index, row, before } of changes) {
        await demandRightToChange(ctx, changedCodes(row, before))
        if (scope && row.scope && row.scope !== scope)
          problem(index, 'scope', text(errors.not_a_choice, { input: String(row.scope) }))
        if (before && before.scope !== row.scope) problem(index, 'scope', text(errors.read_only))
      }
    },
    afterSave: (ctx) => ctx.publish(rolesChanged, {}),
    afterDelete: (ctx) => ctx.publish(rolesChanged, {}),
  }
}
