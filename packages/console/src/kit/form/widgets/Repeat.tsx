/** Rows of the same fields. Rows can be removed and moved; new ones are added at the end. */
import { Button } from 'antd'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { ComponentType } from 'react'
import { t } from '../../text.ts'
import type { Form } from '../controller.ts'
import { get, withDefaults } from '../values.ts'

export function Repeat({
  form,
  name,
  disabled,
  Field,
}: {
  form: Form
  name: string
  disabled: boolean
  /** Renders a field of a row. Passed as a prop, because a field may contain rows itself. */
  Field: ComponentType<{ form: Form; name: string }>
}) {
  const value = get(form.values, name)
  const rows = Array.isArray(value) ? (value as Record<string, unknown>[]) : []
  const children = form.infoOf(name).child?.children ?? {}
  const keys = Object.keys(children).filter((key) => !children[key]?.read_only)
  const put = (next: unknown[]) => form.change(name, next)
  const move = (from: number, to: number) => {
    const next = [...rows]
    next.splice(to, 0, ...next.splice(from, 1))
    put(next)
  }
  return (
    <div className="repeat">
      {rows.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
        <div className="repeat-row" key={index}>
          <div className="cols-2">
            {keys.map((key) => (
              <Field key={key} form={form} name={`${name}.${index}.${key}`} />
            ))}
          </div>
          <div className="repeat-acts">
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
            <Button
              type="text"
              size="small"
              icon={<Trash2 size={14} />}
              aria-label={t('removeRow', { row: index + 1 })}
              disabled={disabled}
              onClick={() => put(rows.filter((_row, at) => at !== index))}
            />
          </div>
        </div>
      ))}
      <Button
        size="small"
        icon={<Plus size={14} />}
        disabled={disabled}
        onClick={() => put([...rows, withDefaults({}, children)])}
      >
        {t('addRow')}
      </Button>
    </div>
  )
}
