import { Button, Input, Upload } from 'antd'
import { FileUp } from 'lucide-react'
import { Select } from '../../Select.tsx'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import { NumberBox } from './NumberBox.tsx'

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
const status = (invalid: boolean) => (invalid ? 'error' : undefined)

export function Text({ id, aria, value, onChange, field, info, invalid, disabled }: WidgetProps) {
  return (
    <Input
      id={id}
      {...aria}
      className={field.layout?.mono ? 'mono' : undefined}
      value={text(value)}
      placeholder={field.texts?.placeholder}
      disabled={disabled}
      status={status(invalid)}
      type={info.type === 'email' ? 'email' : undefined}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function TextArea({ id, aria, value, onChange, field, invalid, disabled }: WidgetProps) {
  return (
    <Input.TextArea
      id={id}
      {...aria}
      className={field.layout?.mono ? 'mono' : undefined}
      value={text(value)}
      placeholder={field.texts?.placeholder}
      disabled={disabled}
      status={status(invalid)}
      autoSize={{ minRows: 3, maxRows: 12 }}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function NumberInput({ id, aria, value, onChange, field, info, invalid, disabled }: WidgetProps) {
  return (
    <NumberBox
      id={id}
      {...aria}
      style={{ width: '100%' }}
      value={value}
      precision={info.type === 'integer' ? 0 : undefined}
      placeholder={field.texts?.placeholder}
      disabled={disabled}
      status={status(invalid)}
      onChange={onChange}
    />
  )
}

export function Password({ id, aria, value, onChange, invalid, disabled }: WidgetProps) {
  return (
    <Input.Password
      id={id}
      {...aria}
      value={text(value)}
      disabled={disabled}
      status={status(invalid)}
      autoComplete="new-password"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const countryCodes = ['+86', '+852', '+853', '+886', '+1', '+7', '+33', '+44', '+49', '+81', '+82', '+91']

/** A number without a known code stays complete, with the default code. */
function phoneParts(number: string): { code: string; phone: string } {
  const code = countryCodes.find((known) => number.startsWith(known))
  return { code: code ?? '+86', phone: number.slice(code?.length ?? 0) }
}

/** Country code and national number, sent as one string; empty without a number. */
export function Phone({ id, aria, value, onChange, invalid, disabled }: WidgetProps) {
  const parsed =
    typeof value === 'object' && value !== null ? (value as { code: string; phone: string }) : phoneParts(text(value))
  const emit = (code: string, phone: string) => onChange(phone ? { code, phone } : '')
  return (
    <div className="join">
      <Select
        value={parsed.code}
        style={{ width: 96 }}
        disabled={disabled}
        aria-label={t('countryCode')}
        options={countryCodes.map((code) => ({ value: code, label: code }))}
        onChange={(code) => emit(code, parsed.phone)}
      />
      <Input
        id={id}
        {...aria}
        value={parsed.phone}
        inputMode="tel"
        disabled={disabled}
        status={status(invalid)}
        onChange={(event) => emit(parsed.code, event.target.value.trim())}
      />
    </div>
  )
}

/** A key or certificate: pasted, or read from a file. */
export function FileText(props: WidgetProps) {
  return (
    <div className="stack-8">
      <TextArea {...props} field={{ ...props.field, layout: { ...props.field.layout, mono: true } }} />
      <Upload
        showUploadList={false}
        beforeUpload={(file) => {
          void file.text().then(props.onChange)
          return false
        }}
      >
        <Button size="small" icon={<FileUp size={14} />} disabled={props.disabled}>
          {t('readFromFile')}
        </Button>
      </Upload>
    </div>
  )
}
