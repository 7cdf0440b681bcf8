import { Input, type InputRef, Modal } from 'antd'
import { useRef, useState } from 'react'
import { t } from '../text.ts'
import { badName } from './paths.ts'

export interface NameDialogProps {
  title: string
  verb: string
  name: string
  taken: string[]
  onDone: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a new folder, or a new name; validates while typing. */
export function NameDialog({ title, verb, name, taken, onDone, onClose }: NameDialogProps) {
  const [value, setValue] = useState(name)
  const field = useRef<InputRef>(undefined)
  // When the field is made and not when the dialog has opened: what somebody typed by then would be selected, and
  // replaced by the next key.
  const begin = (input: InputRef | null) => {
    if (!input || field.current) return
    field.current = input
    // Users change the part before the extension.
    const dot = name.lastIndexOf('.')
    input.setSelectionRange(0, dot > 0 ? dot : name.length)
  }
  const bad = badName(value)
  const exists = value !== name && taken.includes(value)
  const wrong = bad === 'slash' ? t('nameSlash') : exists ? t('fileExists') : ''
  const usable = !bad && !exists && value !== name
  return (
    <Modal
      open
      title={title}
      okText={verb}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !usable }}
      onOk={() => usable && onDone(value)}
      onCancel={onClose}
      afterOpenChange={(open) => open && field.current?.focus()}
    >
      <Input
        ref={begin}
        autoFocus
        value={value}
        aria-label={t('name')}
        status={wrong ? 'error' : undefined}
        onChange={(event) => setValue(event.target.value)}
        onPressEnter={() => usable && onDone(value)}
      />
      <p className="is-danger small name-wrong">{wrong}</p>
    </Modal>
  )
}
