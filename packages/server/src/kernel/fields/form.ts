import type { Field, StoredRow } from './field.ts'
import { own } from './safe-lookup.ts'

/** All values of a form, by name; a form cannot express a list with one item. */
const everyValue = Symbol('every value')

const lists = new Set<Field['type']>(['list', 'm2m_related_field', 'multiple choice', 'tree'])

/** A form as a body: the last value of each name, and all values for fields that take lists. */
export function formBody(pairs: Iterable<readonly [string, string]>): StoredRow {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value])
  const last = Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1)]))
  return { ...last, [everyValue]: values }
}

/** The value of a field in a body; in a form, a list where the field takes one. */
export function sentIn(body: StoredRow, name: string, field: Field): unknown {
  const values = lists.has(field.type) ? (body as { [everyValue]?: Map<string, string[]> })[everyValue] : undefined
  return values?.get(name)?.filter(Boolean) ?? own(body, name)
}
