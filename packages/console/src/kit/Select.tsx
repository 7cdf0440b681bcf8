/** Ant Design's select, with what it lacks for keys and for those who hear the page. */
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

/** What the chosen values are called, however they are given: by themselves, or with their labels. */
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
        // Icons of its own are pictures with English names.
        suffixIcon={props.loading ? undefined : <ChevronDown size={14} />}
        removeIcon={<X size={12} />}
        {...props}
        allowClear={props.allowClear && { clearIcon: <CircleX size={14} />, label: t('clear') }}
        aria-describedby={described || undefined}
        // Tab goes on; left to itself it ticks the option that is lit, and again, and never leaves.
        onInputKeyDown={(event) => {
          if (event.key === 'Tab') event.stopPropagation()
          props.onInputKeyDown?.(event)
        }}
      />
      {
        // The values stand beside the input, which by itself is empty: a screen reader would say that nothing is chosen.
        // Not drawn with elements instead of words, or it would say what they are known by, which may be ids.
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
