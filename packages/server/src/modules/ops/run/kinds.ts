/** The names by which executions are queued; the work itself is in `execute.ts`, which needs the resources. */
import type { Queueable } from '../../../kernel/jobs/queue.ts'

/** An execution that was started by a user is recorded; one of a schedule is recorded when it begins. */
export interface JobPayload {
  job: string
}

const queued = async () => undefined

export const runJobName = 'ops.tasks.run_ops_job_execution'
export const runJob: Queueable<JobPayload> = { name: runJobName, run: queued }
