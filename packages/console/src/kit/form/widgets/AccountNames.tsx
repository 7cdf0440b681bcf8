/** Which accounts a permission or rule names: all, some by username, and the virtual ones (perms sheet §1.1). */
import { Checkbox, Select } from 'antd'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

const special = ['@ALL', '@SPEC', '@INPUT', '@USER', '@ANON'] as const
type Special = (typeof special)[number]
const words = {
  '@ALL': 'accountsAll',
  '@SPEC': 'accountsSpec',
  '@INPUT': 'accountsInput',
  '@USER': 'accountsUser',
  '@ANON': 'accountsAnon',
} as const
const tips = {
  '@ALL': 'accountsAllTip',
  '@SPEC': 'accountsSpecTip',
  '@INPUT': 'accountsInputTip',
  '@USER': 'accountsUserTip',
  '@ANON': 'accountsAnonTip',
} as const

const isSpecial = (value: string): value is Special => (special as readonly string[]).includes(value)

/** Ticks and usernames of a stored list. */
export function readAccounts(value: unknown): { ticks: Special[]; names: string[] } {
  const list = (Array.isArray(value) ? value : []).map(String)
  const names = list.filter((item) => !item.startsWith('@'))
  const ticks = list.filter(isSpecial)
  if (names.length > 0 && !ticks.includes('@ALL') && !ticks.includes('@SPEC')) ticks.push('@SPEC')
  if (ticks.length === 0) ticks.push('@ALL')
  return { ticks, names }
}

/** All and specified exclude each other. */
export function toggleAccount(ticks: readonly Special[], item: Special, on: boolean): Special[] {
  const rest = ticks.filter((tick) => tick !== item)
  if (!on) return rest
  const other = item === '@ALL' ? '@SPEC' : item === '@SPEC' ? '@ALL' : undefined
  return [...rest.filter((tick) => tick !== other), item]
}

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .map((item) =>
      typeof item === 'string'
        ? item
        : ((item as { id?: string; pk?: string }).id ?? (item as { pk?: string }).pk ?? ''),
    )
    .slice(0, 20)

export default function AccountNames({ value, onChange, field, disabled, values }: WidgetProps) {
  const { ticks, names } = readAccounts(value)
  const [suggested, setSuggested] = useState<string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const offered = field.with?.virtual === false ? special.slice(0, 2) : special
  const emit = (nextTicks: readonly Special[], nextNames: readonly string[]) =>
    onChange([...nextTicks, ...(nextTicks.includes('@SPEC') ? nextNames : [])])
  const suggest = (username: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(async () => {
      const answer = await call<string[]>('/api/v1/accounts/accounts/username-suggestions/', {
        method: 'POST',
        body: { username, assets: idsOf(values.assets), nodes: idsOf(values.nodes) },
        quiet: true,
      }).catch(() => [])
      setSuggested(Array.isArray(answer) ? answer : [])
    }, 240)
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
            {t(words[item])} <span className="muted small">{t(tips[item])}</span>
          </Checkbox>
        ))}
      </div>
      {ticks.includes('@SPEC') && (
        <Select
          mode="tags"
          value={names}
          disabled={disabled}
          placeholder={t('accountsNames')}
          aria-label={t('accountsNames')}
          tokenSeparators={[',', ' ']}
          options={suggested.filter((name) => !names.includes(name)).map((name) => ({ value: name, label: name }))}
          showSearch={{ onSearch: suggest }}
          onOpenChange={(open) => open && suggest('')}
          onChange={(next: string[]) => emit(ticks, next)}
        />
      )}
    </div>
  )
}
