import type { Present, StoredRow } from '../fields/field.ts'
import type { Params } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import type { Resource, Verb } from './resource.ts'

/** The usual order: other fields, then booleans, then datetimes. */
function rank(type: string): number {
  if (type === 'datetime') return 2
  return type === 'boolean' ? 1 : 0
}

const orders = new WeakMap<Resource, readonly string[]>()

/** The fields of a resource in the order of answers; what `fieldOrder` does not name comes last. */
export function wireOrder(resource: Resource): readonly string[] {
  let order = orders.get(resource)
  if (!order) {
    const { fieldOrder = resource.wholeRows ? 'declared' : [] } = resource
    const first: readonly string[] = fieldOrder === 'declared' ? Object.keys(resource.fields) : fieldOrder
    const others = Object.keys(resource.fields)
      .filter((name) => !first.includes(name))
      .map((name, index) => ({ name, index, rank: rank(resource.fields[name]?.type ?? 'field') }))
      .sort((a, b) => a.rank - b.rank || a.index - b.index)
      .map(({ name }) => name)
    order = [...first, ...others]
    orders.set(resource, order)
  }
  return order
}

/** The fields this caller may read, in wire order. */
export function readableFields(ctx: Context, resource: Resource, verb: Verb = 'list'): string[] {
  const hidden = new Set(resource.hidden?.(ctx, verb, 'answer') ?? [])
  return wireOrder(resource).filter((name) => !resource.fields[name]?.writeOnly && !hidden.has(name))
}

const names = (value: string | undefined) =>
  new Set(
    (value ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )

/** The verb whose fields a response has: `action=retrieve` gives a list the fields of a detail. */
export const shownAs = (verb: Verb, params: Params): Verb => (params.action === 'retrieve' ? 'retrieve' : verb)

/** Applies `fields`, `fields!`, `fields_size` and `action=suggestion` to a resource's fields. */
export function narrowed(resource: Resource, all: readonly string[], params: Params): string[] {
  if (resource.wholeRows) return [...all]
  const size = params.action === 'suggestion' ? 'mini' : params.fields_size
  const sized = size === 'mini' ? resource.mini : size === 'small' ? resource.small : undefined
  const only = names(params.fields)
  const without = names(params['fields!'])
  return all.filter(
    (name) => (!sized || sized.includes(name)) && (only.size === 0 || only.has(name)) && !without.has(name),
  )
}

/** The readable fields that the caller's parameters select, in wire order. */
export const chosenFields = (ctx: Context, resource: Resource, params: Params, verb: Verb = 'list'): string[] =>
  narrowed(resource, readableFields(ctx, resource, shownAs(verb, params)), params)

/** Rows in wire form. Related rows are loaded once for all rows of the page. */
export async function serialize(
  ctx: Context,
  resource: Resource,
  rows: readonly StoredRow[],
  fields: readonly string[],
): Promise<StoredRow[]> {
  if (rows.length === 0) return []
  const known = fields.filter((name) => resource.fields[name])
  const presents = await ctx.together(
    ...known.map((name) => async (): Promise<[string, Present]> => {
      const field = resource.fields[name]
      const column = resource.columnOf(name)
      if (field?.load) return [name, await field.load(ctx, rows, name)]
      if (field?.wire) return [name, (row) => field.wire?.(row[column], ctx, row) ?? null]
      return [name, (row) => row[column] ?? null]
    }),
  )
  return rows.map((row) => {
    const wire: StoredRow = {}
    for (const [name, value] of presents) wire[name] = value(row)
    return wire
  })
}

/** One row in wire form, with every field the caller may read. */
export async function serializeOne(
  ctx: Context,
  resource: Resource,
  row: StoredRow,
  verb: Verb = 'retrieve',
): Promise<StoredRow> {
  return (await serialize(ctx, resource, [row], readableFields(ctx, resource, verb)))[0] as StoredRow
}
