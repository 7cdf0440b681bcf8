/** Rows of a field, with buttons to remove and move them and one to add another at the end. */
import { Button } from 'antd'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../text.ts'

export function RepeatRows<R>({
  rows,
  disabled,
  isOrdered = false,
  added,
  onChange,
  children,
}: {
  rows: readonly R[]
  disabled: boolean
  /** Their order has a meaning, so they can be moved. */
  isOrdered?: boolean
  /** A new row. */
  added: () => R
  onChange: (rows: R[]) => void
  /** What stands in a row. */
  children: (row: R, index: number) => ReactNode
}) {
  const move = (from: number, to: number) => {
    const next = [...rows]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
  }
  return (
    <div className="repeat">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
        <div className="repeat-row" key={index}>
          {children(row, index)}
          <div className="repeat-acts">
            {isOrdered && (
              <>
                <Button
                  type="text"
                  size="small"
                  icon={<ArrowUp size={14} />}
                  aria-label={t('moveUp', { row: index + 1 })}
                  disabled={disabled || index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <Button
                  type="text"
                  size="small"
                  icon={<ArrowDown size={14} />}
                  aria-label={t('moveDown', { row: index + 1 })}
                  disabled={disabled || index === rows.length - 1}
                  onClick={() => move(index, index + 1)}
                />
              </>
            )}
            <Button
              type="text"
              size="small"
              icon={<Trash2 size={14} />}
              aria-label={t('removeRow', { row: index + 1 })}
              disabled={disabled}
              onClick={() => onChange(rows.filter((_row, at) => at !== index))}
            />
          </div>
        </div>
      ))}
      <Button size="small" icon={<Plus size={14} />} disabled={disabled} onClick={() => onChange([...rows, added()])}>
        {t('addRow')}
      </Button>
    </div>
  )
}
