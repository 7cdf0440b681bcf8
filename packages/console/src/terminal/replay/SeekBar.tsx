import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { t } from '../text.ts'
import { type CommandMark, clock } from './commands.ts'

export interface SeekBarProps {
  /** Heights from 0 to 1, over the whole duration. */
  bars: number[]
  marks: CommandMark[]
  time: number
  duration: number
  onSeek: (time: number) => void
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400]

/** Activity over time with flagged commands, so that silence is visible. Drag, click, or arrow keys. */
export function SeekBar({ bars, marks, time, duration, onSeek }: SeekBarProps) {
  const track = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<number>()
  const share = duration > 0 ? time / duration : 0
  const flagged = useMemo(() => marks.filter((mark) => mark.tone), [marks])
  const axis = useMemo(() => {
    const day = 86_400
    const step = steps.find((one) => duration / one <= 7) ?? Math.ceil(duration / 7 / day) * day
    return Array.from({ length: Math.floor(duration / step) + 1 }, (_, i) => i * step)
  }, [duration])

  const momentOf = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    if (!box) return 0
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * duration
  }
  const onKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowRight: time + 5,
      ArrowLeft: time - 5,
      PageUp: time + 60,
      PageDown: time - 60,
      Home: 0,
      End: duration,
    }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onSeek(Math.min(duration, Math.max(0, to)))
  }
  return (
    <div
      className="track"
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={t('position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={clock(time)}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        onSeek(momentOf(event))
      }}
      onPointerMove={(event) => {
        const timestamp = momentOf(event)
        setHover(timestamp)
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onSeek(timestamp)
      }}
      onPointerLeave={() => setHover(undefined)}
    >
      <svg className="activity" viewBox={`0 0 ${bars.length * 4} 26`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((bar, i) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by their position
            key={i}
            x={i * 4 + 0.5}
            width={3}
            y={26 - Math.max(1, bar * 26)}
            height={Math.max(1, bar * 26)}
            className={i / bars.length < share ? 'past' : ''}
          />
        ))}
      </svg>
      {flagged.map((mark) => (
        <i
          key={mark.id}
          className={`mark is-${mark.tone}`}
          style={{ left: `${duration > 0 ? (mark.at / duration) * 100 : 0}%` }}
          title={`${clock(mark.at)} ${mark.input}`}
        />
      ))}
      <span className="head" style={{ left: `calc(${share * 100}% - 1px)` }} />
      {hover !== undefined && duration > 0 && (
        <span className="hover num" style={{ left: `${(hover / duration) * 100}%` }}>
          {clock(hover)}
        </span>
      )}
      <span className="axis" aria-hidden="true">
        {axis.map((at) => (
          <span key={at} style={{ left: `${duration > 0 ? (at / duration) * 100 : 0}%` }}>
            {clock(at)}
          </span>
        ))}
      </span>
    </div>
  )
}
