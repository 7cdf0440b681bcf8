/** JSON in an editor. The value is updated half a second after typing; invalid JSON is reported one second later. */
import { useRef, useState } from 'react'
import type { WidgetProps } from '../spec.ts'
import { CodeArea } from './Code.tsx'

const emitAfter = 500
const complainAfter = 1500

const print = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** The parsed value of a text. Invalid JSON stays text, which the form rejects. */
function read(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

export default function Json({ aria, value, onChange, invalid, disabled }: WidgetProps) {
  const [text, setText] = useState(() => print(value))
  const [emitted, setEmitted] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // An external value (reset, another object) replaces the text. Our own value does not reformat it.
  if (value !== emitted) {
    setEmitted(value)
    if (JSON.stringify(read(text)) !== JSON.stringify(value)) setText(print(value))
  }
  const emit = (typed: string) => {
    clearTimeout(timer.current)
    const next = read(typed)
    setEmitted(next)
    onChange(next)
  }
  return (
    <CodeArea
      aria={aria}
      text={text}
      language="json"
      invalid={invalid}
      disabled={disabled}
      onChange={(typed) => {
        setText(typed)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => emit(typed), typeof read(typed) === 'string' ? complainAfter : emitAfter)
      }}
      onBlur={() => {
        if (JSON.stringify(read(text)) !== JSON.stringify(value)) emit(text)
      }}
    />
  )
}
