/** The name by which the first reading of a repository is queued; the work itself needs the resource. */
import type { Queueable } from '../../../kernel/jobs/queue.ts'

export const refreshName = 'ops.refresh-playbook'
export const firstRefresh: Queueable<{ playbook: string }> = { name: refreshName, run: async () => undefined }
