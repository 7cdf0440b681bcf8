import { errors } from '@castellan/contract/messages/errors'
import { compilePattern } from '@castellan/contract/patterns'
import { sql } from 'kysely'
import { inAddressGroup } from '../db/addresses.ts'
import { noRow } from '../db/text.ts'
import type { Context } from './context.ts'
import { ApiError, invalid, notAnObject, quoted, Rejected, render, text } from './errors.ts'
import type { AnyRow, Field } from './fields/field.ts'
import { normalUuid } from './fields/scalars.ts'
import { scoped } from './repository.ts'
import type { ListQuery, Resource, RuleAttribute } from './resource.ts'
import { own } from './safe-lookup.ts'

/** Rules that select users or assets: all, some by id, or by attributes. */
export type Rule =
  | { type: 'all' }
  | { type: 'ids'; ids: string[] }
  | { type: 'attrs'; attrs: RuleAttribute[] }
  | Record<string, never>

const kinds = new Set<unknown>(['all', 'ids', 'attrs'])

/** Parses a rule; throws `Rejected` with an error for the field as a whole, as the contract does. */
export function parseRule(input: unknown): Rule {
  if (input === '' || (Array.isArray(input) && input.length === 0)) return {}
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Rejected([notAnObject(input)])
  const rule = input as AnyRow
  if (Object.keys(rule).length === 0) return {}
  if (rule.type === 'all') return { type: 'all' }
  if (rule.type === 'ids') {
    if (!Array.isArray(rule.ids) || rule.ids.length === 0) throw new Rejected([text(errors.rule_ids)])
    const ids = rule.ids.map((id) => normalUuid(typeof id === 'object' && id ? id.id : id))
    const wrong = ids.indexOf(undefined)
    if (wrong >= 0) throw new Rejected([text(errors.not_a_uuid, { input: quoted(rule.ids[wrong]) })])
    return { type: 'ids', ids: ids as string[] }
  }
  if (rule.type === 'attrs') {
    if (!Array.isArray(rule.attrs) || rule.attrs.length === 0) throw new Rejected([text(errors.rule_attributes)])
    return { type: 'attrs', attrs: rule.attrs.map(parseAttribute) }
  }
  throw new Rejected([text(errors.rule_type)])
}

/** Whether a value, or each value of a list, can be compared with the text of a row. */
const isComparable = (value: unknown): boolean =>
  [value].flat().every((one) => ['string', 'number', 'boolean'].includes(typeof one))

function parseAttribute(input: unknown): RuleAttribute {
  const { name, match, value } = (input ?? {}) as AnyRow
  if (typeof name !== 'string' || name === '' || value === undefined || value === null || !isComparable(value))
    throw new Rejected([text(errors.rule_attribute)])
  return { name, match: typeof match === 'string' ? match : 'exact', value }
}

/** The condition of the parameter `attr_rules` (base64 of a rule); undefined when it does not filter. */
export function attributeRules(ctx: Context, resource: Resource, encoded: string | undefined) {
  if (!encoded || !resource.ruleAttributes) return undefined
  let rule: unknown
  try {
    rule = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    throw new ApiError(400, 'attr_rules', (language) => ({ attr_rules: render(text(errors.not_json), language) }))
  }
  // An unknown type of rule does not filter.
  if (typeof rule === 'object' && rule !== null && 'type' in rule && !kinds.has(rule.type)) return undefined
  try {
    const parsed = parseRule(rule)
    return async (query: ListQuery) => narrowed(ctx, resource, query, await inDatabase(ctx, resource, parsed))
  } catch (error) {
    if (error instanceof Rejected) throw invalid({ attr_rules: error.problem })
    throw error
  }
}

/** The condition that the resource declares for an attribute. */
const specialRule = (resource: Resource, name: string) => own(resource.ruleAttributes, name)

/** The field of an attribute that a rule may use: only fields visible to everyone who sees the row. */
function readable(resource: Resource, name: string): Field | undefined {
  const field = own(resource.fields, name)
  return field?.column && !field.writeOnly && !field.secret ? field : undefined
}

/**
 * PostgreSQL cannot match addresses or our patterns in texts: the matching values are determined from the existing
 * ones.
 */
async function inDatabase(ctx: Context, resource: Resource, rule: Rule): Promise<Rule> {
  if (ctx.dialect === 'sqlite' || rule.type !== 'attrs') return rule
  const attrs: RuleAttribute[] = []
  for (const attribute of rule.attrs as RuleAttribute[]) {
    const test = predicateOf(attribute)
    if (!test || specialRule(resource, attribute.name)) attrs.push(attribute)
    else attrs.push({ name: attribute.name, match: 'in', value: await valuesThat(ctx, resource, attribute.name, test) })
  }
  return { type: 'attrs', attrs }
}

