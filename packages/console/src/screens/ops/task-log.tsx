import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { Button } from 'antd'
import { Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { openSocket } from '../../kit/api/socket.ts'
import { Dot } from '../../kit/status.tsx'
import { tellTaskEnd } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { setWindowTitle } from '../../kit/window-title.ts'
import { font, terminal as ink } from '../../tokens.ts'

interface Frame {
  message?: string
  task?: string
  event?: string
}

interface Execution {
  state: string
}

const addressOf = (id: string) => `/api/v1/ops/task-executions/${id}/`

/** State shown for a task that does not exist or cannot be read. */
const missing = 'MISSING'

/** Task status. Success or failure is shown only once it is known. */
function TaskState({ state }: { state: string | undefined }) {
  if (state === missing) return null
  if (state === undefined)
    return (
      <Dot is="ok" live>
        {t('taskRunning')}
      </Dot>
    )
  if (state === 'FAILURE') return <Dot is="danger">{t('taskFailed')}</Dot>
  if (state === 'CANCELED') return <Dot is="warning">{t('taskStopped')}</Dot>
  return <Dot is="idle">{t('taskDone')}</Dot>
}

/** Live log of a background task. */
export default function TaskLog({ type }: { type: 'celery' | 'ansible' }) {
  const { id = '' } = useParams()
  const box = useRef<HTMLDivElement>(null)
  const [ended, setEnded] = useState<string>()
  const [stopping, setStopping] = useState(false)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (!box.current) return
    setWindowTitle(t('taskLog'))
    const screen = new Terminal({
      fontSize: font.terminal,
      fontFamily: `${font.mono}, monospace`,
      scrollback: 100_000,
      disableStdin: true,
      theme: {
        background: ink.bg,
        foreground: ink.fg,
        cursor: ink.bg,
        green: ink.green,
        yellow: ink.yellow,
        red: ink.red,
        blue: ink.blue,
        cyan: ink.cyan,
        magenta: ink.magenta,
      },
    })
    const fit = new FitAddon()
    screen.loadAddon(fit)
    screen.open(box.current)
    fit.fit()
    const observer = new ResizeObserver(() => fit.fit())
    observer.observe(box.current)
    let done = false
    // The socket waits indefinitely for an unknown task, which may still be started.
    call(addressOf(id), { quiet: true }).catch((error) => {
      if (type !== 'celery' || !(error instanceof ApiError) || error.status !== 404) return
      done = true
      setEnded(missing)
      setProblem(t('taskUnknown'))
    })
    const close = openSocket(
      '/ws/ops/tasks/log/',
      (message) => {
        const frame = message as Frame
        if (done) return
        if (frame.message) screen.write(frame.message.replaceAll('\0', ''))
        if (frame.event === 'end') {
          done = true
          tellTaskEnd(id)
          call<Execution>(addressOf(id), { quiet: true }).then(
            ({ state }) => setEnded(state),
            () => setEnded('SUCCESS'),
          )
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
      observer.disconnect()
      screen.dispose()
    }
  }, [id, type])
  const stop = async () => {
    setStopping(true)
    try {
      await call(`${addressOf(id)}stop/`, { method: 'POST', quiet: true })
      setProblem('')
    } catch (error) {
      setStopping(false)
      setProblem((error as Error).message)
    }
  }
  return (
    <div className="task-log">
      <header>
        <b>{t('taskLog')}</b>
        <span className="mono clip">{id}</span>
        <span className="grow" />
        {problem && (
          <span className="is-danger" role="alert">
            {problem}
          </span>
        )}
        {ended === undefined && (
          <Button size="small" icon={<Square size={12} />} loading={stopping} onClick={() => void stop()}>
            {t('taskStop')}
          </Button>
        )}
        <TaskState state={ended} />
      </header>
      <div ref={box} />
    </div>
  )
}
