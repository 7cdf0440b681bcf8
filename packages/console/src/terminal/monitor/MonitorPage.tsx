import { Button } from 'antd'
import { CirclePause, CirclePlay, CircleStop, Radio } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { holding } from '../../domain/terminal/sessions.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { confirm } from '../../kit/confirm.ts'
import { can } from '../../kit/session.ts'
import { CommandRail } from '../replay/CommandRail.tsx'
import { type CommandRow, markCommands } from '../replay/commands.ts'
import { SessionBar } from '../SessionBar.tsx'
import { type Ending, endSentence, PausedNotice } from '../screen/EndNotice.tsx'
import { DrawnMeter } from '../screen/flow.ts'
import { Screen } from '../screen/screen.ts'
import { TerminalSocket } from '../screen/socket.ts'
import { defaultTheme, themeOf } from '../screen/themes.ts'
import {
  commandSession,
  displayName,
  fetchCommands,
  fetchSession,
  type SessionTask,
  signInName,
} from '../session-facts.ts'
import { t } from '../text.ts'
import { useSecondsSince } from '../useSecondsSince.ts'
import { Watermark } from '../Watermark.tsx'
import type { SessionRow } from '../wire.ts'

/** Polling interval of commands and state of a monitored session, in milliseconds. */
const lookEvery = 5000

/** Live view of a running session, with pause, resume and terminate. */
export function MonitorPage() {
  const { sid = '' } = useParams()
  const [query] = useSearchParams()
  const ticket = query.get('ticket_id')
  const byTicket = ticket !== null
  const place = useRef<HTMLDivElement>(null)
  const [session, setSession] = useState<SessionRow>()
  const [refused, setRefused] = useState('')
  const [rows, setRows] = useState<CommandRow[]>([])
  const [commandsKnown, setCommandsKnown] = useState(false)
  const [pausedBy, setPausedBy] = useState<string>()
  const [ending, setEnding] = useState<Ending>()
  const seconds = useSecondsSince(session?.date_start, ending !== undefined)
  const over = ending !== undefined || session?.is_finished === true

  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    let timer: ReturnType<typeof setTimeout>
    // One request after the other: a slow response must not overwrite a later one.
    const look = async () => {
      if (!document.hidden)
        await Promise.all([
          fetchSession(sid, signal, ticket).then(
            (row) => {
              setSession(row)
              setPausedBy((by) => (row.is_locked ? (by ?? '') : undefined))
            },
            (error: unknown) => setRefused(error instanceof ApiError ? error.message : ''),
          ),
          fetchCommands(sid, setRows, signal).then(
            () => setCommandsKnown(true),
            () => undefined,
          ),
        ])
      if (!signal.aborted) timer = setTimeout(look, lookEvery)
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [sid, ticket])

  useEffect(() => {
    const element = place.current
    if (!element) return
    const screen = new Screen(element, { fontSize: 14, theme: themeOf(defaultTheme), readOnly: true })
    screen.setVisible(true)
    const { term } = screen
    const scale = () => screen.scaleInto(element)
    const watcher = new ResizeObserver(scale)
    watcher.observe(element)
    let shown = false
    const meter = new DrawnMeter((bytes) => socket.acknowledge(bytes))
    const socket = new TerminalSocket(
      { type: 'monitor', target_id: sid },
      { cols: term.cols, rows: term.rows },
      {
        connected: () => undefined,
        started: () => {
          shown = true
        },
        output: (bytes) => {
          shown = true
          meter.received(bytes.length)
          term.write(bytes, () => meter.drawn(bytes.length))
        },
        paused: setPausedBy,
        resized: (columns, lines) => {
          term.resize(columns, lines)
          requestAnimationFrame(scale)
        },
        latency: () => undefined,
        ended: (reason, text) => {
          meter.stop()
          setPausedBy(undefined)
          setEnding({ reason, text, neverStarted: !shown })
        },
      },
    )
    return () => {
      meter.stop()
      socket.leave()
      watcher.disconnect()
      screen.dispose()
    }
  }, [sid])

  const beginning = session ? Date.parse(session.date_start) / 1000 : 0
  const marks = useMemo(() => markCommands(rows, beginning, seconds), [rows, beginning, seconds])
  const send = async (task: SessionTask) => {
    await commandSession(sid, task, byTicket)
    if (task === 'lock_session') setPausedBy((by) => by ?? '')
    if (task === 'unlock_session') setPausedBy(undefined)
  }
  const terminate = () =>
    confirm({
      title: t('terminateTitle'),
      text: t('terminateText', { user: displayName(session?.user ?? ''), asset: displayName(session?.asset ?? '') }),
      verb: t('terminate'),
      danger: true,
      run: () => send('kill_session'),
    })
  const may = byTicket || can('terminal.terminate_session')
  const mayPause = may && session?.type.value === 'normal' && holding.has(session.terminal?.type ?? 'koko')

  return (
    <div className="session is-live">
      <SessionBar
        badge={
          over
            ? { is: 'idle', icon: <CircleStop size={13} />, text: t('ended') }
            : { is: 'ok', icon: <Radio size={13} />, text: t('online') }
        }
        user={displayName(session?.user ?? '')}
        target={session ? `${signInName(session.account)}@${displayName(session.asset)}` : ''}
        from={session?.remote_addr ?? undefined}
        since={session?.date_start}
        length={seconds}
      >
        {over && session?.has_replay && (
          <Button size="small" href={`/luna/replay/${sid}`}>
            {t('watchRecording')}
          </Button>
        )}
        {mayPause && !over && (
          <Button
            size="small"
            icon={pausedBy === undefined ? <CirclePause size={14} /> : <CirclePlay size={14} />}
            onClick={() => void send(pausedBy === undefined ? 'lock_session' : 'unlock_session').catch(() => undefined)}
          >
            {pausedBy === undefined ? t('pause') : t('resume')}
          </Button>
        )}
        {may && !over && (
          <Button size="small" danger icon={<CircleStop size={14} />} onClick={terminate}>
            {t('terminate')}
          </Button>
        )}
      </SessionBar>
      <main className="session-screen">
        <div className="fixed-screen" ref={place} />
        <Watermark lines={[session?.user ?? '', session?.asset ?? '']} />
        {pausedBy !== undefined && !over && <PausedNotice by={displayName(pausedBy)} watching />}
        {refused && !session && <p className="screen-word">{refused}</p>}
        {ending && <p className="screen-note">{ending.text || endSentence(ending)}</p>}
      </main>
      <CommandRail marks={marks} time={seconds} loading={!commandsKnown} onJump={undefined} />
    </div>
  )
}
