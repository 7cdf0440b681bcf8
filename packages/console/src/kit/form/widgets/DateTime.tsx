import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { momentOf } from '../../row.ts'
import type { WidgetProps } from '../spec.ts'

/** A moment; kept as ISO text. */
export default function DateTime({ id, value, onChange, invalid, disabled }: WidgetProps) {
  const moment = momentOf(value)
  return (
    <DatePicker
      id={id}
      showTime
      style={{ width: '100%' }}
      value={moment ? dayjs(moment) : null}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      onChange={(next) => onChange(next ? next.toISOString() : null)}
    />
  )
}
