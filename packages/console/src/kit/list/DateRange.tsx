import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { type KeyboardEvent, useState } from 'react'
import { leavePopup, pickerCell } from '../picker-cells.tsx'
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

/** Puts the keyboard on the first shortcut, once it is in view. */
function enterShortcuts(frames = 30): void {
  const [first] = shortcutsInView()
  if (first) first.focus()
  else if (frames > 0) requestAnimationFrame(() => enterShortcuts(frames - 1))
}

/** The arrow keys among the shortcuts; Esc goes back to the dates. */
function moveAmong(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
  if (event.key === 'Escape') leavePopup()
  if (step === undefined) return
  event.preventDefault()
  const all = shortcutsInView()
  all[(all.indexOf(event.currentTarget as HTMLElement) + step + all.length) % all.length]?.focus()
}

/** Range of a dated list; times default to the first and last second of a day (spec 2 §9). */
export default function DateRange({
  from,
  to,
  onChange,
}: {
  from?: string
  to?: string
  onChange: (from: string, to: string) => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <DatePicker.RangePicker
      className="date-range"
      classNames={{ popup: { root: 'date-range-popup' } }}
      allowClear={false}
      format="YYYY-MM-DD HH:mm"
      value={from && to ? [dayjs(from), dayjs(to)] : undefined}
      showTime={{ defaultValue: [dayjs('00:00:01', 'HH:mm:ss'), dayjs('23:59:59', 'HH:mm:ss')], format: 'HH:mm' }}
      presets={shortcuts.map(([key, days], index) => ({
        // A list entry of the picker's own; the button in it is what keys reach.
        label: (
          <button type="button" className="date-shortcut" tabIndex={index === 0 ? 0 : -1} onKeyDown={moveAmong}>
            {t(key)}
          </button>
        ),
        value: () => [dayjs().subtract(days, 'day'), dayjs()],
      }))}
      cellRender={pickerCell}
      open={open}
      onOpenChange={setOpen}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setOpen(true)
        enterShortcuts()
      }}
      onChange={(range) => {
        const [start, end] = range ?? []
        if (start && end) onChange(start.toISOString(), end.toISOString())
      }}
    />
  )
}
