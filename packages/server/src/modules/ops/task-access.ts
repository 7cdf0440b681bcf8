import { findJobKind } from '../../kernel/jobs/kinds.ts'
import type { JobRow } from '../../kernel/jobs/tables.ts'
import type { Context } from '../../kernel/module/context.ts'

/**
 * Whose executions a caller sees. Members hold `ops.view_celerytaskexecution` for their own: what others run, and its
 * output, is for those who administer tasks or audit, in their organization; what the system runs, and what other
 * organizations run, for those of them who may look at all organizations.
 */
export function executionScope(ctx: Context): 'own' | 'org' | 'all' {
  const oversees = ctx.can('ops.view_celerytask') || ctx.can('rbac.view_audit')
  if (!ctx.can('ops.view_celerytaskexecution') || !oversees) return 'own'
  return ctx.can('orgs.view_rootorg') ? 'all' : 'org'
}

/** Whether the caller may follow an execution: it is theirs, in their scope, or of a kind whose right they hold. */
export function mayFollow(ctx: Context, job: JobRow): boolean {
  if (ctx.caller && job.created_by === ctx.caller.id) return true
  const kind = findJobKind(job.name)
  if (kind?.watchedWith && job.org_id === ctx.orgId && ctx.can(kind.watchedWith)) return true
  if (kind?.isPersonal) return ctx.caller?.isSuperuser === true
  const scope = executionScope(ctx)
  return scope === 'all' || (scope === 'org' && job.org_id === ctx.orgId)
}
