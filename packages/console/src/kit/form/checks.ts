/** What is wrong with the values of a form, and which fields are asked for at all. Pure. */
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

/** What is wrong with a value by metadata alone. */
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

/** The sentence about a problem. */
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

/** A field may be required always, by metadata, or by the other values. */
export function isRequired(field: FieldSpec | undefined, info: FieldInfo, values: Values): boolean {
  const own = field?.required
  return typeof own === 'function' ? own(values) : (own ?? info.required ?? false)
}

/** Whether a condition of the declaration holds. */
export function holds(condition: Condition, values: Values): boolean {
  if (typeof condition === 'string') return !isEmpty(get(values, condition))
  if (Array.isArray(condition)) return condition.some((one) => holds(one, values))
  return Object.entries(condition).every(([key, wanted]) => rawOf(get(values, key)) === wanted)
}

export const isHidden = (field: FieldSpec | undefined, values: Values, context: FormContext): boolean =>
  (field?.hidden?.(values, context) ?? false) || (field?.enableWhen !== undefined && !holds(field.enableWhen, values))

/** What things are called. */
const names = new Set(['name', 'username'])
/** Signs that names do without; one that stands there already may stay. */
const signs = new Set<RuleName>(['noEmoji', 'noParenthesis'])

/** The rules of a field: those of its declaration, and those of every name. `kept`: the value is the one that was read. */
export function rulesFor(name: string, { rules: own = [] }: FieldSpec, kept: boolean): RuleName[] {
  const isName = names.has(name.split('.').at(-1) ?? name)
  const all: RuleName[] = [...new Set([...own, ...(isName ? (['noEmoji'] as const) : [])])]
  return kept ? all.filter((rule) => !signs.has(rule)) : all
}

/** What is wrong by the declaration: named rules, then its own check. */
export function declaredProblem(
  field: FieldSpec,
  rules: readonly RuleName[],
  value: unknown,
  values: Values,
): string | undefined {
  const asked = rules.filter((rule) => rule === 'agreed' || !isEmpty(value))
  const broken = brokenBy(asked, value)
  return broken ?? field.check?.(value, values)
}

const rulesOf: Partial<Record<WidgetName, readonly RuleName[]>> = {
  'ip-group': ['addresses'],
  cron: ['cron'],
  protocols: ['ports'],
}

/** What is wrong with a value for the control it is in. */
export function kindProblem(kind: WidgetName, value: unknown): string | undefined {
  if (isEmpty(value)) return undefined
  if (kind === 'rule' && namesNobody(value)) return t('fieldRequired')
  // What is no JSON stays the text that was typed.
  if (kind === 'json' && typeof value === 'string') return t('formatError')
  return brokenBy(rulesOf[kind] ?? [], value)
}

/**
 * The sentence about a field out of flattened errors: its own, else those below it. Sentences about ports are joined
 * by commas (they are short and many), all others by `; `.
 */
export function errorAt(errors: Readonly<Record<string, string>>, name: string): string | undefined {
  const own = errors[name]
  if (own) return own
  const below = Object.entries(errors).filter(([key]) => key.startsWith(`${name}.`))
  if (below.length === 0) return undefined
  const sentences = [...new Set(below.map(([, text]) => text))]
  return sentences.join(below.every(([key]) => key.endsWith('.port')) ? ', ' : '; ')
}
