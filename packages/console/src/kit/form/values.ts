/** Conversion of values between wire and form. Pure. */
import { type FieldInfo, type Fields, readableName } from '../api/metadata.ts'
import { rawOf, timestampOf } from '../row.ts'
import type { FieldSpec, FieldSpecs, Values, WidgetName } from './spec.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isIndex = (key: string): boolean => /^\d+$/.test(key)

/** Reads `a.b` and `a.0.b`. */
export const get = (values: Values, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        Array.isArray(value) && isIndex(key) ? value[Number(key)] : isObject(value) ? value[key] : undefined,
      values,
    )

/** A copy with `a.b` or `a.0.b` set. */
export function set(values: Values, path: string, value: unknown): Values {
  const [head, ...rest] = path.split('.') as [string, ...string[]]
  if (rest.length === 0) return { ...values, [head]: value }
  const inner = values[head]
  if (Array.isArray(inner) && isIndex(rest[0] ?? '')) {
    const index = Number(rest[0])
    const item =
      rest.length === 1 ? value : set(isObject(inner[index]) ? inner[index] : {}, rest.slice(1).join('.'), value)
    return { ...values, [head]: inner.map((old, at) => (at === index ? item : old)) }
  }
  return { ...values, [head]: set(isObject(inner) ? inner : {}, rest.join('.'), value) }
}

/** Metadata of `a.b` through nested objects, and of `a.0.b` through lists of them. */
export function infoOf(fields: Fields, path: string): FieldInfo | undefined {
  const [head, ...rest] = path.split('.') as [string, ...string[]]
  return rest.reduce<FieldInfo | undefined>(
    (info, key) => (isIndex(key) && info?.child ? info.child : info?.children?.[key]),
    fields[head],
  )
}

/** Label of a field, also if the metadata does not include it. */
export const labelOfField = (fields: Fields, path: string): string => infoOf(fields, path)?.label ?? readableName(path)

/** A list of objects with fields of their own. */
const isRepeated = (info: FieldInfo | undefined): boolean => info?.child?.children !== undefined

/** Declaration of a field. `rows.*.port` applies to that field of every row. */
export const specOf = (fields: FieldSpecs | undefined, path: string): FieldSpec =>
  fields?.[path] ?? fields?.[path.replace(/\.\d+(?=\.|$)/g, '.*')] ?? {}

/**
 * Field names for `path`: the fields of a nested object unless it is declared as a whole. Nested read-only fields are
 * omitted.
 */
export function parts(path: string, fields: Fields, specs: FieldSpecs | undefined): string[] {
  const info = infoOf(fields, path)
  const spec = specOf(specs, path)
  if (info?.type !== 'nested object' || !info.children || spec.component || spec.widget) return [path]
  return Object.entries(info.children)
    .filter(([, child]) => !child.read_only)
    .flatMap(([key]) => parts(`${path}.${key}`, fields, specs))
}

/** Names including those of each current row of repeated fields. */
export function withRows(
  names: readonly string[],
  values: Values,
  fields: Fields,
  specs: FieldSpecs | undefined,
): string[] {
  return names.flatMap((name) => {
    const info = infoOf(fields, name)
    const spec = specOf(specs, name)
    if (spec.component || (spec.widget && spec.widget !== 'repeat') || !isRepeated(info)) return [name]
    const rows = get(values, name)
    const inner = Object.entries(info?.child?.children ?? {}).filter(([, child]) => !child.read_only)
    return [name, ...(Array.isArray(rows) ? rows.flatMap((_, at) => inner.map(([key]) => `${name}.${at}.${key}`)) : [])]
  })
}

const choiceTypes = new Set(['choice', 'labeled_choice', 'multiple choice', 'tree'])

/** A value for widgets: plain choices, relation objects unchanged. */
function fromWire(value: unknown, info: FieldInfo | undefined): unknown {
  if (!info) return value
  if (choiceTypes.has(info.type)) return Array.isArray(value) ? value.map(rawOf) : rawOf(value)
  if (isRepeated(info) && Array.isArray(value)) return value.map((item) => fromWire(item, info.child))
  if (info.children && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromWire(inner, info.children?.[key])]))
  }
  return value
}

/** All values of a row that a form can show. */
export function valuesFromRow(row: Values, fields: Fields): Values {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, fromWire(value, fields[key])]))
}

/** Metadata defaults for empty values, in nested objects too. */
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

const uuid4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i

