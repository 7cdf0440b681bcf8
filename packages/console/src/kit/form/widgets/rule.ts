/** Rules for users and assets: attributes, matches and values. Pure. */
import type { TextKey } from '../../text.ts'
import type { Source } from '../spec.ts'

export interface Attribute {
  name: string
  label: TextKey
  type: 'str' | 'ip' | 'int' | 'bool' | 'm2m' | 'fk' | 'select'
  source?: Source
  /** Values of a `select`. */
  options?: () => Promise<readonly { value: string; label: string }[]>
  /** A column of the list of matches. */
  column?: boolean
  /** Not available in this form. */
  disabled?: boolean
}

export interface AttributeRule {
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
export const matches: Readonly<Record<Attribute['type'], readonly string[]>> = {
  str: textMatches,
  ip: [...textMatches, 'ip_in'],
  int: [...textMatches, 'gte', 'lte'],
  bool: ['exact', 'not'],
  m2m: ['m2m', 'm2m_all'],
  fk: ['m2m'],
  select: ['in'],
}

const listed = new Set(['in', 'ip_in', 'm2m', 'm2m_all'])

const emptyValue = (attribute: Attribute, match: string): unknown =>
  attribute.type === 'bool' ? true : listed.has(match) ? [] : ''

/** A new rule for an attribute, with its first match. */
export function newRule(attribute: Attribute): AttributeRule {
  const match = matches[attribute.type][0] ?? 'exact'
  return { name: attribute.name, match, value: emptyValue(attribute, match) }
}

/** The rule with another match. A value of the wrong type is dropped. */
export function withMatch(rule: AttributeRule, attribute: Attribute, match: string): AttributeRule {
  const empty = emptyValue(attribute, match)
  const fits = Array.isArray(empty) === Array.isArray(rule.value) && typeof empty === typeof rule.value
  return { ...rule, match, value: fits ? rule.value : empty }
}

/** The rules with one added. It replaces a rule of the same attribute. */
export const withRule = (rules: readonly AttributeRule[], next: AttributeRule): AttributeRule[] =>
  rules.some((rule) => rule.name === next.name)
    ? rules.map((rule) => (rule.name === next.name ? next : rule))
    : [...rules, next]

/** Whether a rule selects nothing; the server rejects it. */
export const namesNobody = (value: unknown): boolean => {
  const rule = value as RuleValue | undefined
  return (rule?.type === 'ids' && !rule.ids?.length) || (rule?.type === 'attrs' && !rule.attrs?.length)
}

/** `?attr_rules=` of a rule: base64 of its JSON in UTF-8. */
export function encodeRule(value: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
}
