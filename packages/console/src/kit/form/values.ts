/** How values come from the wire into a form and back (server/common.md §5). Pure. */
import type { FieldInfo, Fields } from '../api/metadata.ts'
import { momentOf, rawOf } from '../row.ts'
import type { FieldSpec, FormContext, Values } from './spec.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads `a.b`. */
export const get = (values: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), values)

/** A copy with `a.b` set. */
export function set(values: Values, path: string, value: unknown): Values {
  const [head, ...rest] = path.split('.') as [string, ...string[]]
  if (rest.length === 0) return { ...values, [head]: value }
  const inner = isObject(values[head]) ? values[head] : {}
  return { ...values, [head]: set(inner, rest.join('.'), value) }
}

/** Metadata of `a.b` through nested objects. */
export function infoOf(fields: Fields, path: string): FieldInfo | undefined {
  const [head, ...rest] = path.split('.') as [string, ...string[]]
  return rest.reduce<FieldInfo | undefined>((info, key) => info?.children?.[key], fields[head])
}

const choiceTypes = new Set(['choice', 'labeled_choice', 'multiple choice', 'tree'])

/** A value as widgets take it: bare choices, objects of relations as they are. */
export function fromWire(value: unknown, info: FieldInfo | undefined): unknown {
  if (!info) return value
  if (choiceTypes.has(info.type)) return Array.isArray(value) ? value.map(rawOf) : rawOf(value)
  if (info.type === 'nested object' && isObject(value) && info.children) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromWire(inner, info.children?.[key])]))
  }
  return value
}

/** Every value of a row a form can show. */
export function valuesFromRow(row: Values, fields: Fields): Values {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, fromWire(value, fields[key])]))
}

/** Metadata defaults for what has no value yet, in nested objects too. */
export function withDefaults(values: Values, fields: Fields): Values {
  let out = values
  for (const [name, info] of Object.entries(fields)) {
    if (info.read_only) continue
    if (info.type === 'nested object' && info.children) {
      out = { ...out, [name]: withDefaults(isObject(out[name]) ? out[name] : {}, info.children) }
    } else if (out[name] === undefined && info.default !== undefined) out = { ...out, [name]: info.default }
  }
  return out
}

/** One relation value as it is sent: `{pk}` or the bare id. */
function reference(value: unknown, plain: boolean | undefined): unknown {
  if (!isObject(value)) return plain || typeof value !== 'string' ? value : { pk: value }
  const id = value.id ?? value.pk ?? value.value
  if (id === undefined) return value
  return plain ? id : { pk: id }
}

/** A value as the server takes it. */
export function toWire(value: unknown, field: FieldSpec, info: FieldInfo, source?: { plain?: boolean }): unknown {
  const relation = source || info.type === 'object_related_field' || info.type === 'm2m_related_field'
  if (relation) {
    if (Array.isArray(value)) return value.map((item) => reference(item, source?.plain))
    return value === undefined || value === null || value === '' ? null : reference(value, source?.plain)
  }
  if (info.type === 'datetime' && typeof value === 'string') return momentOf(value)?.toISOString() ?? null
  if (info.type === 'integer' || info.type === 'float') return value === '' ? null : value
  if (typeof value === 'string' && !field.secret && field.widget !== 'file-text') return value.trim()
  return value
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** What is wrong with a value by metadata alone; the message is made by the caller. */
export function problemOf(
  value: unknown,
  info: FieldInfo,
  required: boolean,
): { kind: 'required' | 'long' | 'short' | 'low' | 'high' | 'email' | 'number'; limit?: number } | undefined {
  if (isEmpty(value)) return required && info.type !== 'boolean' ? { kind: 'required' } : undefined
  if (typeof value === 'string') {
    if (info.max_length && value.length > info.max_length) return { kind: 'long', limit: info.max_length }
    if (info.min_length && value.length < info.min_length) return { kind: 'short', limit: info.min_length }
    if (info.type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())) return { kind: 'email' }
    if (info.type === 'integer' && !/^-?\d+$/.test(value.trim())) return { kind: 'number' }
  }
  if (typeof value === 'number') {
    if (info.min_value !== undefined && value < info.min_value) return { kind: 'low', limit: info.min_value }
    if (info.max_value !== undefined && value > info.max_value) return { kind: 'high', limit: info.max_value }
  }
  return undefined
}

/** Two copies never share a name. */
export function cloneValues(row: Values, prefix: string): Values {
  const { id: _id, ...rest } = row
  const name = typeof rest.name === 'string' ? 'name' : typeof rest.hostname === 'string' ? 'hostname' : undefined
  return name ? { ...rest, [name]: `${prefix}${String(rest[name])}` } : rest
}

/** Widget for a field nobody spoke of (components sheet §7.3). */
export function widgetFor(name: string, info: FieldInfo): FieldSpec['widget'] {
  const last = name.split('.').at(-1) ?? name
  if (info.read_only) return 'read-only'
  if (last === 'comment') return 'textarea'
  if (last === 'password') return 'password'
  switch (info.type) {
    case 'choice':
    case 'labeled_choice':
      return 'choice'
    case 'multiple choice':
      return 'choices'
    case 'tree':
      return 'tree'
    case 'boolean':
      return 'switch'
    case 'datetime':
      return 'datetime'
    case 'json':
      return 'json'
    case 'list':
      return info.choices ? 'choices' : 'tags'
    case 'integer':
    case 'float':
      return 'number'
    case 'object_related_field':
    case 'm2m_related_field':
      return 'remote'
    case 'string':
      if (info.write_only) return 'password'
      return info.max_length ? 'text' : 'textarea'
    default:
      return 'text'
  }
}

/** A field may be required always, by metadata, or by the other values. */
export function isRequired(field: FieldSpec | undefined, info: FieldInfo, values: Values): boolean {
  const own = field?.required
  return typeof own === 'function' ? own(values) : (own ?? info.required ?? false)
}

export const isHidden = (field: FieldSpec | undefined, values: Values, context: FormContext): boolean =>
  field?.hidden?.(values, context) ?? false
