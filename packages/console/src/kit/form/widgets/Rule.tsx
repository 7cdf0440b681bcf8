/** Scope of a rule: all, selected by name, or by attributes with a live count of matches. */
import { useQuery } from '@tanstack/react-query'
import { Button, Radio } from 'antd'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import { number, type Page, wordOf } from '../../row.ts'
import { t } from '../../text.ts'
import type { Source, WidgetProps } from '../spec.ts'
import { AttributeDialog, matchWord } from './AttributeDialog.tsx'
import { idOf, rowsOf } from './names.ts'
import { RemoteSelect } from './Remote.tsx'
import { RuleMatches } from './RuleMatches.tsx'
import { type Attribute, type AttributeRule, encodeRule, newRule, type RuleValue, withRule } from './rule.ts'

const none: readonly AttributeRule[] = []

export default function Rule({ aria, value, onChange, field, disabled }: WidgetProps) {
  const attributes = (field.with?.attributes ?? []) as readonly Attribute[]
  const source = field.source as Source
  const rule = (value ?? { type: 'all' }) as RuleValue
  const attrs = rule.attrs ?? none
  const choose = (type: RuleValue['type']) =>
    onChange(type === 'all' ? { type } : type === 'ids' ? { type, ids: rule.ids ?? [] } : { type, attrs })
  return (
    <div className="stack-8">
      <Radio.Group
        {...aria}
        value={rule.type}
        disabled={disabled}
        options={[
          { value: 'all', label: t('all') },
          { value: 'ids', label: t('specified') },
          { value: 'attrs', label: t('byAttributes') },
        ]}
        onChange={(event) => choose(event.target.value as RuleValue['type'])}
      />
      {rule.type === 'ids' && (
        <RemoteSelect
          many
          title={t('specified')}
          source={{ ...source, plain: true }}
          value={rule.ids ?? []}
          disabled={disabled}
          onChange={(ids) => onChange({ type: 'ids', ids: (ids as unknown[]).map(idOf) })}
        />
      )}
      {rule.type === 'attrs' && (
        <AttributeRules
          attributes={attributes}
          source={source}
          attrs={attrs}
          disabled={disabled}
          onChange={(next) => onChange({ type: 'attrs', attrs: next })}
        />
      )}
    </div>
  )
}

function AttributeRules({
  attributes,
  source,
  attrs,
  disabled,
  onChange,
}: {
  attributes: readonly Attribute[]
  source: Source
  attrs: readonly AttributeRule[]
  disabled: boolean
  onChange: (attrs: AttributeRule[]) => void
}) {
  const [editing, setEditing] = useState<AttributeRule>()
  const [listing, setListing] = useState(false)
  const encoded = encodeRule({ type: 'attrs', attrs })
  const found = useQuery({
    queryKey: ['rule', source.url, encoded, ...audience()],
    enabled: attrs.length > 0,
    queryFn: () => call<Page>(source.url, { query: { attr_rules: encoded, limit: 1 }, quiet: true }),
  })
  const free = attributes.filter(({ name, disabled: off }) => !off && !attrs.some((item) => item.name === name))
  return (
    <>
      {attrs.length > 0 && (
        <div className="rows">
          {attrs.map((item) => {
            const attribute = attributes.find(({ name }) => name === item.name)
            const label = attribute ? t(attribute.label) : item.name
            return (
              <div className="rule-row" key={item.name}>
                <span>{label}</span>
                <span className="muted">{matchWord(item.match)}</span>
                <span className="clip">
                  <RuleWords attribute={attribute} value={item.value} />
                </span>
                <span className="end">
                  <Button
                    type="text"
                    size="small"
                    icon={<Pencil size={14} />}
                    disabled={disabled || !attribute}
                    aria-label={t('changeName', { name: label })}
                    onClick={() => setEditing(item)}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<Trash2 size={14} />}
                    disabled={disabled}
                    aria-label={t('removeName', { name: label })}
                    onClick={() => onChange(attrs.filter((old) => old.name !== item.name))}
                  />
                </span>
              </div>
            )
          })}
        </div>
      )}
      <div className="line">
        <Button
          size="small"
          icon={<Plus size={14} />}
          disabled={disabled || free.length === 0}
          onClick={() => free[0] && setEditing(newRule(free[0]))}
        >
          {t('addAttribute')}
        </Button>
        <span aria-live="polite">
          {found.data && attrs.length > 0 && (
            <Button type="link" size="small" onClick={() => setListing(true)}>
              {t('ruleMatches', { count: number(found.data.count) })}
            </Button>
          )}
          {found.error && <span className="is-danger small">{found.error.message}</span>}
        </span>
      </div>
      {editing && (
        <AttributeDialog
          attributes={attributes}
          used={attrs.map(({ name }) => name)}
          initial={editing}
          onClose={() => setEditing(undefined)}
          onSave={(next) => onChange(withRule(attrs, next))}
        />
      )}
      {listing && (
        <RuleMatches
          url={source.url}
          rule={encoded}
          columns={attributes.filter((attribute) => attribute.column)}
          onClose={() => setListing(false)}
        />
      )}
    </>
  )
}

/** The value of a rule in words: names of objects, labels of choices, yes or no. */
function RuleWords({ attribute, value }: { attribute?: Attribute; value: unknown }) {
  const ids = Array.isArray(value) ? value.map(idOf) : []
  const related = attribute?.source
  const words = useQuery({
    queryKey: ['rule-words', attribute?.name, ids.join(), ...audience()],
    enabled: ids.length > 0 && Boolean(related ?? attribute?.options),
    staleTime: 60_000,
    queryFn: async () => {
      if (!related) return new Map((await attribute?.options?.())?.map((option) => [option.value, option.label]))
      const rows = rowsOf(await call(related.url, { query: { ids: ids.join() }, quiet: true }))
      return new Map(rows.map((row) => [idOf(row), related.label?.(row) ?? wordOf(row)]))
    },
  })
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (!Array.isArray(value)) return String(value)
  return ids.map((id) => words.data?.get(id) ?? (related && words.isPending ? '…' : id)).join(', ')
}
