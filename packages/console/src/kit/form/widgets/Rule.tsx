/** Who or what a rule is about: all, some by name, or by attributes (server/common.md §5.6). */
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Modal, Radio, Select, Switch } from 'antd'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import { number, type Page, wordOf } from '../../row.ts'
import { type TextKey, t } from '../../text.ts'
import type { Source, WidgetProps } from '../spec.ts'
import { RemoteSelect } from './Remote.tsx'

export interface Attribute {
  name: string
  label: TextKey
  type: 'str' | 'ip' | 'int' | 'bool' | 'm2m' | 'fk' | 'select'
  source?: Source
  /** Values of a `select`. */
  options?: readonly { value: string; label: string }[]
}

interface AttributeRule {
  name: string
  match: string
  value: unknown
}

export interface RuleValue {
  type: 'all' | 'ids' | 'attrs'
  ids?: string[]
  attrs?: AttributeRule[]
}

const textMatches = ['exact', 'not', 'in', 'contains', 'startswith', 'endswith', 'regex'] as const
const matches: Readonly<Record<Attribute['type'], readonly string[]>> = {
  str: textMatches,
  ip: [...textMatches, 'ip_in'],
  int: [...textMatches, 'gte', 'lte'],
  bool: ['exact', 'not'],
  m2m: ['m2m', 'm2m_all'],
  fk: ['m2m'],
  select: ['in'],
}
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

/** `?attr_rules=` of a rule: base64 of its JSON in UTF-8. */
export function encodeRule(value: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
}

const emptyValue = (attribute: Attribute, match: string): unknown =>
  attribute.type === 'bool' ? true : ['in', 'ip_in', 'm2m', 'm2m_all'].includes(match) ? [] : ''

export default function Rule({ value, onChange, field, disabled }: WidgetProps) {
  const attributes = (field.with?.attributes ?? []) as readonly Attribute[]
  const source = field.source as Source
  const rule = (value ?? { type: 'all' }) as RuleValue
  const [editing, setEditing] = useState<AttributeRule>()
  const attrs = rule.attrs ?? []
  const found = useQuery({
    queryKey: ['rule', source.url, encodeRule({ type: 'attrs', attrs }), ...audience()],
    enabled: rule.type === 'attrs' && attrs.length > 0,
    queryFn: () =>
      call<Page>(source.url, { query: { attr_rules: encodeRule({ type: 'attrs', attrs }), limit: 1 }, quiet: true }),
  })
  const save = (next: AttributeRule) =>
    onChange({ type: 'attrs', attrs: [...attrs.filter((old) => old.name !== next.name), next] })
  return (
    <div className="stack-8">
      <Radio.Group
        value={rule.type}
        disabled={disabled}
        options={[
          { value: 'all', label: t('all') },
          { value: 'ids', label: t('specified') },
          { value: 'attrs', label: t('byAttributes') },
        ]}
        onChange={(event) => {
          const type = event.target.value as RuleValue['type']
          onChange(type === 'all' ? { type } : type === 'ids' ? { type, ids: rule.ids ?? [] } : { type, attrs })
        }}
      />
      {rule.type === 'ids' && (
        <RemoteSelect
          many
          source={{ ...source, plain: true }}
          value={rule.ids ?? []}
          disabled={disabled}
          onChange={(ids) =>
            onChange({
              type: 'ids',
              ids: (ids as unknown[]).map((item) => (typeof item === 'string' ? item : (item as { id: string }).id)),
            })
          }
        />
      )}
      {rule.type === 'attrs' && (
        <>
          {attrs.length > 0 && (
            <div className="rows">
              {attrs.map((item) => (
                <div className="rule-row" key={item.name}>
                  <span>{labelOf(attributes, item.name)}</span>
                  <span className="muted">{t(matchWords[item.match as keyof typeof matchWords] ?? 'matchExact')}</span>
                  <span className="clip">
                    {Array.isArray(item.value) ? item.value.map(wordOf).join(', ') : String(item.value)}
                  </span>
                  <span className="end">
                    <Button
                      type="text"
                      size="small"
                      icon={<Pencil size={14} />}
                      aria-label={t('update')}
                      onClick={() => setEditing(item)}
                    />
                    <Button
                      type="text"
                      size="small"
                      icon={<Trash2 size={14} />}
                      aria-label={t('remove')}
                      onClick={() => onChange({ type: 'attrs', attrs: attrs.filter((old) => old.name !== item.name) })}
                    />
                  </span>
                </div>
              ))}
            </div>
          )}
          <div className="line">
            <Button
              size="small"
              icon={<Plus size={14} />}
              disabled={disabled || attrs.length >= attributes.length}
              onClick={() => {
                const free = attributes.find((attribute) => !attrs.some((item) => item.name === attribute.name))
                if (free)
                  setEditing({
                    name: free.name,
                    match: matches[free.type][0] ?? 'exact',
                    value: emptyValue(free, matches[free.type][0] ?? ''),
                  })
              }}
            >
              {t('addAttribute')}
            </Button>
            {found.data && <span className="muted small">{t('ruleMatches', { count: number(found.data.count) })}</span>}
          </div>
        </>
      )}
      {editing && (
        <AttributeDialog
          attributes={attributes.filter(
            (attribute) => attribute.name === editing.name || !attrs.some((item) => item.name === attribute.name),
          )}
          initial={editing}
          onClose={() => setEditing(undefined)}
          onSave={save}
        />
      )}
    </div>
  )
}

