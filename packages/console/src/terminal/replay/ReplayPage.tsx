import { Button } from 'antd'
import { CirclePlay, Download, Link2, Pause, Play, SkipForward } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { useNarrow } from '../../browser/media.ts'
import { putOnClipboard } from '../../kit/copy.ts'
import { toast } from '../../kit/toast.ts'
import { SessionBar } from '../SessionBar.tsx'
import { displayName, fetchCommands, fetchSession, signInName } from '../session-facts.ts'
import { t } from '../text.ts'
import { Watermark } from '../Watermark.tsx'
import type { SessionRow } from '../wire.ts'
import { CommandRail } from './CommandRail.tsx'
import { type CommandMark, type CommandRow, clock, markCommands, startFrom } from './commands.ts'
import { speeds } from './player.ts'
import { SeekBar } from './SeekBar.tsx'
import { useRecording } from './useRecording.ts'

/** Player of a recorded session: terminal, commands, time line. */
export function ReplayPage() {
  const { sid = '' } = useParams()
  const [query] = useSearchParams()
  const place = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const [session, setSession] = useState<SessionRow>()
  const [rows, setRows] = useState<CommandRow[]>([])
  const [commands, setCommands] = useState<'loading' | 'ready' | 'failed'>('loading')
  const startedAt = session ? Date.parse(session.date_start) / 1000 : 0
  const state = useRecording(sid, place, (recording, info) =>
    startFrom(query.get('timestamp'), recording, Date.parse(info.date_start) / 1000),
  )
  const player = state.at === 'ready' ? state.player : undefined
  const recording = state.at === 'ready' ? state.recording : undefined
  const duration = recording?.duration ?? 0
  const beginning = recording?.header.timestamp || startedAt

  useEffect(() => {
    const abort = new AbortController()
    fetchSession(sid, abort.signal).then(setSession, () => undefined)
    fetchCommands(sid, setRows, abort.signal).then(
      () => setCommands('ready'),
      () => !abort.signal.aborted && setCommands('failed'),
    )
    return () => abort.abort()
  }, [sid])

  const marks = useMemo(
    () => markCommands(rows, beginning, duration || Number.POSITIVE_INFINITY),
    [rows, beginning, duration],
  )
  const count = narrow ? 80 : 160
  const bars = useMemo(() => recording?.activity.bars(count, duration) ?? [], [recording, duration, count])

  useEffect(() => {
    if (!player) return
    const listener = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof HTMLElement && /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return
      const at = speeds.indexOf(player.speed as (typeof speeds)[number])
      const actions: Record<string, () => void> = {
        ' ': () => (player.playing ? player.pause() : player.play()),
        ArrowRight: () => void player.seek(player.time + 5),
        ArrowLeft: () => void player.seek(player.time - 5),
        '+': () => player.setSpeed(speeds[Math.min(speeds.length - 1, at + 1)] ?? 1),
        '-': () => player.setSpeed(speeds[Math.max(0, at - 1)] ?? 1),
        s: () => player.setSkipIdle(!player.skipIdle),
        n: () => jumpBy(1),
        p: () => jumpBy(-1),
      }
      const action = actions[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    const jumpBy = (by: 1 | -1) => {
      const now = player.time
      const next =
        by > 0 ? marks.find((mark) => mark.jump > now + 0.5) : marks.findLast((mark) => mark.jump < now - 1.5)
      if (next) void player.seek(next.jump)
    }
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [player, marks])

  // After a jump from a stopped position, such as the end of a short recording, playback starts to show the command.
  const jump = (mark: CommandMark) => void player?.seek(mark.jump).then(() => player.play())
  const copyLink = async () => {
    const address = new URL(location.href)
    address.searchParams.set('timestamp', String(Math.round(beginning + (player?.time ?? 0) + 5)))
    if (await putOnClipboard(address.href)) toast.ok(t('linkCopied'))
  }
  const info = state.at === 'ready' || state.at === 'other' ? state.info : undefined
  const toggle = player && (
    <Button
      type="text"
      icon={player.playing ? <Pause size={16} /> : <Play size={16} />}
      aria-label={player.playing ? t('pause') : t('play')}
      title={`${player.playing ? t('pause') : t('play')} (${t('spaceKey')})`}
      onClick={() => (player.playing ? player.pause() : player.play())}
    />
  )

  return (
    <div className="session">
      <SessionBar
        badge={{ is: 'idle', icon: <CirclePlay size={13} />, text: t('recording') }}
        user={displayName(info?.user ?? session?.user ?? '')}
        target={`${signInName(info?.account ?? session?.account ?? '')}@${displayName(info?.asset ?? session?.asset ?? '')}`}
        from={session?.remote_addr ?? undefined}
        since={info?.date_start ?? session?.date_start}
        length={duration}
      >
        <Button size="small" type="text" icon={<Link2 size={14} />} disabled={!player} onClick={() => void copyLink()}>
          {t('copyLinkAt', { at: clock(player?.time ?? 0) })}
        </Button>
        {info && (
          <Button size="small" icon={<Download size={14} />} href={info.download_url}>
            {t('download')}
          </Button>
        )}
      </SessionBar>
      <main className="session-screen">
        <div className="fixed-screen" ref={place} />
        <Watermark lines={[session?.user ?? '', session?.asset ?? '']} />
        {state.at === 'loading' && <p className="screen-word">{t('loadingRecording')}</p>}
        {state.at === 'missing' && <p className="screen-word">{t('noRecording')}</p>}
        {state.at === 'failed' && (
          <p className="screen-word">
            {t('recordingFailed')} {state.detail}
          </p>
        )}
        {state.at === 'other' && state.info.type === 'mp4' && (
          // biome-ignore lint/a11y/useMediaCaption: a recorded desktop has nothing to say
          <video className="screen-film" src={state.info.src} controls />
        )}
        {state.at === 'other' && state.info.type !== 'mp4' && <p className="screen-word">{t('otherRecording')}</p>}
        {recording?.complete && (recording.damaged || recording.cut) && (
          <p className="screen-note">{t(recording.damaged ? 'recordingDamaged' : 'recordingCut')}</p>
        )}
      </main>
      <CommandRail
        marks={marks}
        time={player?.time ?? 0}
        loading={commands === 'loading'}
        error={commands === 'failed' ? t('commandsFailed') : undefined}
        onJump={player ? jump : undefined}
      />
      <footer className="seek">
        {toggle}
        <span className="num">
          {clock(player?.time ?? 0)} <span className="muted">/ {clock(duration)}</span>
        </span>
        <SeekBar
          bars={bars}
          marks={marks}
          time={player?.time ?? 0}
          duration={duration}
          onSeek={(to) => void player?.seek(to)}
        />
        <Button
          size="small"
          type="text"
          className={player?.skipIdle ? 'is-on' : ''}
          aria-pressed={player?.skipIdle}
          icon={<SkipForward size={14} />}
          disabled={!player}
          title={t('skipSilence')}
          onClick={() => player?.setSkipIdle(!player.skipIdle)}
        >
          <span className="wide">{t('skipSilence')}</span>
        </Button>
        <select
          className="speed num"
          aria-label={t('speed')}
          value={player?.speed ?? 1}
          disabled={!player}
          onChange={(event) => player?.setSpeed(Number(event.target.value))}
        >
          {speeds.map((speed) => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
      </footer>
    </div>
  )
}
