import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { type KeyboardEvent, useRef, useState } from 'react'
import { leavePopup, pickerCell } from '../../ant-design/picker-cells.tsx'
import { t } from '../text.ts'

const shortcuts = [
  ['lastDay', 1],
  ['lastWeek', 7],
  ['lastMonth', 30],
  ['lastQuarter', 90],
  ['lastHalfYear', 183],
  ['lastYear', 365],
] as const

const shortcutsInView = () =>
  [...document.querySelectorAll<HTMLElement>('.date-range-popup .date-shortcut')].filter((one) => one.checkVisibility())

/** Focuses the first shortcut once it is visible. */
function enterShortcuts(frames = 30): void {
  const [first] = shortcutsInView()
  if (first) first.focus()
  else if (frames > 0) requestAnimationFrame(() => enterShortcuts(frames - 1))
}

/** Arrow keys move between shortcuts; Esc returns to the dates. */
function moveAmong(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  if (event.key === 'Escape') leavePopup()
  if (step === undefined) return
  event.preventDefault()
  const all = shortcutsInView()
  all[(all.indexOf(event.currentTarget as HTMLElement) + step + all.length) % all.length]?.focus()
}

type Ends = [Dayjs | null, Dayjs | null]

const sameTime = (one: Dayjs, other: Dayjs) => one.valueOf() === other.valueOf()

/** Date range of a list. A day starts with its first second and ends with its last, unless a time is picked. */
export default function DateRange({
  from,
  to,
  onChange,
}: {
  from?: string
  to?: string
  /** `lastDays` if a shortcut was chosen, whose range ends now. */
  onChange: (from: string, to: string, lastDays?: number) => void
}) {
  const [open, setOpen] = useState(false)
  const picked = useRef<'day' | 'time'>(undefined)
  const timed = useRef<[boolean, boolean]>([false, false])
  const shortcut = useRef<{ days: number; start: Dayjs; end: Dayjs }>(undefined)
  const lastDays = (days: number): [Dayjs, Dayjs] => {
    const end = dayjs()
    const start = end.subtract(days, 'day')
    shortcut.current = { days, start, end }
    return [start, end]
  }
  const limitDays = (ends: Ends, index: 0 | 1) => {
    const what = picked.current
    const end = ends[index]
    picked.current = undefined
    if (what === 'time') timed.current[index] = true
    // The picker keeps the time of day of its field; this array contains the value it will show and return.
    if (what === 'day' && end && !timed.current[index])
      ends[index] = index === 0 ? end.startOf('day') : end.endOf('day').startOf('second')
  }
  return (
    <DatePicker.RangePicker
      className="date-range"
      classNames={{ popup: { root: 'date-range-popup' } }}
      allowClear={false}
      format="YYYY-MM-DD HH:mm"
      value={from && to ? [dayjs(from), dayjs(to)] : undefined}
      showTime={{ defaultValue: [dayjs().startOf('day'), dayjs().endOf('day').startOf('second')], format: 'HH:mm' }}
      presets={shortcuts.map(([key, days], index) => ({
        // A list item of the picker; its button is reachable by keyboard.
        label: (
          <button type="button" className="date-shortcut" tabIndex={index === 0 ? 0 : -1} onKeyDown={moveAmong}>
            {t(key)}
          </button>
        ),
        value: () => lastDays(days),
      }))}
      cellRender={(cell, about) =>
        pickerCell(cell, about, (what) => {
          picked.current = what
        })
      }
      onCalendarChange={(ends, _texts, { range }) => limitDays(ends, range === 'start' ? 0 : 1)}
      open={open}
      onOpenChange={(next) => {
        if (next) timed.current = [false, false]
        setOpen(next)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setOpen(true)
        enterShortcuts()
      }}
      onChange={(range) => {
        const [start, end] = range ?? []
        if (!start || !end) return
        const { current: last } = shortcut
        const isLast = last && sameTime(start, last.start) && sameTime(end, last.end)
        onChange(start.toISOString(), end.toISOString(), isLast ? last.days : undefined)
      }}
    />
  )
}
