/**
 * Parameters of the ways an automation will take (components sheet §13): which ways these are depends on the assets,
 * nodes and platforms the form names.
 */
import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { audience, type FieldInfo, metadataOf } from '../../api/metadata.ts'
import { at, type Row } from '../../row.ts'
import { t } from '../../text.ts'
import type { Values, WidgetProps } from '../spec.ts'
import { useLater } from './later.ts'
import { idOf } from './names.ts'
import { plainWidgets } from './plain.tsx'

type Params = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const idsAt = (values: Values, name: string): string[] => {
  const value = values[name]
  return (Array.isArray(value) ? value : value ? [value] : []).map(idOf)
}

export default function Automation({ id, value, onChange, field, disabled, values }: WidgetProps) {
  /** `push_account`, `change_secret` … */
  const kind = String(field.with?.automation ?? 'push_account')
  const asked = useLater(
    JSON.stringify({
      node_ids: idsAt(values, 'nodes'),
      asset_ids: [...idsAt(values, 'assets'), ...idsAt(values, 'asset')],
      platform_ids: idsAt(values, 'platforms'),
    }),
    1000,
  )
  const platforms = useQuery({
    queryKey: ['platforms-of', asked, ...audience()],
    enabled: /"[^"]+_ids":\["/.test(asked),
    queryFn: () =>
      call<Row[]>('/api/v1/assets/platforms/filter-nodes-assets/', {
        method: 'POST',
        body: JSON.parse(asked) as unknown,
        quiet: true,
      }),
  })
  const metadata = useQuery(metadataOf('/api/v1/assets/platform-automation-methods/'))
  const known = metadata.data?.actions?.GET ?? {}
  const wanted = new Set((platforms.data ?? []).map((row) => String(at(row, `automation.${kind}_method`) ?? '')))
  const methods = Object.entries(known).filter(([method, info]) => wanted.has(method) && info.children)
  const params = (value ?? {}) as Params
  const [draft, setDraft] = useState<Params>()
  const put = (method: string, name: string, next: unknown) =>
    setDraft({ ...draft, [method]: { ...draft?.[method], [name]: next } })
  return (
    <div className="line">
      <Button id={id} disabled={disabled || methods.length === 0} onClick={() => setDraft(params)}>
        {t('automationParams')}
      </Button>
      {methods.length === 0 && <span className="muted small">{t('automationNone')}</span>}
      <Modal
        open={draft !== undefined}
        width={560}
        title={t('automationParams')}
        okText={t('apply')}
        cancelText={t('cancel')}
        onCancel={() => setDraft(undefined)}
        onOk={() => {
          onChange(draft)
          setDraft(undefined)
        }}
      >
        {methods.map(([method, info]) => (
          <section className="group" key={method}>
            <h3>{info.label}</h3>
            {Object.entries(info.children ?? {}).map(([name, child]) => (
              <Param
                key={name}
                id={`${method}-${name}`}
                info={child}
                value={draft?.[method]?.[name] ?? child.default}
                onChange={(next) => put(method, name, next)}
              />
            ))}
          </section>
        ))}
      </Modal>
    </div>
  )
}

function Param({
  id,
  info,
  value,
  onChange,
}: {
  id: string
  info: FieldInfo
  value: unknown
  onChange: (value: unknown) => void
}) {
  const kind = info.type === 'boolean' ? 'switch' : info.type === 'list' ? 'tags' : 'text'
  const Widget = plainWidgets[kind]
  return (
    <div className={kind === 'switch' ? 'field inline' : 'field'}>
      <label htmlFor={id}>{info.label}</label>
      <Widget
        id={id}
        value={value}
        onChange={onChange}
        field={{}}
        info={info}
        invalid={false}
        disabled={false}
        values={{}}
        context={{ query: new URLSearchParams() }}
      />
      {info.help_text && <small className="muted">{info.help_text}</small>}
    </div>
  )
}
