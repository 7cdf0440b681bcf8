/** Accounts of a permission or rule: all, specified by username, and the virtual ones. */
import { Button, Checkbox } from 'antd'
import { LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '../../lazy-component.tsx'
import { type Row, wordOf } from '../../row.ts'
import { Select } from '../../Select.tsx'
import { can } from '../../session.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import { useNames } from './names.ts'
import {
  accountWord,
  isSpecialAccount,
  type SpecialAccount,
  specialAccounts,
  templatesUrl,
} from './special-accounts.ts'
import { useSuggestions } from './suggestions.ts'

const TemplatePicker = lazyComponent(() => import('./TemplatePicker.tsx'))

const tips = {
  '@ALL': 'accountsAllTip',
  '@SPEC': 'accountsSpecTip',
  '@INPUT': 'accountsInputTip',
  '@USER': 'accountsUserTip',
  '@ANON': 'accountsAnonTip',
} as const

/** Splits a list into checkboxes, usernames and templates (`%<id>`). */
export function readAccounts(value: unknown): { ticks: SpecialAccount[]; names: string[]; templates: string[] } {
  const list = (Array.isArray(value) ? value : []).map(String)
  const names = list.filter((item) => !/^[@%]/.test(item))
  const templates = list.filter((item) => item.startsWith('%')).map((item) => item.slice(1))
  const ticks = list.filter(isSpecialAccount)
  if (names.length > 0 && !ticks.includes('@ALL') && !ticks.includes('@SPEC')) ticks.push('@SPEC')
  if (ticks.length === 0) ticks.push('@ALL')
  return { ticks, names, templates }
}

/** Usernames from templates are removed with their templates, and templates with their usernames. */
function withTemplates(names: readonly string[], before: readonly Row[], after: readonly Row[]): string[] {
  const given = new Set(before.map(usernameOf))
  return [...new Set([...names.filter((name) => !given.has(name)), ...after.map(usernameOf)])]
}

const usernameOf = (template: Row): string => String(template.username ?? '')

/** "All" and "specified" exclude each other. */
export function toggleAccount(ticks: readonly SpecialAccount[], item: SpecialAccount, on: boolean): SpecialAccount[] {
  const rest = ticks.filter((tick) => tick !== item)
  if (!on) return rest
  const other = item === '@ALL' ? '@SPEC' : item === '@SPEC' ? '@ALL' : undefined
  return [...rest.filter((tick) => tick !== other), item]
}

export default function AccountNames({ value, onChange, field, disabled, values }: WidgetProps) {
  const { ticks, names, templates } = readAccounts(value)
  const [known, setKnown] = useState<readonly Row[]>([])
  const unnamed = templates.filter((id) => !known.some((row) => row.id === id))
  const read = useNames({ url: templatesUrl }, unnamed)
  const chosen = [...known, ...read].filter((row) => templates.includes(row.id))
  const given = new Map(chosen.map((row) => [usernameOf(row), wordOf(row)]))
  const [picking, setPicking] = useState(false)
  const [typed, setTyped] = useState<string>()
  const suggested = useSuggestions(typed, values)
  const offered = field.with?.virtual === false ? specialAccounts.slice(0, 2) : specialAccounts
  const offersTemplates = field.with?.virtual !== false && can('accounts.view_accounttemplate')
  const emit = (nextTicks: readonly SpecialAccount[], nextNames: readonly string[], from: readonly Row[] = chosen) => {
    const remaining = from.filter((row) => nextNames.includes(usernameOf(row))).map((row) => `%${row.id}`)
    onChange([...nextTicks, ...(nextTicks.includes('@SPEC') ? [...nextNames, ...remaining] : [])])
  }
  return (
    <div className="stack-8">
      <div className="choice-lines">
        {offered.map((item) => (
          <Checkbox
            key={item}
            checked={ticks.includes(item)}
            disabled={disabled}
            onChange={(event) => emit(toggleAccount(ticks, item, event.target.checked), names)}
          >
            {accountWord(item)} <span className="muted small">{t(tips[item])}</span>
          </Checkbox>
        ))}
      </div>
      {ticks.includes('@SPEC') && (
        <div className="join names">
          <Select
            mode="tags"
            value={names}
            disabled={disabled}
            placeholder={t('accountsNames')}
            aria-label={t('accountsNames')}
            tokenSeparators={[',', ' ']}
            options={suggested.filter((name) => !names.includes(name)).map((name) => ({ value: name, label: name }))}
            showSearch={{ onSearch: setTyped }}
            onOpenChange={(open) => open && setTyped('')}
            onChange={(next: string[]) => emit(ticks, next)}
            labelRender={({ value: name }) => <AccountName name={String(name)} template={given.get(String(name))} />}
          />
          {offersTemplates && (
            <Button icon={<LayoutTemplate size={16} />} disabled={disabled} onClick={() => setPicking(true)}>
              {t('fromTemplate')}
            </Button>
          )}
        </div>
      )}
      {picking && (
        <TemplatePicker
          chosen={chosen}
          may={(row) => usernameOf(row) !== ''}
          onClose={() => setPicking(false)}
          onPick={(rows) => {
            setKnown(rows)
            emit(ticks, withTemplates(names, chosen, rows), rows)
            setPicking(false)
          }}
        />
      )}
    </div>
  )
}

/** A username, with its template if it comes from one. */
function AccountName({ name, template }: { name: string; template?: string }) {
  if (template === undefined) return name
  return (
    <span className="from-template" title={t('accountOfTemplate', { name: template })}>
      <LayoutTemplate size={12} />
      {name}
    </span>
  )
}
