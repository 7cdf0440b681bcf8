import { errors } from '@castellan/contract/messages/errors'
import { normalUuid } from '../fields/scalars.ts'
import { notAnObject, quoted, Rejected, text } from '../module/errors.ts'

/** One condition of a rule that selects rows by their attributes. */
export interface RuleAttribute {
  name: string
  match: string
  value: unknown
}

/** Rules that select users or assets: all, some by id, or by attributes that all have to match. */
export type Rule =
  | { type: 'all' }
  | { type: 'ids'; ids: string[] }
  | { type: 'attrs'; attrs: RuleAttribute[] }
  | Record<string, never>

/** Conditions of one rule: each is one of the query that lists what it selects. */
const mostConditions = 100

/** A value that has to be there with all others of its list is a condition of its own. */
const conditionsOf = (attrs: readonly RuleAttribute[]) =>
  attrs.reduce((sum, { match, value }) => sum + (match === 'm2m_all' ? [value].flat().length : 1), 0)

type Sent = Readonly<Record<string, unknown>>

const isObject = (input: unknown): input is Sent => typeof input === 'object' && input !== null && !Array.isArray(input)

/** Parses a rule; throws `Rejected` with an error for the field as a whole, as the contract does. */
export function parseRule(input: unknown): Rule {
  if (input === '' || (Array.isArray(input) && input.length === 0)) return {}
  if (!isObject(input)) throw new Rejected([notAnObject(input)])
  if (Object.keys(input).length === 0) return {}
  const { type, ids, attrs } = input
  if (type === 'all') return { type }
  if (type === 'ids') {
    if (!Array.isArray(ids) || ids.length === 0) throw new Rejected([text(errors.rule_ids)])
    return { type, ids: ids.map(parseId) }
  }
  if (type === 'attrs') {
    if (!Array.isArray(attrs) || attrs.length === 0) throw new Rejected([text(errors.rule_attributes)])
    const parsed = attrs.slice(0, mostConditions + 1).map(parseAttribute)
    if (conditionsOf(parsed) > mostConditions)
      throw new Rejected([text(errors.rule_too_long, { most: mostConditions })])
    return { type, attrs: parsed }
  }
  throw new Rejected([text(errors.rule_type)])
}

function parseId(input: unknown): string {
  const id = normalUuid(isObject(input) ? input.id : input)
  if (!id) throw new Rejected([text(errors.not_a_uuid, { input: quoted(input) })])
  return id
}

/** Whether a value, or each value of a list, can be compared with the text of a row. */
const isComparable = (value: unknown): boolean =>
  [value].flat().every((one) => ['string', 'number', 'boolean'].includes(typeof one))

function parseAttribute(input: unknown): RuleAttribute {
  const { name, match, value }: Sent = isObject(input) ? input : {}
  if (typeof name !== 'string' || name === '' || value === undefined || value === null || !isComparable(value))
    throw new Rejected([text(errors.rule_attribute)])
  return { name, match: typeof match === 'string' ? match : 'exact', value }
}
