import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { matchesRule, type Rule } from '../../kernel/rules.ts'
import { asset, lineage } from '../assets/index.ts'
import { user } from '../users/index.ts'

/** A user or asset with all attributes that rules may use. */
export interface Subject {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export const concerns = (rule: Rule, subject: Subject): boolean => matchesRule(rule, subject.id, subject.attributes)

const only = (rows: readonly AnyRow[], column: string) => rows.map((row) => String(row[column]))

/** A user with their roles and groups in an organization. */
export async function userSubject(ctx: Context, userId: string, orgId: string): Promise<Subject | undefined> {
  const row = await ctx.unscoped.selectFrom(user.table).selectAll().where('id', '=', userId).executeTakeFirst()
  if (!row) return undefined
  const { password_hash: _hash, otp_secret: _otp, public_key: _key, ...plain } = user.decode(row)
  const roles = await ctx.unscoped
    .selectFrom('rbac_rolebinding')
    .select(['role_id', 'org_id'])
    .where('user_id', '=', userId)
    .execute()
  const groups = await ctx.unscoped
    .selectFrom('users_user_groups')
    .select('usergroup_id')
    .where('user_id', '=', userId)
    .execute()
  const inOrg = roles.filter(({ org_id }) => org_id !== null && (ctx.isRootOrg || org_id === orgId))
  return {
    id: userId,
    attributes: {
      ...plain,
      groups: only(groups, 'usergroup_id'),
      system_roles: only(
        roles.filter(({ org_id }) => org_id === null),
        'role_id',
      ),
      org_roles: only(inOrg, 'role_id'),
    },
  }
}

/** An asset with its nodes and their ancestors, its labels and protocols. */
export async function assetSubject(ctx: Context, assetId: string): Promise<(Subject & { orgId: string }) | undefined> {
  const row = await ctx.unscoped.selectFrom(asset.table).selectAll().where('id', '=', assetId).executeTakeFirst()
  if (!row) return undefined
  const { spec: _spec, client_key: _key, ...plain } = asset.decode(row)
  const keys = await ctx.unscoped
    .selectFrom('assets_asset_nodes as m')
    .innerJoin('assets_node as n', 'n.id', 'm.node_id')
    .select('n.key')
    .where('m.asset_id', '=', assetId)
    .execute()
  const above = [...new Set(keys.flatMap(({ key }) => lineage(key)))]
  const nodes = above.length
    ? await ctx.unscoped.selectFrom('assets_node').select('id').where('key', 'in', above).execute()
    : []
  const labels = await ctx.unscoped
    .selectFrom('assets_asset_labels')
    .select('label_id')
    .where('asset_id', '=', assetId)
    .execute()
  const protocols = await ctx.unscoped
    .selectFrom('assets_protocol')
    .select('name')
    .where('asset_id', '=', assetId)
    .execute()
  return {
    id: assetId,
    orgId: row.org_id,
    attributes: {
      ...plain,
      platform: String(row.platform_id),
      domain: row.domain_id,
      // Lists, because rules compare them with one of several values whatever their operator.
      category: [row.category],
      type: [row.type],
      nodes: only(nodes, 'id'),
      labels: only(labels, 'label_id'),
      protocols: only(protocols, 'name'),
    },
  }
}