function predicateOf({ match, value }: RuleAttribute): ((words: string) => boolean) | undefined {
  if (match === 'ip_in') {
    const group = asList(value).map(String)
    return (words) => inAddressGroup(words, group)
  }
  if (match !== 'regex') return undefined
  const pattern = compilePattern(String(value))
  return (words) => pattern?.find(words) !== undefined
}

async function valuesThat(ctx: Context, resource: Resource, name: string, test: (words: string) => boolean) {
  if (readable(resource, name)?.column?.type !== 'text') return []
  const column = `t.${resource.columnOf(name)}`
  const found = await scoped(ctx, resource).clearSelect().select(`${column} as value`).distinct().execute()
  return found.map((row) => row.value).filter((value) => value !== null && test(value))
}

/** The rows a rule selects. */
function narrowed(ctx: Context, resource: Resource, query: ListQuery, rule: Rule): ListQuery {
  if (rule.type === 'ids') return query.where('t.id', 'in', rule.ids)
  if (rule.type !== 'attrs') return query
  return (rule.attrs as RuleAttribute[]).reduce(
    (narrower, attribute) => byAttribute(ctx, resource, narrower, attribute),
    query,
  )
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const comparisons = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const

/** A value of a rule in the form of the column; undefined when no row can hold it. */
function storedAs(ctx: Context, field: Field, item: unknown): unknown {
  if (item === null || item === undefined || typeof item === 'object' || String(item).includes('\0')) return undefined
  const type = field.column?.type
  if (type === 'uuid' && !field.isRef) return normalUuid(String(item))
  if (type === 'text') return String(item)
  if (type === 'json') return undefined
  try {
    const value = field.parse?.(item, ctx)
    return type === 'integer' && Math.abs(Number(value)) > 2 ** 31 - 1 ? undefined : value
  } catch {
    return undefined
  }
}

function byAttribute(ctx: Context, resource: Resource, query: ListQuery, attribute: RuleAttribute): ListQuery {
  const { name, match, value } = attribute
  if (asList(value).length === 0 || JSON.stringify(value).includes('\\u0000')) return query.where(noRow)
  const special = specialRule(resource, name)
  if (special) return special(ctx, query, attribute)
  const field = readable(resource, name)
  if (!field) return query.where(noRow)
  const column = `t.${resource.columnOf(name)}`
  const sent = storedAs(ctx, field, value)
  switch (match) {
    case 'not':
      if (sent === undefined) return query
      return query.where((eb) => eb.or([eb(column, '!=', sent), eb(column, 'is', null)]))
    case 'in':
    case 'm2m':
    case 'm2m_all':
      return among(
        query,
        column,
        asList(value),
        asList(value).map((item) => storedAs(ctx, field, item)),
      )
    case 'contains':
    case 'startswith':
    case 'endswith':
      return alike(query, column, match, value)
    case 'gte':
    case 'lte':
    case 'gt':
    case 'lt':
      if (sent === undefined || typeof sent === 'boolean') return query.where(noRow)
      return query.where(column, comparisons[match], sent)
    case 'regex':
    case 'ip_in':
      return query.where(
        sql<boolean>`${sql.raw(match === 'ip_in' ? 'ip_matches' : 're_matches')}(${sql.ref(column)}, ${JSON.stringify(value)}) = 1`,
      )
    default:
      if (value === '*') return query
      return sent === undefined ? query.where(noRow) : query.where(column, '=', sent)
  }
}

function among(query: ListQuery, column: string, named: unknown[], values: unknown[]): ListQuery {
  if (named.includes('*')) return query
  const possible = values.filter((value) => value !== undefined)
  return possible.length === 0 ? query.where(noRow) : query.where(column, 'in', possible)
}

function alike(query: ListQuery, column: string, match: 'contains' | 'startswith' | 'endswith', value: unknown) {
  if (value === null || typeof value === 'object' || String(value).includes('\0')) return query.where(noRow)
  const literal = String(value).replace(/[\\%_]/g, '\\$&')
  const [before, after] = [match === 'startswith' ? '' : '%', match === 'endswith' ? '' : '%']
  return query.where(sql<boolean>`cast(${sql.ref(column)} as text) like ${`${before}${literal}${after}`} escape '\\'`)
}

/** Whether a rule selects one object, given by its attributes. */
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
      return compilePattern(String(value))?.find(words) !== undefined
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
