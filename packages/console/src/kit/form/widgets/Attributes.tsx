/** Rows added one by one with a small form above the table. */
import { Button, Input } from 'antd'
import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { readableName } from '../../api/metadata.ts'
import { wordOf } from '../../row.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

export interface AttributeColumn {
  name: string
  label: string
}

export default function Attributes({ value, onChange, field, info, disabled }: WidgetProps) {
  const own = field.with?.columns as readonly AttributeColumn[] | undefined
  const columns =
    own ??
    Object.entries(info.child?.children ?? {}).map(([name, child]) => ({
      name,
      label: child.label ?? readableName(name),
    }))
  const rows = Array.isArray(value) ? (value as Record<string, unknown>[]) : []
  const [draft, setDraft] = useState<Record<string, string>>({})
  const id = useId()
  const complete = columns.every((column) => draft[column.name]?.trim())
  const add = () => {
    if (!complete) return
    onChange([...rows, Object.fromEntries(columns.map(({ name }) => [name, draft[name]?.trim()]))])
    setDraft({})
  }
  return (
    <div className="stack-8">
      <div className="join attribute-draft">
        {columns.map((column) => (
          <Input
            key={column.name}
            id={`${id}-${column.name}`}
            aria-label={column.label}
            placeholder={column.label}
            value={draft[column.name] ?? ''}
            disabled={disabled}
            onChange={(event) => setDraft({ ...draft, [column.name]: event.target.value })}
            onPressEnter={(event) => {
              event.preventDefault()
              add()
            }}
          />
        ))}
        <Button icon={<Plus size={14} />} disabled={disabled || !complete} onClick={add}>
          {t('add')}
        </Button>
      </div>
      {rows.length > 0 && (
        <table className="attribute-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} data-column={column.name}>
                  {column.label}
                </th>
              ))}
              <th data-column="actions">
                <span className="only-read">{t('actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column.name}>{wordOf(row[column.name])}</td>
                ))}
                <td className="end">
                  <Button
                    type="text"
                    size="small"
                    icon={<Trash2 size={14} />}
                    disabled={disabled}
                    aria-label={t('removeRow', { row: index + 1 })}
                    onClick={() => onChange(rows.filter((_row, at) => at !== index))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
