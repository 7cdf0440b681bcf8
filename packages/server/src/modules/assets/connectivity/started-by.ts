import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { PermissionCode } from '@castellan/contract/permissions'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { JobRun } from '../../../kernel/jobs/kinds.ts'
import { JobRefused } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { callerById } from '../../authentication/index.ts'
import { placeOf } from '../../rbac/index.ts'

/** How long a permission that was found is not looked up again. Milliseconds. */
const freshFor = 2000

async function isPermitted(ctx: Context, id: string, code: PermissionCode): Promise<boolean> {
  const caller = await callerById(ctx, id)
  if (!caller?.isActive || caller.isExpired) return false
  if (caller.isSuperuser) return true
  // Roles in the system give some permissions in every organization, also to users who have left this one.
  const { codes, isOutsider } = await placeOf(ctx, caller, ctx.orgId, true)
  return !isOutsider && codes.has(code)
}

/** The work of a job in the name of the user who started it. */
export interface StartedBy {
  /** Of the user, at the address from which it was started: the operate log says who had secrets sent. */
  readonly ctx: Context
  /** Asked before each target: the permission may be withdrawn while the job runs. @throws JobRefused */
  demandPermission(): Promise<void>
}

/**
 * Checks that the user who started a job may still do so; jobs of schedules act for the system.
 * @throws JobRefused when the user is gone, disabled, expired, or does not hold the permission any more
 */
export async function startedBy(outer: Context, job: JobRun, code: PermissionCode): Promise<StartedBy> {
  const id = normalUuid(job.creator)
  if (!id) return { ctx: outer, demandPermission: async () => undefined }
  let checkedAt = Number.NEGATIVE_INFINITY
  const demandPermission = async () => {
    if (performance.now() - checkedAt < freshFor) return
    if (!(await isPermitted(outer, id, code)))
      throw new JobRefused('not_permitted', say(taskLogs.not_permitted, outer.language))
    checkedAt = performance.now()
  }
  await demandPermission()
  return { ctx: outer.from(job.address ?? '').actingFor(await callerById(outer, id)), demandPermission }
}
