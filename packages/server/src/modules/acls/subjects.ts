import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { type Rule, ruleSelects } from '../../kernel/rules/index.ts'
import { asset } from '../assets/index.ts'
import { user } from '../users/index.ts'

/** A user or an asset that rules are about. */
export interface Subject {
  readonly id: string
  readonly orgId: string
  /** Whether a rule selects it. Its groups, roles, labels … are read once for all rules. */
  isSelectedBy(rule: Rule): Promise<boolean>
}

function subjectOf(ctx: Context, resource: Resource, row: StoredRow, orgId: string): Subject {
  const inOrg = ctx.inOrg(orgId)
  return { id: String(row.id), orgId, isSelectedBy: (rule) => ruleSelects(inOrg, resource, rule, row) }
}

/**
 * A user, for the rules of an organization: groups and roles in it count.
 * @param orgId the root organization for rules that apply in every organization
 */
export async function userSubject(ctx: Context, userId: string, orgId: string): Promise<Subject | undefined> {
  const row = await ctx.rawDb.selectFrom(user.table).selectAll().where('id', '=', userId).executeTakeFirst()
  return row && subjectOf(ctx, user, user.decode(row), orgId)
}

/** An asset, for the rules of its organization. */
export async function assetSubject(ctx: Context, assetId: string): Promise<Subject | undefined> {
  const row = await ctx.acrossOrganizations
    .selectFrom(asset.table)
    .selectAll()
    .where('id', '=', assetId)
    .executeTakeFirst()
  return row && subjectOf(ctx, asset, asset.decode(row), row.org_id)
}

/** The rules that select all of their subjects, in their order. */
export async function selecting<R>(
  rows: readonly R[],
  pairs: (row: R) => readonly (readonly [Rule, Subject])[],
): Promise<R[]> {
  const found: R[] = []
  for (const row of rows) {
    let isSelected = true
    for (const [rule, subject] of pairs(row)) isSelected &&= await subject.isSelectedBy(rule)
    if (isSelected) found.push(row)
  }
  return found
}
