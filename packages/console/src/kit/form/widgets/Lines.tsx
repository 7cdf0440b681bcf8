/** A list of texts with one input per row, numbered if the order matters. */
import { Button, Input } from 'antd'
import { Minus, Plus } from 'lucide-react'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import { listOf } from './tags.ts'

export default function Lines({ value, onChange, field, disabled }: WidgetProps) {
  const list = listOf(value)
  const rows = list.length > 0 ? list : ['']
  const put = (next: string[]) => onChange(next)
  return (
    <div className="lines">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
        <div className="join" key={index}>
          <Input
            prefix={field.with?.numbered ? <span className="muted small">{index + 1}</span> : undefined}
            aria-label={t('rowOf', { row: index + 1 })}
            value={row}
            disabled={disabled}
            onChange={(event) => put(rows.map((old, at) => (at === index ? event.target.value : old)))}
          />
          <Button
            icon={<Minus size={14} />}
            disabled={disabled || rows.length === 1}
            title={rows.length === 1 ? t('lastStays') : undefined}
            aria-label={t('removeRow', { row: index + 1 })}
            onClick={() => put(rows.filter((_row, at) => at !== index))}
          />
          <Button
            icon={<Plus size={14} />}
            disabled={disabled || row.trim() === ''}
            aria-label={t('addRowAfter', { row: index + 1 })}
            onClick={() => put([...rows.slice(0, index + 1), '', ...rows.slice(index + 1)])}
          />
        </div>
      ))}
    </div>
  )
}
