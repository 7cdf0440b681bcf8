/** Opens the log of a background task in its own window (spec 1 §2). */
export function openTaskLog(task: string, type: 'celery' | 'ansible' | 'task' = 'celery'): void {
  const left = Math.max(0, (screen.width - 900) / 2)
  const top = Math.max(0, (screen.height - 600) / 2)
  window.open(
    `/core/ops/${type}/task/${task}/log/?type=${type}`,
    '_blank',
    `width=900,height=600,left=${left},top=${top}`,
  )
}
