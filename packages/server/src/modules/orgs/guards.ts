import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { orgsMessages } from '@castellan/contract/messages/orgs'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, invalid, permissionDenied, text } from '../../kernel/module/errors.ts'
import { nameOf } from '../../kernel/module/texts.ts'
import { allResources, findResource, type Resource } from '../../kernel/resource/resource.ts'
import { directorySync } from './settings.ts'

export const reservedOrganizations = new Set([rootOrgId, defaultOrgId, systemOrgId])

function refusal(kind: { en: string; zh: string; ja: string }): ApiError {
  return new ApiError(403, 'organization in use', (language) => ({
    detail: say(orgsMessages.not_empty, language, { kind: kind[language] }),
    code: 'permission_denied',
  }))
}

/** Refuses to delete an organization that one works in, that is built in, or that a directory fills. */
export function demandDeletable(ctx: Context, row: { id: string }): void {
  if (row.id === ctx.orgId) throw permissionDenied(text(orgsMessages.is_current))
  if (reservedOrganizations.has(row.id)) throw invalid([text(errors.is_builtin)])
  const synchronised = directorySync.of(ctx).AUTH_LDAP_SYNC_ORG_IDS
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
export async function demandEmpty(ctx: Context, row: { id: string }): Promise<void> {
  const member = await ctx.rawDb
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('org_id', '=', row.id)
    .limit(1)
    .executeTakeFirst()
  if (member) throw refusal(nameOf(findResource('users.user')))
  for (const resource of organizationResources()) {
    const held = ctx.rawDb.selectFrom(resource.table).select('id').where('org_id', '=', row.id).limit(1)
    if (await held.executeTakeFirst()) throw refusal(nameOf(resource))
  }
}
