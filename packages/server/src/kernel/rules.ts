import { errors } from '@castellan/contract/messages/errors'
import { sql } from 'kysely'
import { inAddressGroup } from '../db/addresses.ts'
import type { Context } from './context.ts'
import { ApiError, invalid, notAnObject, Rejected, render, text } from './errors.ts'
import type { AnyRow } from './fields/field.ts'
import { normalUuid } from './fields/scalars.ts'
import type { ListQuery, Resource } from './resource.ts'

/** Rules that choose users or assets: all, some by id, or by their attributes (common.md §5.6, acls.md §4). */
export interface RuleAttribute {
  name: string
  match: string
  value: unknown
}
export type Rule =
  | { type: 'all' }
  | { type: 'ids'; ids: string[] }
  | { type: 'attrs'; attrs: RuleAttribute[] }
  | Record<string, never>

const kinds = new Set<unknown>(['all', 'ids', 'attrs'])

/** A rule from its wire form; throws `Rejected`. */
export function parseRule(input: unknown): Rule {
  if (input === '' || (Array.isArray(input) && input.length === 0)) return {}
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Rejected([notAnObject(input)])
  const rule = input as AnyRow
  if (Object.keys(rule).length === 0) return {}
  if (rule.type === 'all') return { type: 'all' }
  if (rule.type === 'ids') {
    if (!Array.isArray(rule.ids) || rule.ids.length === 0) throw new Rejected({ ids: [text(errors.empty_list)] })
    const ids = rule.ids.map((id) => normalUuid(typeof id === 'object' && id ? id.id : id))
    if (ids.some((id) => id === undefined))
      throw new Rejected({ ids: [text(errors.not_a_uuid, { input: String(rule.ids) })] })
    return { type: 'ids', ids: ids as string[] }
  }
  if (rule.type === 'attrs') {
    if (!Array.isArray(rule.attrs) || rule.attrs.length === 0) throw new Rejected({ attrs: [text(errors.empty_list)] })
    return { type: 'attrs', attrs: rule.attrs.map(parseAttribute) }
  }
  throw new Rejected({ type: [text(errors.not_a_choice, { input: String(rule.type) })] })
}

function parseAttribute(input: unknown): RuleAttribute {
  const { name, match, value } = (input ?? {}) as AnyRow
  if (typeof name !== 'string' || name === '' || value === undefined || value === null)
    throw new Rejected({ attrs: [text(errors.required)] })
  return { name, match: typeof match === 'string' ? match : 'exact', value }
}

/** The condition of the parameter `attr_rules` (base64 of a rule); undefined when it restricts nothing. */
export function attributeRules(ctx: Context, resource: Resource, encoded: string | undefined) {
  if (!encoded || !resource.ruleAttributes) return undefined
  let rule: unknown
  try {
    rule = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    throw new ApiError(400, 'attr_rules', (language) => ({ attr_rules: render(text(errors.not_json), language) }))
  }
  // A kind of rule nobody knows restricts nothing (common.md §4.5).
  if (typeof rule === 'object' && rule !== null && 'type' in rule && !kinds.has(rule.type)) return undefined
  try {
    const parsed = parseRule(rule)
    return (query: ListQuery) => narrowed(ctx, resource, query, parsed)
  } catch (error) {
    if (error instanceof Rejected) throw invalid({ attr_rules: error.problem })
    throw error
  }
}

