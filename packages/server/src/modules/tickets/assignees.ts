import type { approvalStrategies } from '@castellan/contract/choices/tickets'
import { roleIds } from '@castellan/contract/ids'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { holdersOf } from '../rbac/index.ts'
import { user } from '../users/index.ts'

export type Strategy = keyof typeof approvalStrategies

/** One level of a flow. `assignees` counts for `custom_user` only. */
export interface FlowRule {
  readonly strategy: Strategy
  readonly assignees: readonly string[]
}

const systemAdmins = (strategy: Strategy) => strategy === 'super_admin' || strategy === 'super_org_admin'
const orgAdmins = (strategy: Strategy) => strategy === 'org_admin' || strategy === 'super_org_admin'

/** The users among the given ones who can sign in and decide now. */
export async function able(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const some of batches([...new Set(ids)])) {
    const rows = await findAll(ctx.acrossOrgs(), user, (query) =>
      query
        .where('t.id', 'in', some)
        .where('t.is_active', '=', true)
        .where('t.is_service_account', '=', false)
        .where((eb) => eb.or([eb('t.date_expired', 'is', null), eb('t.date_expired', '>', ctx.now)])),
    )
    for (const { id } of rows) found.add(String(id))
  }
  return ids.filter((id, at) => found.has(id) && ids.indexOf(id) === at)
}

/** Who decides a level in an organization, by the roles held now. */
export async function assigneesOf(ctx: Context, orgId: string, rule: FlowRule): Promise<string[]> {
  if (rule.strategy === 'custom_user') return able(ctx, rule.assignees)
  return able(ctx, [
    ...(systemAdmins(rule.strategy) ? await holdersOf(ctx, roleIds.systemAdmin, null) : []),
    ...(orgAdmins(rule.strategy) ? await holdersOf(ctx, roleIds.orgAdmin, orgId) : []),
  ])
}

/** Nobody decides about the own request, unless there is nobody else. */
export const withoutApplicant = (ids: readonly string[], applicant: string): readonly string[] =>
  ids.length > 1 ? ids.filter((id) => id !== applicant) : ids

/** Whether an assignee still has what made them one; an assignee by name or of a rule has it until removed. */
export async function stillMay(ctx: Context, userId: string, orgId: string, strategy: string): Promise<boolean> {
  const named = strategy === 'custom_user' || strategy === ''
  const holders = named
    ? await able(ctx, [userId])
    : await assigneesOf(ctx, orgId, { strategy: strategy as Strategy, assignees: [] })
  return holders.includes(userId)
}
