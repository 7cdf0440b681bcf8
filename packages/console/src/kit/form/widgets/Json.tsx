import { Input } from 'antd'
import { useState } from 'react'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

/** JSON as text; emits the value while it is valid. */
export default function Json({ id, value, onChange, disabled }: WidgetProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  const [bad, setBad] = useState(false)
  return (
    <>
      <Input.TextArea
        id={id}
        className="mono"
        value={text}
        disabled={disabled}
        status={bad ? 'error' : undefined}
        autoSize={{ minRows: 4, maxRows: 20 }}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value)
          try {
            onChange(JSON.parse(event.target.value || 'null'))
            setBad(false)
          } catch {
            setBad(true)
          }
        }}
      />
      {bad && <small className="is-danger">{t('notJson')}</small>}
    </>
  )
}
