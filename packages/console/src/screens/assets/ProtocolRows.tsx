/** Protocols of an asset: rows in one frame, those the platform offers (assets sheet §0.6). */
import { Button, InputNumber, Select } from 'antd'
import { Plus, Trash2 } from 'lucide-react'
import type { WidgetProps } from '../../kit/form/spec.ts'
import { t } from '../../kit/text.ts'

export interface PlatformProtocol {
  name: string
  port: number
  primary?: boolean
  required?: boolean
  default?: boolean
  secret_types?: string[]
}

export interface Protocol {
  name: string
  port: number | null
}

const fixed = (choice: PlatformProtocol | undefined): boolean => Boolean(choice?.primary || choice?.required)

/** Required, primary and default ones; the first when a platform marks none. */
export function defaultProtocols(choices: readonly PlatformProtocol[]): Protocol[] {
  const wanted = choices.filter((choice) => choice.required || choice.primary || choice.default)
  return (wanted.length > 0 ? wanted : choices.slice(0, 1)).map(({ name, port }) => ({ name, port }))
}

export function ProtocolRows({ value, onChange, field, disabled }: WidgetProps) {
  const choices = (field.with?.choices ?? []) as readonly PlatformProtocol[]
  const rows = (Array.isArray(value) ? value : []) as Protocol[]
  const free = choices.filter((choice) => !rows.some((row) => row.name === choice.name))
  const put = (index: number, row: Protocol) => onChange(rows.map((old, i) => (i === index ? row : old)))
  return (
    <div>
      <div className="rows">
        {rows.map((row, index) => {
          const choice = choices.find((item) => item.name === row.name)
          return (
            <div className="protocol-row" key={row.name}>
              <Select
                className="mono"
                value={row.name}
                disabled={disabled || fixed(choice)}
                aria-label={t('protocol')}
                options={[...(choice ? [choice] : []), ...free].map((item) => ({ value: item.name, label: item.name }))}
                onChange={(name) =>
                  put(index, { name, port: choices.find((item) => item.name === name)?.port ?? row.port })
                }
              />
              <InputNumber
                className="mono"
                min={1}
                max={65_535}
                precision={0}
                value={row.port}
                disabled={disabled}
                status={row.port ? undefined : 'error'}
                aria-label={t('portOf', { name: row.name })}
                onChange={(port) => put(index, { ...row, port })}
              />
              <span className="muted small">
                {choice?.primary ? t('primary') : choice?.required ? t('required') : ''}
              </span>
              <span className="end">
                <Button
                  type="text"
                  size="small"
                  icon={<Trash2 size={14} />}
                  disabled={disabled || fixed(choice) || rows.length === 1}
                  title={fixed(choice) ? t('protocolFixed') : undefined}
                  aria-label={t('removeName', { name: row.name })}
                  onClick={() => onChange(rows.filter((_, i) => i !== index))}
                />
              </span>
            </div>
          )
        })}
      </div>
      <Button
        type="text"
        size="small"
        icon={<Plus size={14} />}
        disabled={disabled || free.length === 0 || rows.some((row) => !row.port)}
        onClick={() => {
          const [next] = free
          if (next) onChange([...rows, { name: next.name, port: next.port }])
        }}
      >
        {t('protocolAdd')}
      </Button>
    </div>
  )
}
