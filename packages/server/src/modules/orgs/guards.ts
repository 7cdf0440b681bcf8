import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { orgsMessages } from '@castellan/contract/messages/orgs'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalid, permissionDenied, text } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { allResources, findResource, type Resource } from '../../kernel/resource.ts'
import { nameOf } from '../../kernel/texts.ts'

export const reservedOrganizations = new Set([rootOrgId, defaultOrgId, systemOrgId])

function refusal(kind: { en: string; zh: string; ja: string }): ApiError {
  return new ApiError(403, 'organization in use', (language) => ({
    detail: say(orgsMessages.not_empty, language, { kind: kind[language] }),
    code: 'permission_denied',
  }))
}

/** Refuses to delete an organization that one works in, that is built in, or that a directory fills. */
export function demandDeletable(ctx: Context, row: AnyRow): void {
  if (row.id === ctx.orgId) throw permissionDenied(text(orgsMessages.is_current))
  if (reservedOrganizations.has(row.id)) throw invalid([text(errors.is_builtin)])
  const synchronised = ctx.services.settings.get<string[] | null>('AUTH_LDAP_SYNC_ORG_IDS') ?? []
  if (synchronised.includes(row.id)) throw permissionDenied(text(orgsMessages.is_synchronised))
}

/** The resources whose rows belong to an organization, one for each table. Logs stay when their organization is deleted. */
function organizationResources(): readonly Resource[] {
  const byTable = new Map<string, Resource>()
  for (const resource of allResources())
    if (resource.scope === 'org' && !resource.unlogged && !byTable.has(resource.table))
      byTable.set(resource.table, resource)
  return [...byTable.values()]
}

/** Refuses to delete an organization that has members or rows. What was created with it is deleted before. */
export async function demandEmpty(ctx: Context, row: AnyRow): Promise<void> {
  const member = await ctx.unscoped
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('org_id', '=', row.id)
    .limit(1)
    .executeTakeFirst()
  if (member) throw refusal(nameOf(findResource('users.user')))
  for (const resource of organizationResources()) {
    const held = ctx.unscoped.selectFrom(resource.table).select('id').where('org_id', '=', row.id).limit(1)
    if (await held.executeTakeFirst()) throw refusal(nameOf(resource))
  }
}
