import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { t } from '../text.ts'

const shortcuts = [
  ['lastDay', 1],
  ['lastWeek', 7],
  ['lastMonth', 30],
  ['lastQuarter', 90],
  ['lastHalfYear', 183],
  ['lastYear', 365],
] as const

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
  return (
    <DatePicker.RangePicker
      className="date-range"
      classNames={{ popup: { root: 'date-range-popup' } }}
      allowClear={false}
      format="YYYY-MM-DD HH:mm"
      value={from && to ? [dayjs(from), dayjs(to)] : undefined}
      showTime={{ defaultValue: [dayjs('00:00:01', 'HH:mm:ss'), dayjs('23:59:59', 'HH:mm:ss')], format: 'HH:mm' }}
      presets={shortcuts.map(([key, days]) => ({
        label: t(key),
        value: () => [dayjs().subtract(days, 'day'), dayjs()],
      }))}
      onChange={(range) => {
        const [start, end] = range ?? []
        if (start && end) onChange(start.toISOString(), end.toISOString())
      }}
    />
  )
}
