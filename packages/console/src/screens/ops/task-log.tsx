import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { openSocket } from '../../kit/api/socket.ts'
import { Dot } from '../../kit/status.tsx'
import { tellTaskEnd } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { font, terminal as ink } from '../../tokens.ts'

interface Frame {
  message?: string
  task?: string
  event?: string
}

/** The log of a background task as it is written (websockets sheet §3). */
export default function TaskLog({ type }: { type: 'celery' | 'ansible' }) {
  const { id = '' } = useParams()
  const box = useRef<HTMLDivElement>(null)
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    if (!box.current) return
    document.title = t('taskLog')
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
    const close = openSocket(
      '/ws/ops/tasks/log/',
      (message) => {
        const frame = message as Frame
        if (done) return
        if (frame.message) screen.write(frame.message.replaceAll('\0', ''))
        if (frame.event === 'end') {
          done = true
          setEnded(true)
          tellTaskEnd(id)
        }
      },
      (send) => {
        // Opened again after a loss: the log comes from its start.
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
  return (
    <div className="task-log">
      <header>
        <b>{t('taskLog')}</b>
        <span className="mono clip">{id}</span>
        <span className="grow" />
        {ended ? (
          <Dot is="idle">{t('taskDone')}</Dot>
        ) : (
          <Dot is="ok" live>
            {t('taskRunning')}
          </Dot>
        )}
      </header>
      <div ref={box} />
    </div>
  )
}
