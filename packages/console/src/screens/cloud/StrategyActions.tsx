/** What a strategy sets: rows of a kind and a value, and the protocols of a platform. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { Source, WidgetProps } from '../../kit/form/spec.ts'
import Protocols from '../../kit/form/widgets/Protocols.tsx'
import { RemoteSelect } from '../../kit/form/widgets/Remote.tsx'
import { RepeatRows } from '../../kit/form/widgets/RepeatRows.tsx'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Select } from '../../kit/Select.tsx'

interface Action {
  id?: string
  attr: unknown
  value: unknown
  protocols?: unknown
}

const sources: Readonly<Record<string, Source>> = {
  platform: { url: '/api/v1/assets/platforms/?category=host' },
  node: { url: '/api/v1/assets/nodes/', label: (row) => wordOf(row.full_value ?? row.label ?? row.name) },
  domain: { url: '/api/v1/assets/domains/' },
  account_template: { url: '/api/v1/accounts/account-templates/' },
  label: { url: '/api/v1/assets/labels/', label: (row) => (row.value ? `${row.name}:${row.value}` : wordOf(row)) },
}
/** A strategy sets these once. */
const single = new Set(['platform', 'domain'])

const keyOf = (value: unknown): string => {
  const raw = rawOf(value)
  return raw === undefined || raw === null ? '' : String(raw)
}

/** The chosen row as the select shows it; values that were read have a label. */
const chosenOf = (value: unknown): Row | undefined => {
  const id = keyOf(value)
  return id ? { id, name: wordOf(value) } : undefined
}

/** The chosen row as it is read: nodes and labels have a field `value` of their own, which is not their id. */
const readForm = (row: Row | undefined, source: Source) =>
  row && { value: row.id, label: source.label?.(row) ?? wordOf(row) }

function PlatformProtocols({
  action,
  onChange,
  props,
}: {
  action: Action
  onChange: (value: unknown) => void
  props: WidgetProps
}) {
  const id = keyOf(action.value)
  const { data } = useQuery({
    queryKey: ['platform', id, ...audience()],
    enabled: id !== '',
    queryFn: () => call<Row>(`/api/v1/assets/platforms/${id}/`, { quiet: true }),
  })
  if (!data) return null
  return (
    <Protocols
      {...props}
      value={action.protocols}
      field={{ with: { choices: data.protocols, mode: 'asset', platform: id } }}
      onChange={onChange}
    />
  )
}

export function StrategyActions(props: WidgetProps) {
  const { value, onChange, info, disabled, errors } = props
  const rows = (Array.isArray(value) ? value : []) as Action[]
  const choices = info.child?.children?.attr?.choices ?? []
  const put = (index: number, action: Action) => onChange(rows.map((row, at) => (at === index ? action : row)))
  const used = new Set(rows.map(({ attr }) => keyOf(attr)).filter((attr) => single.has(attr)))
  return (
    <RepeatRows<Action>
      rows={rows}
      disabled={disabled}
      added={() => ({ attr: 'node', value: undefined })}
      onChange={onChange}
    >
      {(action, index) => {
        const attr = keyOf(action.attr)
        const source = sources[attr]
        const problems = Object.entries(errors ?? {}).filter(([path]) => path.startsWith(`${index}.`))
        const error = problems.map(([, text]) => text).join(' ')
        return (
          <div>
            <div className="cols-2">
              <Select
                value={attr || undefined}
                disabled={disabled}
                aria-label={info.child?.children?.attr?.label}
                options={choices
                  .filter((choice) => choice.value === attr || !used.has(String(choice.value)))
                  .map((choice) => ({ value: String(choice.value), label: choice.label }))}
                onChange={(next) => put(index, { attr: next, value: undefined })}
              />
              {source && (
                <RemoteSelect
                  key={attr}
                  many={false}
                  source={source}
                  aria={{ 'aria-labelledby': undefined }}
                  title={info.child?.children?.value?.label}
                  invalid={error !== ''}
                  disabled={disabled}
                  value={chosenOf(action.value)}
                  onChange={(next) => {
                    const [row] = [next].flat() as (Row | undefined)[]
                    put(index, { ...action, value: readForm(row, source), protocols: undefined })
                  }}
                />
              )}
            </div>
            {error && <span className="is-danger small">{error}</span>}
            {attr === 'platform' && (
              <PlatformProtocols
                props={props}
                action={action}
                onChange={(protocols) => put(index, { ...action, protocols })}
              />
            )}
          </div>
        )
      }}
    </RepeatRows>
  )
}
