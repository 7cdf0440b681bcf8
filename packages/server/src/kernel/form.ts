import type { AnyRow, Field } from './fields/field.ts'
import { own } from './safe-lookup.ts'

/** All values of a form, by name; a form cannot say that it means a list of one. */
const everyValue = Symbol('every value')

const lists = new Set<Field['type']>(['list', 'm2m_related_field', 'multiple choice', 'tree'])

/** A form as a body: its last value under each name, and the others for the fields that take lists. */
export function formBody(pairs: Iterable<readonly [string, string]>): AnyRow {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value])
  const last = Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1)]))
  return { ...last, [everyValue]: values }
}

/** What a body says of a field; of a form, a list where the field takes one. */
export function sentIn(body: AnyRow, name: string, field: Field): unknown {
  const values = lists.has(field.type) ? (body as { [everyValue]?: Map<string, string[]> })[everyValue] : undefined
  return values?.get(name)?.filter(Boolean) ?? own(body, name)
}
