import type { TerminalSessionInfo } from '@castellan/contract/web-terminal'
import { Alert, Button, Input } from 'antd'
import { CircleStop, Radio } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { SessionBar } from '../SessionBar.tsx'
import { type Ending, endSentence, PausedNotice } from '../screen/EndNotice.tsx'
import { DrawnMeter } from '../screen/flow.ts'
import { Screen } from '../screen/screen.ts'
import { TerminalSocket } from '../screen/socket.ts'
import { defaultTheme, themeOf } from '../screen/themes.ts'
import { displayName, signInName } from '../session-facts.ts'
import { t } from '../text.ts'
import { useSecondsSince } from '../useSecondsSince.ts'
import { Watermark } from '../Watermark.tsx'
import { ParticipantList } from './ParticipantList.tsx'
import { useSharing } from './useSharing.ts'

/** Joins another user's session by a link: asks for the code, then shows the session. */
export function SharePage() {
  const { id = '' } = useParams()
  const [code, setCode] = useState<string>()
  const [problem, setProblem] = useState('')
  if (code !== undefined)
    return (
      <Joined
        id={id}
        code={code}
        onRefused={(text) => {
          setProblem(text)
          setCode(undefined)
        }}
      />
    )
  return <CodeForm problem={problem} onCode={setCode} />
}

function CodeForm({ problem, onCode }: { problem: string; onCode: (code: string) => void }) {
  const [text, setText] = useState('')
  const label = useId()
  return (
    <main className="share-code">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) onCode(text.trim())
        }}
      >
        <h1>{t('shareJoin')}</h1>
        <p className="muted">{t('shareJoinHelp')}</p>
        {problem && <Alert type="error" showIcon title={problem} className="share-problem" />}
        <div className="field">
          <b id={label}>{t('shareCode')}</b>
          <Input
            autoFocus
            aria-labelledby={label}
            value={text}
            maxLength={16}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button type="primary" htmlType="submit" disabled={!text.trim()}>
          {t('shareJoinNow')}
        </Button>
      </form>
    </main>
  )
}

function Joined({ id, code, onRefused }: { id: string; code: string; onRefused: (text: string) => void }) {
  const place = useRef<HTMLDivElement>(null)
  const [info, setInfo] = useState<TerminalSessionInfo>()
  const [pausedBy, setPausedBy] = useState<string>()
  const [ending, setEnding] = useState<Ending>()
  const sharing = useSharing()
  const seconds = useSecondsSince(info?.session.date_start, ending !== undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt with one code
  useEffect(() => {
    const element = place.current
    if (!element) return
    let isWritable = false
    const screen = new Screen(element, { fontSize: 14, theme: themeOf(defaultTheme), isLive: () => isWritable })
    screen.setVisible(true)
    const { term } = screen
    const scale = () => screen.scaleInto(element)
    const watcher = new ResizeObserver(scale)
    watcher.observe(element)
    let shown = false
    const meter = new DrawnMeter((bytes) => socket.acknowledge(bytes))
    const socket = new TerminalSocket(
      { type: 'share', target_id: id },
      { cols: term.cols, rows: term.rows, code },
      {
        connected: () => undefined,
        started: (session) => {
          shown = true
          isWritable = session.permission.actions.includes('connect')
          term.options.disableStdin = !isWritable
          setInfo(session)
          if (isWritable) term.focus()
        },
        output: (bytes) => {
          meter.received(bytes.length)
          term.write(bytes, () => meter.drawn(bytes.length))
        },
        paused: setPausedBy,
        resized: (columns, lines) => {
          term.resize(columns, lines)
          requestAnimationFrame(scale)
        },
        latency: () => undefined,
        sharing: sharing.handlers,
        ended: (reason, text) => {
          meter.stop()
          isWritable = false
          term.options.disableStdin = true
          setPausedBy(undefined)
          const over = { reason, text, neverStarted: !shown }
          if (shown) setEnding(over)
          else onRefused(text || endSentence(over))
        },
      },
    )
    const typed = term.onData((text) => {
      if (isWritable) socket.type(text)
    })
    return () => {
      typed.dispose()
      meter.stop()
      socket.leave()
      watcher.disconnect()
      screen.dispose()
    }
  }, [])

  const session = info?.session
  return (
    <div className="session is-live">
      <SessionBar
        badge={
          ending
            ? { is: 'idle', icon: <CircleStop size={13} />, text: t('ended') }
            : { is: 'ok', icon: <Radio size={13} />, text: t('online') }
        }
        user={displayName(session?.user ?? '')}
        target={session ? `${signInName(session.account)}@${displayName(session.asset)}` : ''}
        from={undefined}
        since={session?.date_start}
        length={seconds}
      >
        {info && !info.permission.actions.includes('connect') && <span className="muted">{t('shareReadonly')}</span>}
      </SessionBar>
      <main className="session-screen">
        <div className="fixed-screen" ref={place} />
        <Watermark lines={[session?.user ?? '', session?.asset ?? '']} />
        {pausedBy !== undefined && !ending && <PausedNotice by={displayName(pausedBy)} />}
        {ending && (
          <p className="screen-note" role="status">
            {ending.text || endSentence(ending)}
          </p>
        )}
      </main>
      <aside className="rail">
        <header>
          <b>{t('participants')}</b>
        </header>
        <ParticipantList participants={ending ? [] : sharing.participants} />
      </aside>
    </div>
  )
}
