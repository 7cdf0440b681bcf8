/** One attribute of a rule: attribute, match and value. */
import { useQuery } from '@tanstack/react-query'
import { Input, Modal, Switch } from 'antd'
import { useId, useState } from 'react'
import { audience } from '../../api/metadata.ts'
import { Select } from '../../Select.tsx'
import { t } from '../../text.ts'
import { isAddressItem } from '../addresses.ts'
import { idOf } from './names.ts'
import { RemoteSelect } from './Remote.tsx'
import { type Attribute, type AttributeRule, matches, newRule, withMatch } from './rule.ts'
import { TagInput } from './Tags.tsx'

const matchWords = {
  exact: 'matchExact',
  not: 'matchNot',
  in: 'matchIn',
  contains: 'matchContains',
  startswith: 'matchStartswith',
  endswith: 'matchEndswith',
  regex: 'matchRegex',
  ip_in: 'matchIpIn',
  gte: 'matchGte',
  lte: 'matchLte',
  m2m: 'matchAny',
  m2m_all: 'matchAll',
} as const

export const matchWord = (match: string): string => t(matchWords[match as keyof typeof matchWords] ?? 'matchExact')

/** Whether a text is a valid RE2 pattern, as on the server. The parser is loaded on demand. */
function useIsPattern({ match, value }: AttributeRule): boolean {
  const answer = useQuery({
    queryKey: ['is-pattern', value],
    enabled: match === 'regex' && typeof value === 'string',
    queryFn: async () => (await import('@castellan/contract/patterns')).patternFault(String(value)) === undefined,
  })
  return match !== 'regex' || answer.data !== false
}

/** The error of a non-empty value. */
function problemIn({ match, value }: AttributeRule, isPattern: boolean): string | undefined {
  if (!isPattern) return t('notRegex')
  const wrong = match === 'ip_in' ? (value as string[]).filter((item) => !isAddressItem(item)) : []
  return wrong.length > 0 ? t('notAddresses', { items: wrong.join(', ') }) : undefined
}

export function AttributeDialog({
  attributes,
  used,
  initial,
  onClose,
  onSave,
}: {
  attributes: readonly Attribute[]
  used: readonly string[]
  initial: AttributeRule
  onClose: () => void
  onSave: (rule: AttributeRule) => void
}) {
  const [rule, setRule] = useState(initial)
  const id = useId()
  const isPattern = useIsPattern(rule)
  const attribute = attributes.find((item) => item.name === rule.name)
  const options = useQuery({
    queryKey: ['rule-options', rule.name, ...audience()],
    enabled: attribute?.options !== undefined,
    staleTime: 60_000,
    queryFn: () => attribute?.options?.() ?? Promise.resolve([]),
  })
  if (!attribute) return null
  const many = Array.isArray(rule.value)
  const empty = rule.value === '' || (many && (rule.value as unknown[]).length === 0)
  const problem = problemIn(rule, isPattern)
  const setValue = (value: unknown) => setRule({ ...rule, value })
  const plain = {
    id: `${id}-value`,
    field: {},
    info: { type: 'list' },
    invalid: problem !== undefined,
    disabled: false,
    values: {},
    context: { query: new URLSearchParams() },
    onChange: setValue,
  }
  return (
    <Modal
      open
      width={520}
      title={t(used.includes(initial.name) ? 'changeAttribute' : 'addAttribute')}
      okText={t('apply')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: empty || problem !== undefined }}
      onCancel={onClose}
      onOk={() => {
        onSave({ ...rule, value: many ? (rule.value as unknown[]).map(idOf) : rule.value })
        onClose()
      }}
    >
      <div className="cols-2 dialog-form">
        <div className="field half">
          <label htmlFor={`${id}-name`}>{t('attribute')}</label>
          <Select
            id={`${id}-name`}
            value={rule.name}
            options={attributes.map((item) => ({
              value: item.name,
              label: t(item.label),
              disabled: item.disabled || (used.includes(item.name) && item.name !== initial.name),
            }))}
            onChange={(name) => {
              const next = attributes.find((item) => item.name === name)
              if (next) setRule(newRule(next))
            }}
          />
        </div>
        <div className="field half">
          <label htmlFor={`${id}-match`}>{t('match')}</label>
          <Select
            id={`${id}-match`}
            value={rule.match}
            options={matches[attribute.type].map((match) => ({ value: match, label: matchWord(match) }))}
            onChange={(match) => setRule(withMatch(rule, attribute, match))}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-value`}>{t('value')}</label>
          {attribute.source ? (
            <RemoteSelect many id={`${id}-value`} source={attribute.source} value={rule.value} onChange={setValue} />
          ) : attribute.type === 'bool' ? (
            <Switch
              id={`${id}-value`}
              style={{ justifySelf: 'start' }}
              checked={rule.value === true}
              onChange={setValue}
            />
          ) : attribute.options ? (
            <Select
              id={`${id}-value`}
              mode="multiple"
              value={rule.value as string[]}
              loading={options.isFetching}
              showSearch={{ optionFilterProp: 'label' }}
              options={[...(options.data ?? [])]}
              onChange={setValue}
            />
          ) : many ? (
            <TagInput {...plain} value={rule.value} />
          ) : (
            <Input
              id={`${id}-value`}
              value={String(rule.value)}
              status={problem ? 'error' : undefined}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
          {problem && (
            <small className="is-danger" role="alert">
              {problem}
            </small>
          )}
        </div>
      </div>
    </Modal>
  )
}