const labelOf = (attributes: readonly Attribute[], name: string): string => {
  const attribute = attributes.find((item) => item.name === name)
  return attribute ? t(attribute.label) : name
}

function AttributeDialog({
  attributes,
  initial,
  onClose,
  onSave,
}: {
  attributes: readonly Attribute[]
  initial: AttributeRule
  onClose: () => void
  onSave: (rule: AttributeRule) => void
}) {
  const [rule, setRule] = useState(initial)
  const attribute = attributes.find((item) => item.name === rule.name)
  if (!attribute) return null
  const many = Array.isArray(rule.value)
  const ids = (value: unknown) =>
    (Array.isArray(value) ? value : [value]).map((item) =>
      typeof item === 'object' && item ? (item as { id: string }).id : item,
    )
  return (
    <Modal
      open
      title={t('addAttribute')}
      okText={t('apply')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: rule.value === '' || (many && (rule.value as unknown[]).length === 0) }}
      onCancel={onClose}
      onOk={() => {
        onSave({ ...rule, value: many ? ids(rule.value) : rule.value })
        onClose()
      }}
    >
      <div className="stack-8">
        <Select
          aria-label={t('attribute')}
          value={rule.name}
          options={attributes.map((item) => ({ value: item.name, label: t(item.label) }))}
          onChange={(name) => {
            const next = attributes.find((item) => item.name === name)
            const match = next ? (matches[next.type][0] ?? 'exact') : 'exact'
            if (next) setRule({ name, match, value: emptyValue(next, match) })
          }}
        />
        <Select
          aria-label={t('match')}
          value={rule.match}
          options={matches[attribute.type].map((match) => ({
            value: match,
            label: t(matchWords[match as keyof typeof matchWords]),
          }))}
          onChange={(match) =>
            setRule({
              ...rule,
              match,
              value: Array.isArray(emptyValue(attribute, match)) === many ? rule.value : emptyValue(attribute, match),
            })
          }
        />
        {attribute.source ? (
          <RemoteSelect
            many
            source={attribute.source}
            value={rule.value}
            onChange={(value) => setRule({ ...rule, value })}
          />
        ) : attribute.type === 'bool' ? (
          <Switch checked={rule.value === true} onChange={(value) => setRule({ ...rule, value })} />
        ) : many ? (
          <Select
            mode={attribute.options ? 'multiple' : 'tags'}
            aria-label={t('value')}
            value={rule.value as string[]}
            options={attribute.options as { value: string; label: string }[] | undefined}
            tokenSeparators={[',']}
            onChange={(value: string[]) => setRule({ ...rule, value })}
          />
        ) : (
          <Input
            aria-label={t('value')}
            value={String(rule.value)}
            onChange={(event) => setRule({ ...rule, value: event.target.value })}
          />
        )}
      </div>
    </Modal>
  )
}