/** A relation value for the request: `{pk}`, the plain id, or the object to create. */
function reference(value: unknown, source: { plain?: boolean; create?: unknown } | undefined): unknown {
  const plain = source?.plain
  if (!isObject(value)) {
    if (typeof value === 'string' && source?.create && !uuid4.test(value)) return { name: value }
    return plain || typeof value !== 'string' ? value : { pk: value }
  }
  // An object to create may have a value of its own beside its name.
  const id = value.id ?? value.pk ?? (value.name === undefined ? value.value : undefined)
  if (id === undefined) return value
  return plain ? id : { pk: id }
}

/** A value in the format of the server. */
export function toWire(
  value: unknown,
  field: FieldSpec,
  info: FieldInfo,
  source?: { plain?: boolean; create?: unknown },
): unknown {
  const relation = source || info.type === 'object_related_field' || info.type === 'm2m_related_field'
  if (relation) {
    if (Array.isArray(value)) return value.map((item) => reference(item, source))
    return value === undefined || value === null || value === '' ? null : reference(value, source)
  }
  if (isRepeated(info) && Array.isArray(value) && !field.component)
    return value.map((item) =>
      isObject(item)
        ? Object.fromEntries(
            Object.entries(item)
              .filter(([key]) => !info.child?.children?.[key]?.read_only)
              .map(([key, inner]) => [key, toWire(inner, {}, info.child?.children?.[key] ?? { type: 'json' })]),
          )
        : item,
    )
  if (info.type === 'datetime' && typeof value === 'string') return timestampOf(value)?.toISOString() ?? null
  if (info.type === 'integer' || info.type === 'float') return value === '' ? null : value
  if (typeof value === 'string' && !field.sending?.secret && field.widget !== 'file-text') return value.trim()
  return value
}

/** The value sent for an unchanged empty field. */
export function nothingOf(info: FieldInfo): unknown {
  if (info.type === 'boolean') return false
  if (['m2m_related_field', 'list', 'multiple choice'].includes(info.type) || isRepeated(info)) return []
  return info.type === 'string' ? '' : null
}

/** Whether entered text is a number. Thousands separators are ignored. */
export const isNumeric = (typed: string): boolean =>
  /^-?(\d+\.?\d*|\.\d+)(e\d+)?$/i.test(typed.replace(/[^\w.-]+/g, ''))

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Copies of an object get different names. */
export function cloneValues(row: Values, prefix: string): Values {
  const { id: _id, ...rest } = row
  const name = typeof rest.name === 'string' ? 'name' : typeof rest.hostname === 'string' ? 'hostname' : undefined
  return name ? { ...rest, [name]: `${prefix}${String(rest[name])}` } : rest
}

/** Widget of an undeclared field. */
export function widgetFor(name: string, info: FieldInfo): WidgetName {
  const last = name.split('.').at(-1) ?? name
  if (info.read_only) return 'read-only'
  if (isRepeated(info)) return 'repeat'
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
    case 'date':
      return 'date'
    case 'image upload':
      return 'image'
    case 'file upload':
      return 'key-file'
    case 'json':
      return 'json'
    case 'list':
      return info.choices ? 'choices' : 'tags'
    case 'integer':
    case 'float':
    case 'decimal':
      return 'number'
    case 'field':
      // Computed values and plain keys: selected from choices if present, otherwise the screen declares the source.
      return info.choices ? 'choice' : 'remote'
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

/** The value a control displays while empty is the value that is sent. */
const shownFirst: Partial<Record<WidgetName, unknown>> = {
  rule: { type: 'all' },
  'account-names': ['@ALL'],
  'ip-group': ['*'],
}

/** Values including the defaults of their controls. */
export function startOf(values: Values, specs: FieldSpecs | undefined): Values {
  let out = values
  for (const [name, spec] of Object.entries(specs ?? {})) {
    const first = spec?.widget && shownFirst[spec.widget]
    if (first !== undefined && get(out, name) === undefined) out = set(out, name, first)
  }
  return out
}

/** Controls with typing or several steps: validated on blur, all others on change. */
const typed = new Set<WidgetName>([
  'text',
  'textarea',
  'number',
  'password',
  'secret',
  'file-text',
  'phone',
  'update-secret',
  'rule',
  'account-names',
  'all-or-some',
  'protocols',
])
export const isTyped = (kind: WidgetName | undefined): boolean => kind !== undefined && typed.has(kind)

/** Whether two values are equal in wire format. */
export const same = (a: unknown, b: unknown): boolean =>
  a === b || (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b)
