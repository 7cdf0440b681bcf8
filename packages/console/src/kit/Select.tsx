/** Ant Design's select, with what it lacks for keys and for those who hear the page. */
import { Select as Bare, type SelectProps } from 'antd'
import { ChevronDown, CircleX, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from './text.ts'

type Shown = { value?: unknown; label?: unknown }

/** What a value is known by, however it is given: by itself, or with its label. */
const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'value' in value ? value.value : value

export function Select<Value, Option extends NonNullable<SelectProps['options']>[number]>(
  props: SelectProps<Value, Option>,
) {
  const own = useId()
  const keys = [props.value]
    .flat()
    .map(keyOf)
    .filter((key) => key !== undefined && key !== null && key !== '')
  const idOf = (key: unknown) => `${own}${keys.indexOf(key)}`
  const label = props.labelRender ?? ((item) => (item as Shown).label as ReactNode)
  return (
    <Bare
      // Icons of its own are pictures with English names.
      suffixIcon={props.loading ? undefined : <ChevronDown size={14} />}
      removeIcon={<X size={12} />}
      {...props}
      allowClear={props.allowClear && { clearIcon: <CircleX size={14} />, label: t('clear') }}
      // The value stands beside the input, which by itself is empty: a screen reader would say that nothing is chosen.
      aria-describedby={[...keys.map(idOf), props['aria-describedby']].filter(Boolean).join(' ') || undefined}
      labelRender={(item) => (
        <span id={idOf(item.value)} title={typeof item.label === 'string' ? item.label : undefined}>
          {label(item) ?? String(item.value)}
        </span>
      )}
      // Tab goes on; left to itself it ticks the option that is lit, and again, and never leaves.
      onInputKeyDown={(event) => {
        if (event.key === 'Tab') event.stopPropagation()
        props.onInputKeyDown?.(event)
      }}
    />
  )
}
