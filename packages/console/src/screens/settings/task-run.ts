/** Tasks as the server lists them, and starting one now. */
import { call } from '../../kit/api/client.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

export type Task = {
  id: string
  name: string
  meta: { comment: string | null; queue: string }
  summary: { total: number; success: number }
  state: 'green' | 'yellow' | 'red'
  date_last_publish: string | null
  date_next: string | null
  is_periodic: boolean
  schedule: string
}

export const titleOf = (task: Pick<Task, 'name' | 'meta'>): string => task.meta.comment ?? task.name

/** Starts a task of the schedule now and shows its log. */
export async function runTask({ id }: Pick<Task, 'id'>, reload: () => void): Promise<void> {
  const { task_id } = await call<{ task_id: string }>(`/api/v1/ops/tasks/${id}/run/`, { method: 'POST', body: {} })
  toast.ok(t('executionStarted'))
  reload()
  openTaskLog(task_id, { onEnd: reload })
}
