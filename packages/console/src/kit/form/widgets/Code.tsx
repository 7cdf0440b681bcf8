/** Source code with line numbers and colors. The editor is loaded when a form has one. */
import { Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import { CodeToolbar, type CodeTools } from './CodeToolbar.tsx'
import type { CodeEditor, CodeLanguage } from './code-mirror.ts'

export interface CodeAreaProps {
  aria?: WidgetProps['aria']
  text: string
  language: CodeLanguage
  invalid: boolean
  disabled: boolean
  onChange: (text: string) => void
  onBlur?: () => void
}

export function CodeArea({ aria, text, language, invalid, disabled, onChange, onBlur }: CodeAreaProps) {
  const attributes = JSON.stringify(
    Object.fromEntries(
      Object.entries(aria ?? {})
        .filter(([key, value]) => value !== undefined && key !== 'aria-required')
        .map(([key, value]) => [key, String(value)]),
    ),
  )
  const box = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<CodeEditor>()
  const calls = useRef({ onChange, onBlur })
  calls.current = { onChange, onBlur }
  const latest = useRef({ text, attributes })
  latest.current = { text, attributes }
  useEffect(() => {
    let made: CodeEditor | undefined
    let gone = false
    void import('./code-mirror.ts').then(({ createEditor }) => {
      if (gone || !box.current) return
      made = createEditor(box.current, {
        text: latest.current.text,
        attributes: JSON.parse(latest.current.attributes) as Record<string, string>,
        onChange: (next) => calls.current.onChange(next),
        onBlur: () => calls.current.onBlur?.(),
      })
      setEditor(made)
    })
    return () => {
      gone = true
      made?.destroy()
    }
  }, [])
  useEffect(() => editor?.setText(text), [editor, text])
  useEffect(() => void editor?.setLanguage(language), [editor, language])
  useEffect(() => editor?.setLocked(disabled), [editor, disabled])
  useEffect(() => editor?.setAttributes(JSON.parse(attributes) as Record<string, string>), [editor, attributes])
  return (
    <div className={['code-area', invalid ? 'bad' : '', disabled ? 'off' : ''].join(' ')}>
      {!editor && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      <div ref={box} />
      <small className="muted code-hint">{t('codeKeys')}</small>
    </div>
  )
}

export default function Code({ aria, value, onChange, field, invalid, disabled }: WidgetProps) {
  const tools = field.with?.tools as CodeTools | undefined
  return (
    <>
      {tools && <CodeToolbar {...tools} label={t('codeTools')} />}
      <CodeArea
        aria={aria}
        text={typeof value === 'string' ? value : ''}
        language={(field.with?.language as CodeLanguage | undefined) ?? 'shell'}
        invalid={invalid}
        disabled={disabled}
        onChange={onChange}
      />
    </>
  )
}
