import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { orgsMessages } from '@castellan/contract/messages/orgs'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalid, permissionDenied, text } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { allResources } from '../../kernel/resource.ts'
import { nameOf } from '../../kernel/texts.ts'

export const reservedOrganizations = new Set([rootOrgId, defaultOrgId, systemOrgId])

/** What keeps an organization from being deleted: resource and, where not every row counts, which do. */
const holding: readonly { key: string; column: string; except?: { column: string; value: string } }[] = [
  { key: 'users.usergroup', column: 'org_id' },
  { key: 'assets.asset', column: 'org_id' },
  { key: 'assets.domain', column: 'org_id' },
  { key: 'assets.label', column: 'org_id' },
  { key: 'labels.label', column: 'org_id' },
  // The root of the nodes goes with its organization.
  { key: 'assets.node', column: 'org_id', except: { column: 'parent_key', value: '' } },
  { key: 'perms.assetpermission', column: 'org_id' },
]

function refusal(kind: { en: string; zh: string; ja: string }): ApiError {
  return new ApiError(403, 'organization in use', (language) => ({
    detail: say(orgsMessages.not_empty, language, { kind: kind[language] }),
    code: 'permission_denied',
  }))
}

/** Refuses to delete an organization that is in use. */
export async function demandEmpty(ctx: Context, row: AnyRow): Promise<void> {
  if (row.id === ctx.orgId) throw permissionDenied(text(orgsMessages.is_current))
  if (reservedOrganizations.has(row.id)) throw invalid([text(errors.is_builtin)])
  const synchronised = ctx.services.settings.get<string[] | null>('AUTH_LDAP_SYNC_ORG_IDS') ?? []
  if (synchronised.includes(row.id)) throw permissionDenied(text(orgsMessages.is_synchronised))
  const resources = new Map(allResources().map((resource) => [resource.key, resource]))
  const users = resources.get('users.user')
  const member = await ctx.unscoped
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('org_id', '=', row.id)
    .limit(1)
    .executeTakeFirst()
  if (member && users) throw refusal(nameOf(users))
  for (const { key, column, except } of holding) {
    const resource = resources.get(key)
    if (!resource) continue
    let query = ctx.unscoped.selectFrom(resource.table).select('id').where(column, '=', row.id).limit(1)
    if (except && resource.stored.has(except.column)) query = query.where(except.column, '!=', except.value)
    if (await query.executeTakeFirst()) throw refusal(nameOf(resource))
  }
}
