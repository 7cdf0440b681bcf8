import type { TerminalSessionInfo } from '@castellan/contract/web-terminal'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { putOnClipboard } from '../../kit/copy.ts'
import { session as site } from '../../kit/session.ts'
import { toast } from '../../kit/toast.ts'
import { displayName } from '../session-facts.ts'
import type { TerminalSettings } from '../settings/preferences.ts'
import { ShareDialog } from '../sharing/ShareDialog.tsx'
import { useSharing } from '../sharing/useSharing.ts'
import { t } from '../text.ts'
import type { PaneHandle } from '../workspace/handles.ts'
import type { Pane, PaneState } from '../workspace/model.ts'
import { readText } from './clipboard.ts'
import { type Ending, EndNotice, PausedNotice } from './EndNotice.tsx'
import { DrawnMeter } from './flow.ts'
import { SearchBar } from './SearchBar.tsx'
import { StatusLine } from './StatusLine.tsx'
import { Screen } from './screen.ts'
import { TerminalSocket } from './socket.ts'
import { themeOf } from './themes.ts'

export interface TerminalPaneProps {
  pane: Pane
  /** Its tab is visible. */
  visible: boolean
  /** It is the focused pane. */
  active: boolean
  closable: boolean
  settings: TerminalSettings
  handleOf: (pane: string, handle: PaneHandle | undefined) => void
  onState: (state: PaneState) => void
  onFocus: () => void
  onReconnect: () => void
  onFiles: () => void
  onClose: () => void
}

/** Resets modes that a killed program left enabled, so that they do not affect the next session. */
const leaveModes = '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[!p\x1b[0m'

