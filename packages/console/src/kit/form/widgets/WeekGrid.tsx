/** Times of the week: a grid of half hours, selected with the pointer or the arrow keys. */
import { Button } from 'antd'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { weekdayName } from '../../row.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import {
  type Cell,
  cellsADay,
  emptyWeek,
  fullWeek,
  painted,
  rangesOf,
  readWeek,
  timeOf,
  weekDays,
  writeWeek,
} from './week.ts'

const cellAt = (target: EventTarget | Element | null): Cell | undefined => {
  const data = (target as HTMLElement | null)?.dataset
  return data?.day === undefined ? undefined : { day: Number(data.day), cell: Number(data.cell) }
}

export default function WeekGrid({ aria, value, onChange, disabled }: WidgetProps) {
  const week = readWeek(value)
  const [drag, setDrag] = useState<{ from: Cell; to: Cell; on: boolean }>()
  const [focus, setFocus] = useState<Cell>({ day: 0, cell: 18 })
  const grid = useRef<HTMLTableElement>(null)
  const shown = drag ? painted(week, drag.from, drag.to, drag.on) : week
  const put = (next: typeof week) => onChange(writeWeek(next))

  const start = (event: PointerEvent) => {
    const from = cellAt(event.target)
    if (!from || disabled || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setFocus(from)
    setDrag({ from, to: from, on: !week[from.day]?.[from.cell] })
  }
  const move = (event: PointerEvent) => {
    const to = drag && cellAt(document.elementFromPoint(event.clientX, event.clientY))
    if (to) setDrag({ ...drag, to })
  }
  const end = () => {
    if (drag) put(shown)
    setDrag(undefined)
  }

  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (!disabled) put(painted(week, focus, focus, !week[focus.day]?.[focus.cell]))
      return
    }
    const edge = event.key === 'Home' ? 0 : event.key === 'End' ? cellsADay - 1 : undefined
    if (!step && edge === undefined) return
    event.preventDefault()
    const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value))
    const to: Cell = {
      day: clamp(focus.day + (step?.[0] ?? 0), weekDays.length - 1),
      cell: edge ?? clamp(focus.cell + (step?.[1] ?? 0), cellsADay - 1),
    }
    // With Shift, cells passed over get the state of the previous cell.
    if (event.shiftKey && !disabled) put(painted(week, focus, to, week[focus.day]?.[focus.cell] ?? false))
    setFocus(to)
    grid.current?.querySelector<HTMLElement>(`[data-day="${to.day}"][data-cell="${to.cell}"]`)?.focus()
  }

  return (
    <div className="week">
      <div className="week-scroll">
        <div className="week-hours" aria-hidden>
          {Array.from({ length: 12 }, (_, at) => (
            <span key={timeOf(at * 4)}>{timeOf(at * 4)}</span>
          ))}
        </div>
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are selected with the keyboard
          role="grid"
          aria-labelledby={aria?.['aria-labelledby']}
          aria-disabled={disabled}
          aria-multiselectable
          className="week-grid"
          onPointerDown={start}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={() => setDrag(undefined)}
          onKeyDown={keys}
        >
          <tbody>
            {weekDays.map((id, day) => (
              <tr key={id}>
                <th scope="row">{weekdayName(id)}</th>
                {shown[day]?.map((on, cell) => (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is a gridcell
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by their position
                    key={cell}
                    className={on ? 'on' : ''}
                    data-day={day}
                    data-cell={cell}
                    tabIndex={focus.day === day && focus.cell === cell ? 0 : -1}
                    aria-selected={on}
                    aria-label={`${weekdayName(id, 'long')} ${timeOf(cell)}–${timeOf(cell + 1)}`}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="line">
        <Button size="small" disabled={disabled} onClick={() => put(fullWeek())}>
          {t('selectAll')}
        </Button>
        <Button size="small" disabled={disabled} onClick={() => put(emptyWeek())}>
          {t('clear')}
        </Button>
      </div>
      <p className="muted small">{t('weekKeys')}</p>
      {shown.some((day) => day.includes(true)) && (
        <dl className="week-words">
          {weekDays.map((id, day) => {
            const ranges = rangesOf(shown[day] ?? [])
            return ranges ? (
              <div key={id}>
                <dt>{weekdayName(id)}</dt>
                <dd>{ranges.replaceAll('~', '–')}</dd>
              </div>
            ) : null
          })}
        </dl>
      )}
    </div>
  )
}
