/** Protocols and ports: those offered by a platform, or the choices available to a platform. */
import { Button, Input } from 'antd'
import { Plus, Settings2, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Select } from '../../Select.tsx'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import { NumberBox } from './NumberBox.tsx'
import { ProtocolDialog } from './ProtocolDialog.tsx'
import {
  firstProtocols,
  isFixed,
  isPort,
  type OfferedProtocol,
  type ProtocolMode,
  type ProtocolRow,
  portOfAddress,
  sentProtocols,
  withProtocol,
} from './protocols.ts'

export default function Protocols({ value, onChange, field, disabled, values }: WidgetProps) {
  const choices = (field.with?.choices ?? []) as readonly OfferedProtocol[]
  const mode = (field.with?.mode ?? 'asset') as ProtocolMode
  const platform = field.with?.platform as string | undefined
  const rows = firstProtocols(value, choices, mode)
  const [open, setOpen] = useState<string>()
  // Names beyond the choices can be typed. A row is then identified by its position: its name changes with every letter.
  const named = field.with?.named === true
  const list = useId()
  const free = choices.filter((choice) => !rows.some((row) => row.name === choice.name))
  const next = free[0] ?? (named ? { name: '', port: 443 } : undefined)
  const put = (next: readonly ProtocolRow[]) => onChange(sentProtocols(next, mode))
  const putAt = (index: number, row: ProtocolRow) => put(withProtocol(rows, index, row, mode))
  const opened = rows.findIndex((row) => row.name === open)
  return (
    <div>
      <div className="rows">
        {rows.map((row, index) => {
          const fixed = isFixed(row, choices, mode)
          const choice = choices.find((item) => item.name === row.name)
          const port = row.port_from_addr ? portOfAddress(String(values.address ?? '')) : row.port
          return (
            <div className="protocol-row" key={named ? index : row.name}>
              {named ? (
                <Input
                  className="mono"
                  value={row.name}
                  disabled={disabled}
                  list={list}
                  maxLength={32}
                  aria-label={t('protocol')}
                  onChange={(event) => putAt(index, { ...row, name: event.target.value })}
                />
              ) : (
                <Select
                  className="mono"
                  value={row.name}
                  disabled={disabled || fixed}
                  aria-label={t('protocol')}
                  options={[...(choice ? [choice] : []), ...free].map((item) => ({
                    value: item.name,
                    label: item.name,
                  }))}
                  onChange={(name) => {
                    const next = choices.find((item) => item.name === name)
                    if (next) putAt(index, { ...next, primary: row.primary })
                  }}
                />
              )}
              <NumberBox
                className="mono"
                precision={0}
                value={port}
                disabled={disabled}
                readOnly={row.port_from_addr}
                status={isPort(port) ? undefined : 'error'}
                aria-label={t('portOf', { name: row.name })}
                onChange={(next) => putAt(index, { ...row, port: next })}
              />
              <span className="muted small">{row.primary ? t('primary') : row.required ? t('required') : ''}</span>
              <span className="end">
                <Button
                  type="text"
                  size="small"
                  icon={<Settings2 size={14} />}
                  aria-label={t('settingsOf', { name: row.name })}
                  onClick={() => setOpen(row.name)}
                />
                <Button
                  type="text"
                  size="small"
                  icon={<Trash2 size={14} />}
                  disabled={disabled || fixed || rows.length === 1}
                  title={fixed ? t('protocolFixed') : rows.length === 1 ? t('lastStays') : undefined}
                  aria-label={t('removeName', { name: row.name })}
                  onClick={() => put(rows.filter((_, at) => at !== index))}
                />
              </span>
            </div>
          )
        })}
      </div>
      {named && (
        <datalist id={list}>
          {free.map((choice) => (
            <option key={choice.name} value={choice.name} />
          ))}
        </datalist>
      )}
      <Button
        type="text"
        size="small"
        icon={<Plus size={14} />}
        disabled={disabled || !next || rows.some((row) => !row.name || !isPort(row.port))}
        onClick={() => next && put([...rows, { ...next, primary: false }])}
      >
        {t('protocolAdd')}
      </Button>
      {opened >= 0 && rows[opened] && (
        <ProtocolDialog
          row={rows[opened]}
          platform={platform}
          locked={disabled || mode === 'asset'}
          onClose={() => setOpen(undefined)}
          onSave={(row) => putAt(opened, row)}
        />
      )}
    </div>
  )
}