/** The rows a rule chooses. */
export function narrowed(ctx: Context, resource: Resource, query: ListQuery, rule: Rule): ListQuery {
  if (rule.type === 'ids') return query.where('t.id', 'in', rule.ids)
  if (rule.type !== 'attrs') return query
  return (rule.attrs as RuleAttribute[]).reduce(
    (narrower, attribute) => byAttribute(ctx, resource, narrower, attribute),
    query,
  )
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const never = sql<boolean>`1 = 0`

function byAttribute(ctx: Context, resource: Resource, query: ListQuery, attribute: RuleAttribute): ListQuery {
  const special = resource.ruleAttributes?.[attribute.name]
  if (special) return special(ctx, query, attribute)
  const name = resource.columnOf(attribute.name)
  if (name !== 'id' && !resource.stored.has(name)) return query.where(never)
  const column = `t.${name}`
  const { match, value } = attribute
  const words = String(value)
  const field = resource.stored.get(name)
  const sent = (item: unknown) => {
    try {
      return field?.parse && !field.isRef ? field.parse(item, ctx) : item
    } catch {
      return item
    }
  }
  const like = (pattern: string) => query.where(column, 'like', pattern)
  const literal = words.replace(/[\\%_]/g, '\\$&')
  switch (match) {
    case 'exact':
      return value === '*' ? query : query.where(column, '=', sent(value))
    case 'not':
      return query.where((eb) => eb.or([eb(column, '!=', sent(value)), eb(column, 'is', null)]))
    case 'in':
    case 'm2m':
      return asList(value).includes('*') ? query : query.where(column, 'in', asList(value).map(sent))
    case 'contains':
      return query.where(sql<boolean>`${sql.ref(column)} like ${`%${literal}%`} escape '\\'`)
    case 'startswith':
      return query.where(sql<boolean>`${sql.ref(column)} like ${`${literal}%`} escape '\\'`)
    case 'endswith':
      return query.where(sql<boolean>`${sql.ref(column)} like ${`%${literal}`} escape '\\'`)
    case 'gte':
      return query.where(column, '>=', sent(value))
    case 'lte':
      return query.where(column, '<=', sent(value))
    case 'gt':
      return query.where(column, '>', sent(value))
    case 'lt':
      return query.where(column, '<', sent(value))
    case 'regex':
    case 'ip_in':
      return byPredicate(ctx, query, name, attribute)
    default:
      return like(words)
  }
}

/** Operators no database understands alike are decided here, over the distinct values of the column. */
function byPredicate(ctx: Context, query: ListQuery, column: string, attribute: RuleAttribute): ListQuery {
  if (ctx.dialect === 'postgres' && attribute.match === 'regex' && validRegex(String(attribute.value)))
    return query.where(sql<boolean>`${sql.ref(`t.${column}`)} ~ ${String(attribute.value)}`)
  const test = `${attribute.match === 'ip_in' ? 'ip' : 're'}_matches`
  return ctx.dialect === 'sqlite'
    ? query.where(sql<boolean>`${sql.raw(test)}(${sql.ref(`t.${column}`)}, ${JSON.stringify(attribute.value)}) = 1`)
    : query.where(never)
}

export function validRegex(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

/** Whether one object, given by its attributes, is chosen by a rule (direction B of acls.md §4.3). */
export function matchesRule(rule: Rule, id: string, attributes: Readonly<Record<string, unknown>>): boolean {
  if (rule.type === 'all') return true
  if (rule.type === 'ids') return (rule.ids as string[]).includes(id)
  if (rule.type !== 'attrs') return false
  return (rule.attrs as RuleAttribute[]).every((attribute) => matchesAttribute(attribute, attributes[attribute.name]))
}

function matchesAttribute({ match, value }: RuleAttribute, actual: unknown): boolean {
  const own = actual === null || actual === undefined ? '' : actual
  const words = String(own)
  if (Array.isArray(own)) {
    const ids = own.map(String)
    const wanted = asList(value).map(String)
    return match === 'm2m_all' ? wanted.every((id) => ids.includes(id)) : wanted.some((id) => ids.includes(id))
  }
  switch (match) {
    case 'exact':
      return value === '*' || words === String(value)
    case 'not':
      return words !== String(value)
    case 'in':
    case 'm2m':
      return asList(value).some((item) => item === '*' || String(item) === words)
    case 'contains':
      return words.includes(String(value))
    case 'startswith':
      return words.startsWith(String(value))
    case 'endswith':
      return words.endsWith(String(value))
    case 'regex':
      return validRegex(String(value)) && new RegExp(String(value)).test(words)
    case 'gte':
      return words >= String(value)
    case 'lte':
      return words <= String(value)
    case 'gt':
      return words > String(value)
    case 'lt':
      return words < String(value)
    case 'ip_in':
      return inAddressGroup(words, asList(value).map(String))
    default:
      return false
  }
}
