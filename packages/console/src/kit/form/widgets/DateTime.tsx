import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { pickerCell } from '../../../ant-design/picker-cells.tsx'
import { timestampOf } from '../../row.ts'
import type { WidgetProps } from '../spec.ts'

/** A timestamp, stored as ISO text; a date if the field has no time. */
export default function DateTime({ id, aria, value, onChange, info, invalid, disabled }: WidgetProps) {
  const timestamp = timestampOf(value)
  const day = info.type === 'date'
  return (
    <DatePicker
      id={id}
      {...aria}
      showTime={!day}
      style={{ width: '100%' }}
      value={timestamp ? dayjs(timestamp) : null}
      cellRender={(cell, about) => pickerCell(cell, about)}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      onChange={(next) => onChange(next ? (day ? next.format('YYYY-MM-DD') : next.toISOString()) : null)}
    />
  )
}
