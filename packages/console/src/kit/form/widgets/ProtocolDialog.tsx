/** Settings of one protocol of a platform; read-only on an asset. */
import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { type FieldInfo, metadataOf, readableName } from '../../api/metadata.ts'
import { t } from '../../text.ts'
import { widgetFor } from '../values.ts'
import { plainWidgets } from './plain.tsx'
import { type ProtocolRow, settingApplies, withSetting } from './protocols.ts'

const flags = ['primary', 'required', 'default', 'public'] as const

export function ProtocolDialog({
  row,
  platform,
  locked,
  onClose,
  onSave,
}: {
  row: ProtocolRow
  /** Page of the platform, where the settings can be changed. */
  platform?: string
  locked: boolean
  onClose: () => void
  onSave: (row: ProtocolRow) => void
}) {
  const [draft, setDraft] = useState(row)
  const metadata = useQuery(metadataOf(`/api/v1/assets/protocol-settings/?name=${encodeURIComponent(row.name)}`))
  const fields = metadata.data?.actions?.POST ?? {}
  const settings = Object.entries(fields.setting?.children ?? {})
  const setting = draft.setting ?? {}
  return (
    <Modal
      open
      width={560}
      title={t('settingsOf', { name: row.name })}
      okText={t('apply')}
      cancelText={t(locked ? 'close' : 'cancel')}
      okButtonProps={{ style: locked ? { display: 'none' } : undefined }}
      onCancel={onClose}
      onOk={() => {
        onSave(draft)
        onClose()
      }}
    >
      {metadata.isPending && <Skeleton active paragraph={{ rows: 4 }} />}
      {locked && platform && (
        <p className="muted gap-below">
          {t('protocolOfPlatform')}{' '}
          <a className="linkish" href={`#${platform}`} target="_blank" rel="noreferrer">
            {t('platform')}
          </a>
        </p>
      )}
      {metadata.isSuccess && (
        <div className="dialog-form">
          {flags.map((name) => (
            <Setting
              key={name}
              info={{
                type: 'boolean',
                label: fields[name]?.label ?? readableName(name),
                help_text: fields[name]?.help_text,
              }}
              name={name}
              value={draft[name] ?? false}
              disabled={locked || (name === 'public' && row.name === 'winrm') || (name === 'primary' && row.primary)}
              onChange={(value) => setDraft({ ...draft, [name]: value })}
            />
          ))}
          {settings
            .filter(([name]) => settingApplies(name, setting))
            .map(([name, info]) => (
              <Setting
                key={name}
                info={info}
                name={name}
                value={setting[name] ?? info.default}
                disabled={locked}
                onChange={(value) => setDraft(withSetting(draft, { ...setting, [name]: value }))}
              />
            ))}
        </div>
      )}
    </Modal>
  )
}

function Setting({
  info,
  name,
  value,
  disabled,
  onChange,
}: {
  info: FieldInfo
  name: string
  value: unknown
  disabled?: boolean
  onChange: (value: unknown) => void
}) {
  const id = useId()
  const kind = widgetFor(name, info)
  const Widget = plainWidgets[kind as keyof typeof plainWidgets] ?? plainWidgets.text
  return (
    <div className={kind === 'switch' ? 'field inline' : 'field'} data-field={name}>
      <label htmlFor={id}>{info.label ?? readableName(name)}</label>
      <Widget
        id={id}
        value={value}
        onChange={onChange}
        field={{}}
        info={info}
        invalid={false}
        disabled={disabled ?? false}
        values={{}}
        context={{ query: new URLSearchParams() }}
      />
      {info.help_text && <small className="muted">{info.help_text}</small>}
    </div>
  )
}
