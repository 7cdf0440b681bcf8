import { compileRowPattern } from '@castellan/contract/patterns'
import { inAddressGroup } from '../../db/addresses.ts'
import type { ColumnType } from '../../db/schema.ts'
import { noRow } from '../../db/text.ts'
import { functionCondition, inOrder, type TextOperator, textCondition, textMatches } from '../../db/text-operators.ts'
import type { Field, StoredRow } from '../fields/field.ts'
import { own } from '../fields/safe-lookup.ts'
import { normalUuid } from '../fields/scalars.ts'
import type { Context } from '../module/context.ts'
import { scoped } from '../resource/repository.ts'
import { findResource, type ListQuery, type Resource, type RuleSet } from '../resource/resource.ts'
import type { RuleAttribute } from './rule.ts'

/** A compiled attribute of a rule: one decision, for a row and for a query. */
export interface Condition {
  matches(row: StoredRow): boolean | Promise<boolean>
  narrow(query: ListQuery): ListQuery | Promise<ListQuery>
}

const never: Condition = { matches: () => false, narrow: (query) => query.where(noRow) }
const always: Condition = { matches: () => true, narrow: (query) => query }

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const hasNull = (value: unknown) => asList(value).some((one) => String(one).includes('\0'))

/** The condition of one attribute; an attribute the resource does not have selects nothing. */
export function compileAttribute(ctx: Context, resource: Resource, attribute: RuleAttribute): Condition {
  if (asList(attribute.value).length === 0 || hasNull(attribute.value)) return never
  const set = own(resource.ruleAttributes, attribute.name)
  if (set)
    return ofSet(ctx, set, attribute, (row) =>
      ctx.once(`${resource.key} ${row.id} ${attribute.name}`, () => set.of(ctx, row)),
    )
  const field = readable(resource, attribute.name)
  return field ? ofColumn(ctx, resource, field, attribute) : never
}

function ofSet(
  ctx: Context,
  set: RuleSet,
  { match, value }: RuleAttribute,
  valuesOf: (row: StoredRow) => Promise<readonly string[]>,
): Condition {
  const named = [...new Set(asList(value).map(String))]
  if (named.includes('*')) return always
  const values = set.ids ? named.flatMap((one) => normalUuid(one) ?? []) : named
  if (match === 'm2m_all' && !set.alwaysAny) {
    if (values.length < named.length) return never
    return {
      async matches(row) {
        const has = new Set(await valuesOf(row))
        return values.every((one) => has.has(one))
      },
      narrow: (query) => values.reduce((narrower, one) => set.any(ctx, narrower, [one]), query),
    }
  }
  if (values.length === 0) return never
  return {
    matches: async (row) => (await valuesOf(row)).some((one) => values.includes(one)),
    narrow: (query) => set.any(ctx, query, values),
  }
}

/** The field of an attribute that a rule may use: only fields visible to everyone who sees the row. */
function readable(resource: Resource, name: string): Field | undefined {
  const field = own(resource.fields, name)
  return field?.column && field.column.type !== 'json' && !field.writeOnly && !field.secret ? field : undefined
}

/** A value of a column as both sides compare it. */
type Comparable = string | number | boolean | null

/** The type of a field's column; that of a relation is the type of the ids it refers to. */
function typeOf({ column, isRef }: Field): ColumnType | undefined {
  const target = isRef && column?.references && !column.references.includes('(') ? column.references : undefined
  if (!target) return column?.type
  return findResource(target).serialId ? 'integer' : 'uuid'
}

const isTextual = (type: ColumnType | undefined) => type === 'text' || type === 'path'

function storedValue(type: ColumnType | undefined, stored: unknown): Comparable {
  if (stored === null || stored === undefined) return isTextual(type) ? '' : null
  switch (type) {
    case 'boolean':
      return Boolean(stored)
    case 'integer':
    case 'serial':
    case 'float':
    case 'timestamp':
      return Number(stored)
    default:
      return String(stored)
  }
}

/** A value of a rule in the form of the column; undefined when no row can hold it. */
function sentValue(ctx: Context, field: Field, sent: unknown): Comparable | undefined {
  const type = typeOf(field)
  if (isTextual(type)) return String(sent)
  if (type === 'uuid') return normalUuid(String(sent))
  try {
    const value = storedValue(type, field.parse?.(sent, ctx))
    const isNumber = typeof value === 'number'
    if (isNumber && !(type === 'float' ? Number.isFinite(value) : Number.isSafeInteger(value))) return undefined
    return value ?? undefined
  } catch {
    return undefined
  }
}

