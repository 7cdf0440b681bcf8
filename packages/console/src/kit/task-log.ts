/** Background tasks, from the page that started them. */
type TaskType = 'celery' | 'ansible' | 'task'

/** Windows that show a log notify other windows when it is complete. */
const channel = 'castellan-task-end'

/** Called by the window that shows the log. */
export function tellTaskEnd(task: string): void {
  const sender = new BroadcastChannel(channel)
  sender.postMessage(task)
  sender.close()
}

/**
 * Opens the log of a background task in a separate window. `onEnd` is called once, when that window has received the
 * end of the task; never if it was closed earlier.
 */
export function openTaskLog(task: string, { type = 'celery', onEnd }: { type?: TaskType; onEnd?: () => void } = {}) {
  if (onEnd) {
    const ends = new BroadcastChannel(channel)
    ends.onmessage = (event) => {
      if (event.data !== task) return
      ends.close()
      onEnd()
    }
  }
  const left = Math.max(0, (screen.width - 900) / 2)
  const top = Math.max(0, (screen.height - 600) / 2)
  window.open(
    `/ui/#/ops/${type}/task/${task}/log/?type=${type}`,
    '_blank',
    `width=900,height=600,left=${left},top=${top}`,
  )
}
