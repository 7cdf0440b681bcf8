import type { Context } from '../../../kernel/context.ts'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { JobRun } from '../../../kernel/jobs/kinds.ts'
import { callerById } from '../../authentication/index.ts'

/** The work of a job in the name of whoever started it, so that the operate log says who had secrets sent. */
export async function startedBy(ctx: Context, job: JobRun): Promise<Context> {
  const id = normalUuid(job.creator)
  const caller = id ? await callerById(ctx, id) : undefined
  return caller ? ctx.actingFor(caller) : ctx
}
