/** Validation of form values, and visibility of fields. Pure. */
import type { FieldInfo } from '../api/metadata.ts'
import { rawOf } from '../row.ts'
import { t } from '../text.ts'
import { brokenBy, type RuleName } from './rules.ts'
import type { Condition, FieldSpec, FormContext, Values, WidgetName } from './spec.ts'
import { get, isEmpty, isNumeric } from './values.ts'
import { namesNobody } from './widgets/rule.ts'

const numbers = new Set(['integer', 'float', 'decimal'])

export interface Problem {
  kind: 'required' | 'long' | 'short' | 'low' | 'high' | 'email' | 'number' | 'url'
  limit?: number
}

/** The error of a value by metadata alone. */
export function problemOf(value: unknown, info: FieldInfo, required: boolean): Problem | undefined {
  if (isEmpty(value)) return required && info.type !== 'boolean' ? { kind: 'required' } : undefined
  if (typeof value === 'string') {
    if (info.type !== 'list' && info.max_length && value.trim().length > info.max_length)
      return { kind: 'long', limit: info.max_length }
    if (info.min_length && value.length < info.min_length) return { kind: 'short', limit: info.min_length }
    if (info.type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())) return { kind: 'email' }
    if (info.type === 'url' && !/^https?:\/\/[^\s]+$/i.test(value.trim())) return { kind: 'url' }
    if (numbers.has(info.type) && !isNumeric(value)) return { kind: 'number' }
  }
  if (typeof value === 'number') {
    if (info.min_value !== undefined && value < info.min_value) return { kind: 'low', limit: info.min_value }
    if (info.max_value !== undefined && value > info.max_value) return { kind: 'high', limit: info.max_value }
  }
  return undefined
}

/** The message of an error. */
export function messageFor({ kind, limit = 0 }: Problem): string {
  switch (kind) {
    case 'required':
      return t('fieldRequired')
    case 'long':
      return t('fieldLong', { limit })
    case 'short':
      return t('fieldShort', { limit })
    case 'low':
      return t('fieldLow', { limit })
    case 'high':
      return t('fieldHigh', { limit })
    case 'email':
      return t('fieldEmail')
    case 'number':
      return t('fieldNumber')
    case 'url':
      return t('fieldUrl')
  }
}

/** Whether a field is required: always, by metadata, or because of other values. */
export function isRequired(field: FieldSpec | undefined, info: FieldInfo, values: Values): boolean {
  const own = field?.validation?.required
  return typeof own === 'function' ? own(values) : (own ?? info.required ?? false)
}

/** Whether a condition of the declaration is met. */
export function holds(condition: Condition, values: Values): boolean {
  if (typeof condition === 'string') return !isEmpty(get(values, condition))
  if (Array.isArray(condition)) return condition.some((one) => holds(one, values))
  return Object.entries(condition).every(([key, wanted]) => rawOf(get(values, key)) === wanted)
}

export const isHidden = ({ state }: FieldSpec, values: Values, context: FormContext): boolean =>
  (state?.hidden?.(values, context) ?? false) || (state?.enableWhen !== undefined && !holds(state.enableWhen, values))

/** Names of objects. */
const names = new Set(['name', 'username'])
/** Characters not allowed in new names. An existing one may stay. */
const signs = new Set<RuleName>(['noEmoji', 'noParenthesis'])

/** Rules of a field: declared ones and those of all names. `kept`: the value has not changed since it was read. */
export function rulesFor(name: string, { validation }: FieldSpec, kept: boolean): RuleName[] {
  const isName = names.has(name.split('.').at(-1) ?? name)
  const all: RuleName[] = [...new Set([...(validation?.rules ?? []), ...(isName ? (['noEmoji'] as const) : [])])]
  return kept ? all.filter((rule) => !signs.has(rule)) : all
}

/** The error by declared rules, then by the field's own check. */
export function declaredProblem(
  field: FieldSpec,
  rules: readonly RuleName[],
  value: unknown,
  values: Values,
): string | undefined {
  const asked = rules.filter((rule) => rule === 'agreed' || !isEmpty(value))
  const broken = brokenBy(asked, value)
  return broken ?? field.validation?.check?.(value, values)
}

const rulesOf: Partial<Record<WidgetName, readonly RuleName[]>> = {
  'ip-group': ['addresses'],
  cron: ['cron'],
  protocols: ['ports'],
}

/** The error of a value for its widget. */
export function kindProblem(kind: WidgetName, value: unknown): string | undefined {
  if (isEmpty(value)) return undefined
  if (kind === 'rule' && namesNobody(value)) return t('fieldRequired')
  // Invalid JSON stays the entered text.
  if (kind === 'json' && typeof value === 'string') return t('formatError')
  return brokenBy(rulesOf[kind] ?? [], value)
}

/**
 * The error message of a field from flattened errors: its own, otherwise the nested ones. Messages about ports are
 * joined by commas (short and many), others by `; `.
 */
export function errorAt(errors: Readonly<Record<string, string>>, name: string): string | undefined {
  const own = errors[name]
  if (own) return own
  const below = Object.entries(errors).filter(([key]) => key.startsWith(`${name}.`))
  if (below.length === 0) return undefined
  const sentences = [...new Set(below.map(([, text]) => text))]
  return sentences.join(below.every(([key]) => key.endsWith('.port')) ? ', ' : '; ')
}