function ofColumn(ctx: Context, resource: Resource, field: Field, { name, match, value }: RuleAttribute): Condition {
  // Once: many values are compared.
  const type = typeOf(field)
  const stored = resource.columnOf(name)
  const column = `t.${stored}`
  const comparable = (row: StoredRow) => storedValue(type, row[stored])
  const list = asList(value)

  const among = (values: readonly (Comparable | undefined)[]): Condition => {
    const possible = values.filter((one) => one !== undefined)
    if (possible.length === 0) return never
    const isNullToo = isTextual(type) && possible.includes('')
    return {
      matches: (row) => possible.includes(comparable(row)),
      narrow: (query) =>
        query.where((eb) =>
          isNullToo ? eb.or([eb(column, 'in', possible), eb(column, 'is', null)]) : eb(column, 'in', possible),
        ),
    }
  }
  const except = (sent: Comparable | undefined): Condition =>
    sent === undefined
      ? always
      : {
          matches: (row) => comparable(row) !== sent,
          narrow: (query) =>
            query.where((eb) =>
              isTextual(type) && sent === ''
                ? eb(column, '!=', '')
                : eb.or([eb(column, '!=', sent), eb(column, 'is', null)]),
            ),
        }
  /** Texts, and numbers by their digits. */
  const byText = (operator: TextOperator): Condition => {
    const isDigits = type === 'integer' || type === 'serial'
    if (Array.isArray(value) || !(isTextual(type) || isDigits)) return never
    return {
      matches: (row) => {
        const own = comparable(row)
        return own !== null && textMatches(String(own), operator, String(value))
      },
      narrow: (query) => {
        const narrower = isDigits ? query.where(column, 'is not', null) : query
        return narrower.where(textCondition(ctx.dialect, column, operator, String(value)))
      },
    }
  }
  const byOrder = (operator: 'gte' | 'lte' | 'gt' | 'lt'): Condition => {
    if (isTextual(type)) return byText(operator)
    const sent = Array.isArray(value) ? undefined : sentValue(ctx, field, value)
    if (typeof sent !== 'number') return never
    const comparison = ({ gte: '>=', lte: '<=', gt: '>', lt: '<' } as const)[operator]
    return {
      matches: (row) => {
        const own = comparable(row)
        return typeof own === 'number' && inOrder(own - sent, operator)
      },
      narrow: (query) => query.where(column, comparison, sent),
    }
  }
  /** PostgreSQL has neither our patterns nor our address groups: the existing values that match are looked up. */
  const byTest = (test: (text: string) => boolean, inSqlite: 're_matches' | 'ip_matches'): Condition => {
    if (!isTextual(type)) return never
    const matches = (row: StoredRow) => test(String(comparable(row)))
    if (ctx.dialect === 'sqlite')
      return { matches, narrow: (query) => query.where(functionCondition(inSqlite, column, value)) }
    return {
      matches,
      async narrow(query) {
        const found = await scoped(ctx, resource).clearSelect().select(`${column} as value`).distinct().execute()
        return among(found.map((row) => storedValue(type, row.value)).filter((one) => test(String(one)))).narrow(query)
      },
    }
  }

  switch (match) {
    case 'not':
      return except(Array.isArray(value) ? undefined : sentValue(ctx, field, value))
    case 'in':
    case 'm2m':
      return list.includes('*') ? always : among(list.map((one) => sentValue(ctx, field, one)))
    case 'm2m_all': {
      if (list.includes('*')) return always
      const all = [...new Set(list.map((one) => sentValue(ctx, field, one)))]
      return all.length === 1 ? among(all) : never
    }
    case 'contains':
    case 'startswith':
    case 'endswith':
      return byText(match)
    case 'gte':
    case 'lte':
    case 'gt':
    case 'lt':
      return byOrder(match)
    case 'regex': {
      const pattern = compileRowPattern(String(value))
      return byTest((text) => pattern?.find(text) !== undefined, 're_matches')
    }
    case 'ip_in': {
      const group = list.map(String)
      return byTest((text) => inAddressGroup(text, group), 'ip_matches')
    }
    default:
      if (value === '*') return always
      return Array.isArray(value) ? never : among([sentValue(ctx, field, value)])
  }
}
