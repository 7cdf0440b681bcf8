/** Rows of the same fields. Rows can be removed and moved; new ones are added at the end. */
import type { ComponentType } from 'react'
import type { Form } from '../controller.ts'
import { get, withDefaults } from '../values.ts'
import { RepeatRows } from './RepeatRows.tsx'

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
  return (
    <RepeatRows
      rows={rows}
      disabled={disabled}
      isOrdered
      added={() => withDefaults({}, children)}
      onChange={(next) => form.change(name, next)}
    >
      {(_row, index) => (
        <div className="cols-2">
          {keys.map((key) => (
            <Field key={key} form={form} name={`${name}.${index}.${key}`} />
          ))}
        </div>
      )}
    </RepeatRows>
  )
}
