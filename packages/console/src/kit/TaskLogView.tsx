import { useEffect, useRef } from 'react'
import { openSocket } from './api/socket.ts'
import { openLogScreen } from './log-screen.ts'
import { tellTaskEnd } from './task-log.ts'

interface Frame {
  message?: string
  task?: string
  event?: string
}

/** The log of a background task as it is written. `onEnd` is called once, when it is complete. */
export default function TaskLogView({
  id,
  type = 'celery',
  onEnd,
}: {
  id: string
  type?: 'celery' | 'ansible'
  onEnd?: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    if (!box.current) return
    const screen = openLogScreen(box.current)
    let done = false
    const close = openSocket(
      '/ws/ops/tasks/log/',
      (message) => {
        const frame = message as Frame
        if (done) return
        if (frame.message) screen.write(frame.message)
        if (frame.event === 'end') {
          done = true
          tellTaskEnd(id)
          ended.current?.()
        }
      },
      (send) => {
        // Reconnected after a loss: the log restarts from the beginning.
        if (done) return
        screen.reset()
        send({ task: id, type })
      },
    )
    return () => {
      close()
      screen.dispose()
    }
  }, [id, type])
  return <div ref={box} className="task-log-lines" />
}