/** One terminal: screen, socket and status line. */
export function TerminalPane(props: TerminalPaneProps) {
  const { pane, visible, active, settings, onState, handleOf } = props
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(undefined)
  const socket = useRef<TerminalSocket>(undefined)
  // Listeners live as long as the screen and read the current values on each key.
  const latest = useRef(props)
  latest.current = props
  const [session, setSession] = useState<TerminalSessionInfo>()
  const [ending, setEnding] = useState<Ending>()
  const [pausedBy, setPausedBy] = useState<string>()
  const [latency, setLatency] = useState<number>()
  const [searching, setSearching] = useState(false)
  const [sharingOpen, setSharingOpen] = useState(false)
  const sharing = useSharing()
  const [ready, setReady] = useState<Screen>()
  const theme = useMemo(() => themeOf(settings.themeName), [settings.themeName])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the screen is created once; looks are applied by the effect below
  useEffect(() => {
    const element = place.current
    if (!element) return
    const made = new Screen(element, {
      fontSize: settings.fontSize,
      theme,
      isLive: () => latest.current.pane.state !== 'ended',
    })
    screen.current = made
    setReady(made)
    const { term } = made
    const listeners = [
      term.onData((text) => {
        const now = latest.current
        if (now.pane.state === 'ended') {
          if (text === '\r') now.onReconnect()
          return
        }
        socket.current?.type(now.settings.backspaceAsCtrlH ? text.replaceAll('\x7f', '\b') : text)
      }),
      term.onBinary((text) => socket.current?.typeBytes(Uint8Array.from(text, (char) => char.charCodeAt(0)))),
      term.onResize(({ cols, rows }) => socket.current?.resize({ cols, rows })),
    ]
    const copy = () => {
      if (term.hasSelection()) void putOnClipboard(term.getSelection())
    }
    const paste = (event: MouseEvent) => {
      if (!latest.current.settings.rightClickPaste) return
      event.preventDefault()
      void readText().then((text) => {
        if (text === undefined) toast.error(t('clipboardRefused'))
        else term.paste(text)
      })
    }
    const focused = () => latest.current.onFocus()
    element.addEventListener('focusin', focused)
    element.addEventListener('mouseup', copy)
    element.addEventListener('contextmenu', paste)
    const watcher = new ResizeObserver(() => made.fit())
    watcher.observe(element)
    handleOf(pane.id, {
      find: () => setSearching(true),
      focus: () => term.focus(),
      type: (text) => socket.current?.type(text),
    })
    return () => {
      handleOf(pane.id, undefined)
      watcher.disconnect()
      element.removeEventListener('focusin', focused)
      element.removeEventListener('mouseup', copy)
      element.removeEventListener('contextmenu', paste)
      for (const listener of listeners) listener.dispose()
      made.dispose()
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new token reconnects
  useEffect(() => {
    const made = screen.current
    if (!made) return
    const { term } = made
    made.fit()
    let used: TerminalSessionInfo | undefined
    const meter = new DrawnMeter((bytes) => opened.acknowledge(bytes))
    const opened = new TerminalSocket(
      { token: pane.tokenId },
      { cols: term.cols, rows: term.rows },
      {
        connected: () => made.fit(),
        started: (info) => {
          used = info
          setSession(info)
          onState('open')
        },
        output: (bytes) => {
          meter.received(bytes.length)
          term.write(bytes, () => meter.drawn(bytes.length))
        },
        paused: setPausedBy,
        latency: setLatency,
        sharing: sharing.handlers,
        ended: (reason, text) => {
          meter.stop()
          // Only from the alternate screen: otherwise it would move the cursor to its last saved position.
          if (term.buffer.active.type === 'alternate') term.write('\x1b[?1049l')
          term.write(leaveModes)
          setPausedBy(undefined)
          sharing.handlers.all([])
          setSharingOpen(false)
          setLatency(undefined)
          setEnding({ reason, text, neverStarted: used === undefined })
          onState('ended')
        },
      },
    )
    socket.current = opened
    sharing.clear()
    setEnding(undefined)
    // After a click on Reconnect, focus moves to the terminal, because the button disappears.
    if (latest.current.visible && latest.current.active) term.focus()
    if (term.buffer.active.baseY > 0 || term.buffer.active.cursorY > 0) term.write('\r\n')
    term.scrollToBottom()
    return () => {
      meter.stop()
      opened.leave()
    }
  }, [pane.tokenId])

  useEffect(() => {
    ready?.setLook({ fontSize: settings.fontSize, theme })
    ready?.fit()
  }, [ready, settings.fontSize, theme])

  useEffect(() => {
    ready?.setVisible(visible)
    if (visible) ready?.fit()
    if (visible && active) ready?.term.focus()
  }, [ready, visible, active])

  const closeSearch = useCallback(() => {
    setSearching(false)
    screen.current?.term.focus()
  }, [])

  const mayShare =
    session?.permission.actions.includes('share') === true && site().settings.SECURITY_SESSION_SHARE === true
  const isLive = pane.state === 'open'
  return (
    <>
      <div className="term-place" style={{ background: theme.background }}>
        <div className="term-screen" ref={place} />
        {searching && ready && <SearchBar screen={ready} onClose={closeSearch} />}
        {pausedBy !== undefined && <PausedNotice by={displayName(pausedBy)} />}
        {pane.state === 'connecting' && !ending && (
          <div className="term-waiting">{t('connectingTo', pane.target.asset)}</div>
        )}
        {ending && pane.state === 'ended' && (
          <EndNotice byEnter ending={ending} onReconnect={props.onReconnect} onClose={props.onClose} />
        )}
      </div>
      <StatusLine
        pane={pane}
        session={session}
        latency={latency}
        paused={pausedBy !== undefined}
        participants={sharing.participants.length}
        onShare={isLive && (mayShare || sharing.participants.length > 1) ? () => setSharingOpen(true) : undefined}
        onFind={() => setSearching(true)}
        onFiles={props.onFiles}
        onClose={props.closable ? props.onClose : undefined}
      />
      {session && (
        <ShareDialog
          open={sharingOpen}
          sharing={sharing}
          mayShare={mayShare}
          onShare={(wish) => socket.current?.share({ session: session.session.id, origin: location.origin, ...wish })}
          onSearch={(text) => socket.current?.findUsers(text)}
          onRemove={(participant) => socket.current?.removeParticipant(session.session.id, participant)}
          onClose={() => {
            setSharingOpen(false)
            sharing.clear()
          }}
        />
      )}
    </>
  )
}
