import { defaultOrgId, roleIds, rootOrgId } from '@castellan/contract/ids'
import { orgsMessages } from '@castellan/contract/messages/orgs'
import type { Context } from '../../kernel/module/context.ts'
import { basic } from '../settings/index.ts'
import { licenseState } from '../xpack/index.ts'
import { permissionsOf, roleCodes } from './effective.ts'
import { administration } from './settings.ts'

export interface OrganizationRef {
  id: string
  name: string
  is_default: boolean
  is_root: boolean
}

const refOf = (row: { id: string; name: string }): OrganizationRef => ({
  id: row.id,
  name: row.name,
  is_default: row.id === defaultOrgId,
  is_root: row.id === rootOrgId,
})

/** The display name of the view over all organizations. */
export function rootOrganization(ctx: Context): OrganizationRef {
  const own = basic.of(ctx).GLOBAL_ORG_DISPLAY_NAME
  return refOf({ id: rootOrgId, name: own || orgsMessages.global[ctx.language] })
}

interface Held {
  role: string
  org: string | null
  codes: ReadonlySet<string>
}

async function heldBy(ctx: Context, userId: string): Promise<Held[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('rbac_rolebinding as b')
    .innerJoin('rbac_role as r', 'r.id', 'b.role_id')
    .select(['b.role_id', 'b.org_id', 'r.scope', 'r.permissions'])
    .where('b.user_id', '=', userId)
    .execute()
  return rows.map((row) => ({
    role: row.role_id,
    org: row.org_id,
    codes: new Set<string>(roleCodes(row.role_id, JSON.parse(row.permissions), row.scope)),
  }))
}

/** The organizations a user may view as administrator, as auditor and in the workbench. */
export async function organizationsOf(
  ctx: Context,
  userId: string,
): Promise<{ console: OrganizationRef[]; audit: OrganizationRef[]; workbench: OrganizationRef[] }> {
  const held = await heldBy(ctx, userId)
  const all = (await ctx.rawDb.selectFrom('orgs_organization').select(['id', 'name']).orderBy('name').execute())
    .map((row) => refOf(row as { id: string; name: string }))
    .filter((org) => licenseState(ctx.services).extended || org.is_default)
  const inRoot = await permissionsOf(ctx, { id: userId }, rootOrgId)
  const joined = new Set(held.map(({ org }) => org))

  const organizations = (code: string, candidates: OrganizationRef[], rootNeeds: string): OrganizationRef[] => {
    const holding = held.filter(
      ({ role, codes }) => codes.has(code) || role === roleIds.systemAdmin || role === roleIds.orgAdmin,
    )
    const everywhere = holding.some(({ org }) => org === null)
    const where = new Set(holding.map(({ org }) => org))
    const found = everywhere ? candidates : candidates.filter(({ id }) => where.has(id))
    return found.length > 0 && inRoot.has(rootNeeds) ? [rootOrganization(ctx), ...found] : found
  }

  const console = organizations('rbac.view_console', all, 'orgs.view_rootorg')
  const audit = organizations('rbac.view_audit', all, 'orgs.view_rootorg')
  const workbench = organizations(
    'rbac.view_workbench',
    all.filter(({ id }) => joined.has(id)),
    'orgs.view_alljoinedorg',
  )
  const administered = new Set(console.map(({ id }) => id))
  return {
    console,
    audit: administration.of(ctx).LIMIT_SUPER_PRIV ? audit.filter(({ id }) => !administered.has(id)) : audit,
    workbench,
  }
}
