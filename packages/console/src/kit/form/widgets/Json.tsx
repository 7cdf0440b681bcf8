/** JSON in an editor. The value follows half a second after the typing; what is no JSON is said a second later. */
import { useRef, useState } from 'react'
import type { WidgetProps } from '../spec.ts'
import { CodeArea } from './Code.tsx'

const emitAfter = 500
const complainAfter = 1500

const print = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** The value of a text; text that is no JSON stays text, which the form refuses. */
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
  // A value from outside (reset, another object) replaces the text; our own does not reformat it.
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
