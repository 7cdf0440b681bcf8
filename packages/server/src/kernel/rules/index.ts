import { errors } from '@castellan/contract/messages/errors'
import type { StoredRow } from '../fields/field.ts'
import type { Context } from '../module/context.ts'
import { ApiError, invalid, Rejected, render, text } from '../module/errors.ts'
import type { ListQuery, Resource } from '../resource/resource.ts'
import { parseJson } from '../untrusted/json.ts'
import { compileAttribute } from './condition.ts'
import { parseRule, type Rule } from './rule.ts'

export { parseRule, type Rule, type RuleAttribute } from './rule.ts'

const conditionsOf = (ctx: Context, resource: Resource, rule: Rule) =>
  (rule.type === 'attrs' ? rule.attrs : []).map((attribute) => compileAttribute(ctx, resource, attribute))

/**
 * Whether a rule selects a row: the enforcing side. An empty rule selects nothing.
 * @param ctx in the organization whose groups, roles and labels count
 */
export async function ruleSelects(ctx: Context, resource: Resource, rule: Rule, row: StoredRow): Promise<boolean> {
  if (rule.type === 'all') return true
  if (rule.type === 'ids') return rule.ids.includes(String(row.id))
  if (rule.type !== 'attrs') return false
  for (const condition of conditionsOf(ctx, resource, rule)) if (!(await condition.matches(row))) return false
  return true
}

/** The rows that a rule selects: the previewing side. An empty rule does not filter. */
export async function ruleNarrows(ctx: Context, resource: Resource, query: ListQuery, rule: Rule): Promise<ListQuery> {
  if (rule.type === 'ids') return query.where('t.id', 'in', rule.ids)
  let narrower = query
  for (const condition of conditionsOf(ctx, resource, rule)) narrower = await condition.narrow(narrower)
  return narrower
}

const kinds = new Set<unknown>(['all', 'ids', 'attrs'])

/** The condition of the parameter `attr_rules` (base64 of a rule); undefined when it does not filter. */
export function attributeRules(ctx: Context, resource: Resource, encoded: string | undefined) {
  if (!encoded || !resource.ruleAttributes) return undefined
  let rule: unknown
  try {
    rule = parseJson(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    throw new ApiError(400, 'attr_rules', (language) => ({ attr_rules: render(text(errors.not_json), language) }))
  }
  // An unknown type of rule does not filter.
  if (typeof rule === 'object' && rule !== null && 'type' in rule && !kinds.has(rule.type)) return undefined
  try {
    const parsed = parseRule(rule)
    return (query: ListQuery) => ruleNarrows(ctx, resource, query, parsed)
  } catch (error) {
    if (error instanceof Rejected) throw invalid({ attr_rules: error.problem })
    throw error
  }
}
