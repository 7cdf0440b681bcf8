/** Ant Design's select with additions for keyboards and screen readers. */
import { Select as Bare, type SelectProps } from 'antd'
import { ChevronDown, CircleX, X } from 'lucide-react'
import { useId } from 'react'
import { createPortal } from 'react-dom'
import { t } from './text.ts'

interface Shown {
  value?: unknown
  label?: unknown
  options?: readonly Shown[]
}

const isShown = (value: unknown): value is Shown => typeof value === 'object' && value !== null && 'value' in value

/** Labels of the selected values, given as plain values or with labels. */
function wordsOf(value: unknown, options: readonly Shown[]): string[] {
  const flat = options.flatMap((option) => option.options ?? [option])
  return [value]
    .flat()
    .filter((one) => one !== undefined && one !== null && one !== '')
    .map((one) => {
      const key = isShown(one) ? one.value : one
      const label = isShown(one) ? one.label : flat.find((option) => option.value === key)?.label
      return typeof label === 'string' || typeof label === 'number' ? String(label) : String(key)
    })
}

export function Select<Value, Option extends NonNullable<SelectProps['options']>[number]>(
  props: SelectProps<Value, Option>,
) {
  const id = useId()
  const words = wordsOf(props.value, props.options ?? [])
  const described = [words.length > 0 && id, props['aria-describedby']].filter(Boolean).join(' ')
  return (
    <>
      <Bare
        // Ant Design's own icons are images with English names.
        suffixIcon={props.loading ? undefined : <ChevronDown size={14} />}
        removeIcon={<X size={12} />}
        {...props}
        allowClear={props.allowClear && { clearIcon: <CircleX size={14} />, label: t('clear') }}
        aria-describedby={described || undefined}
        // Ant Design selects the active option on Tab and keeps the focus. Here, Tab moves on.
        onInputKeyDown={(event) => {
          if (event.key === 'Tab') event.stopPropagation()
          props.onInputKeyDown?.(event)
        }}
      />
      {
        // The selected values are outside the empty input, so a screen reader would announce no selection.
        // Options need text labels: for elements, it would announce the value, which may be an id.
        words.length > 0 &&
          createPortal(
            <span id={id} hidden>
              {words.join(', ')}
            </span>,
            document.body,
          )
      }
    </>
  )
}
