/** Validation rules shared by fields. They check non-empty values. */
import { t } from '../text.ts'
import { isAddressItem } from './addresses.ts'
import { isCron } from './widgets/cron.ts'
import { isPort, withoutPort } from './widgets/protocols.ts'

const emoji = /\p{Extended_Pictographic}/u
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const asObject = (value: unknown): unknown => (typeof value === 'string' ? parsed(value) : value)

const rules = {
  /** Letters, digits and `_ : / . ? = & # -`. */
  address: (value: unknown) => /^[\w:/.?=&#-]+$/.test(String(value)) || t('formatError'),
  noEmoji: (value: unknown) => !emoji.test(String(value)) || t('noEmoji'),
  word: (value: unknown) => /^\w+$/.test(String(value)) || t('onlyWords'),
  noParenthesis: (value: unknown) => !/[()]/.test(String(value)) || t('noParenthesis'),
  json: (value: unknown) => asObject(value) !== undefined || t('notJson'),
  /** A mapping with a value `username`. */
  mapsUsername: (value: unknown) => Object.values(asObject(value) ?? {}).includes('username') || t('mapsNoUsername'),
  label: (value: unknown) => /^[^:]+:.+$/.test(String(value)) || t('labelFormat'),
  port: (value: unknown) => isPort(value) || t('portError'),
  /** For protocols: names the protocol of an invalid port. */
  ports: (value: unknown) => withoutPort(value).length === 0 || `${withoutPort(value).join(', ')}: ${t('portError')}`,
  agreed: (value: unknown) => value === true || t('termsNeeded'),
  addresses: (value: unknown) => {
    const wrong = (Array.isArray(value) ? value : []).filter((item) => !isAddressItem(String(item)))
    return wrong.length === 0 || t('notAddresses', { items: wrong.join(', ') })
  },
  cron: (value: unknown) => isCron(String(value)) || t('cronInvalid'),
} as const

export type RuleName = keyof typeof rules

/** The error of the first broken rule. */
export function brokenBy(names: readonly RuleName[], value: unknown): string | undefined {
  const tested = typeof value === 'string' ? value.trim() : value
  for (const name of names) {
    const outcome = rules[name](tested)
    if (outcome !== true) return outcome
  }
  return undefined
}
