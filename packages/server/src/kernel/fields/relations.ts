import { errors } from '@castellan/contract/messages/errors'
import { booleanOf } from '@castellan/contract/truth'
import { batches } from '../../db/batches.ts'
import type { Context } from '../module/context.ts'
import { type Problem, quoted, Rejected, text } from '../module/errors.ts'
import { scoped } from '../resource/repository.ts'
import { findResource, type Resource, requirement } from '../resource/resource.ts'
import { meets } from '../security/permission.ts'
import { base, type Change, type Field, type FieldOptions, type Join, type ManyField, type StoredRow } from './field.ts'
import { listOfCell, normalId, normalUuid } from './scalars.ts'

/** Resources refer to each other by `app.name`; the server checks at start that the name exists. */
export type ResourceName = `${string}.${string}`

interface RelatedOptions extends FieldOptions<string> {
  /** Attributes of the related row on the wire; a function receives the complete row. */
  attrs?: readonly string[]
  show?(row: StoredRow, ctx: Context): unknown
  /** Related rows may belong to any organization. */
  anyOrg?: boolean
  /** Shows only rows visible in the caller's organization; otherwise every linked row is shown. */
  shownInOrg?: boolean
  onDelete?: 'cascade' | 'set null' | 'restrict'
  /** The column by whose value a file cell may refer to a row; `name` by default. */
  nameColumn?: string
  /** The column that holds the id; `<field>_id` by default. */
  column?: string
}

const shownByDefault = ['id', 'name'] as const

const relatedBy = (resource: ResourceName, { attrs, show }: RelatedOptions) => ({
  resource,
  attrs: show ? undefined : (attrs ?? shownByDefault),
})

function presenter(options: RelatedOptions): (row: StoredRow, ctx: Context) => unknown {
  if (options.show) return options.show
  const attrs = options.attrs ?? shownByDefault
  return (row) => Object.fromEntries(attrs.map((name) => [name, row[name] ?? null]))
}

/** The key in `id`, `{id}`, `{pk}` or `{<attribute>}`, the forms of a reference in a body; undefined without one. */
export function keyOf(input: unknown, attribute = 'id'): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const object = input as Record<string, unknown>
  return object.id ?? object.pk ?? object[attribute] ?? undefined
}

/** The ids in a list; items that are not ids are dropped. */
export const uuidsOf = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).flatMap((item) => normalUuid(keyOf(item)) ?? [])

/** An id in its stored form. Throws a type error for booleans, other types and malformed uuids. */
export function parseKey(input: unknown, target: Resource): string | number {
  const id = normalId(target, input)
  if (id !== undefined) return id
  if (typeof input !== 'string') throw new Rejected([text(errors.incorrect_type, { type: typeof input })])
  if (target.serialId) throw new Rejected([text(errors.does_not_exist, { pk: quoted(input) })])
  throw new Rejected([text(errors.not_a_uuid, { input: quoted(input) })])
}

function parseReference(input: unknown, target: Resource, options: RelatedOptions): string | number {
  const key = keyOf(input, options.attrs?.[0])
  if (key === null || key === undefined) throw new Rejected([text(errors.does_not_exist, { pk: 'None' })])
  return parseKey(key, target)
}

const definite = (ids: Iterable<unknown>) => [...new Set(ids)].filter((id) => id !== null && id !== undefined)

/** The organization whose rows may be linked. In the view over all organizations it is the row's own. */
const placeOf = (ctx: Context, before: StoredRow | undefined): string =>
  ctx.isRootOrg && before?.org_id ? String(before.org_id) : ctx.orgId

/** Which of the ids sent for each row may be linked, by the organization of the row. */
export async function choosableBy(
  ctx: Context,
  target: Resource,
  sent: readonly { ids: readonly unknown[]; before: StoredRow | undefined }[],
  options: Pick<RelatedOptions, 'anyOrg'>,
): Promise<(index: number) => ReadonlySet<unknown>> {
  const places = sent.map(({ before }) => placeOf(ctx, before))
  const found = new Map<string, ReadonlySet<unknown>>()
  for (const orgId of new Set(places)) {
    const ids = sent.flatMap((one, index) => (places[index] === orgId ? one.ids : []))
    found.set(orgId, await choosableIds(orgId === ctx.orgId ? ctx : ctx.inOrg(orgId), target, ids, options))
  }
  return (index) => found.get(places[index] as string) as ReadonlySet<unknown>
}

/** Which of the ids the caller may link to. */
async function choosableIds(
  ctx: Context,
  target: Resource,
  ids: Iterable<unknown>,
  { anyOrg }: Pick<RelatedOptions, 'anyOrg'> = {},
): Promise<Set<unknown>> {
  const found = new Set<unknown>()
  const wanted = definite(ids)
  for (const some of batches(wanted))
    for (const { id } of await scoped(anyOrg ? ctx.acrossOrgs() : ctx, target)
      .clearSelect()
      .select('t.id')
      .where('t.id', 'in', some)
      .execute())
      found.add(id)
  return found
}

/**
 * Related rows by id. `choosable`: those the caller may link to; `all`: every linked row, for display. A linked row is
 * shown by name even when its list does not show it to this caller.
 */
async function rowsById(
  ctx: Context,
  target: Resource,
  ids: Iterable<unknown>,
  which: 'choosable' | 'all',
): Promise<Map<unknown, StoredRow>> {
  const found = new Map<unknown, StoredRow>()
  const wanted = definite(ids)
  for (const chunk of batches(wanted)) {
    const rows: StoredRow[] =
      which === 'all'
        ? await ctx.rawDb.selectFrom(target.table).selectAll().where('id', 'in', chunk).execute()
        : await scoped(ctx, target).where('t.id', 'in', chunk).execute()
    for (const row of rows) found.set(row.id, target.decode(row))
  }
  return found
}

/** A related object as a file cell: `name(id)`, or its bare id. */
export function cellOf(wire: unknown): string {
  if (wire === null || wire === undefined) return '-'
  if (typeof wire !== 'object') return String(wire)
  const { id, name, display_name } = wire as StoredRow
  return `${name ?? display_name ?? ''}(${id})`
}

function fromCellOf(cell: string): unknown {
  const match = /^(.*)\(([^()]*)\)\s*$/s.exec(cell.trim())
  if (!match) return cell.trim()
  const [, name, id = ''] = match
  return { pk: id.length < 36 && /^\d+$/.test(id) ? Number(id) : id, name }
}

/** The related objects listed in a cell, `["Name(id)", …]`, in wire form. */
export function relatedOfCell(cell: string): unknown {
  const list = listOfCell(cell)
  return Array.isArray(list) ? list.map((item) => (typeof item === 'string' ? fromCellOf(item) : item)) : list
}

/** The name in a reference without an id; brackets may be part of a name. */
function writtenName(item: unknown, target: Resource): string | undefined {
  if (typeof item === 'string') return normalId(target, item) === undefined ? item : undefined
  const { pk, name } = (item ?? {}) as StoredRow
  return typeof pk === 'string' && normalId(target, pk) === undefined ? `${name}(${pk})` : undefined
}

/**
 * The related objects of cells, with names replaced by ids. A name stays unchanged when it matches no row the caller
 * may list in this organization, or several.
 */
async function objectsByName(
  ctx: Context,
  items: readonly unknown[],
  target: Resource,
  { nameColumn }: Pick<RelatedOptions, 'nameColumn'>,
): Promise<(item: unknown) => unknown> {
  const names = [...new Set(items.flatMap((item) => writtenName(item, target) ?? []))]
  const ids = new Map<unknown, unknown[]>()
  const column = nameColumn ?? (target.fields.name?.column && (target.fields.name.column.name ?? 'name'))
  if (column && meets(ctx, requirement(target, 'list')))
    for (const some of batches(names))
      for (const row of (await scoped(ctx, target)
        .clearSelect()
        .select(['t.id', `t.${column} as name`])
        .where(`t.${column}`, 'in', some)
        .execute()) as StoredRow[])
        ids.set(row.name, [...(ids.get(row.name) ?? []), row.id])
  return (item) => {
    const name = writtenName(item, target)
    const [pk, ...others] = ids.get(name) ?? []
    return name === undefined || pk === undefined || others.length > 0 ? item : { pk, name }
  }
}

/** A link to one row of another resource. */
export function one<const O extends RelatedOptions = Record<never, never>>(
  name: ResourceName,
  given: O = {} as O,
): Field<O extends { readonly nullable: true } ? string | null : string, 'ref'> {
  const options: RelatedOptions = given
  const show = presenter(options)
  const target = () => findResource(name)
  return {
    ...base('object_related_field', { order: false, ...options }),
    isRef: true,
    related: relatedBy(name, options),
    column: {
      type: 'uuid',
      nullable: options.nullable ?? false,
      ...(options.column ? { name: options.column } : {}),
      references: name,
      onDelete: options.onDelete ?? (options.nullable ? 'set null' : 'restrict'),
    },
    parse: (input) => (input === '' && options.nullable ? null : parseReference(input, target(), options)),
    resolve: async (ctx, values, problem, befores = []) => {
      const sent = values.map((id, index) => ({ ids: [id], before: befores[index] }))
      const choosable = await choosableBy(ctx, target(), sent, options)
      return values.map((id, index) => {
        if (id !== null && id !== undefined && !choosable(index).has(id))
          problem(index, [text(errors.does_not_exist, { pk: String(id) })])
        return id
      })
    },
    load: async (ctx, rows, field) => {
      const column = options.column ?? `${field}_id`
      const found = await rowsById(
        ctx,
        target(),
        rows.map((row) => row[column]),
        options.shownInOrg ? 'choosable' : 'all',
      )
      return (row) => {
        const related = found.get(row[column])
        return related ? show(related, ctx) : null
      }
    },
    toCell: cellOf,
    fromCell: fromCellOf,
    resolveNames: async (ctx, values) => values.map(await objectsByName(ctx, values, target(), options)),
  }
}

/** A link to one row of a resource whose ids are numbers. */
export const oneBySerial = (name: ResourceName, options: RelatedOptions = {}): Field<number, 'ref'> =>
  one(name, options) as Field<never, 'ref'>

export interface ManyOptions extends RelatedOptions {
  /** The join table and its two columns. */
  through: string
  from: string
  to: string
  /** The wire value is a plain list of ids. */
  plain?: boolean
}

/** Links to many rows of another resource through a join table. */
export function many(name: ResourceName, options: ManyOptions): ManyField {
  const show = options.plain ? (row: StoredRow) => row.id : presenter(options)
  const target = () => findResource(name)
  const { through: table, from, to } = options
  return {
    ...base('m2m_related_field', { order: false, ...options } as FieldOptions<never>, false),
    resets: false,
    join: { table, from, to, target: name },
    related: options.plain ? { resource: name, attrs: undefined } : relatedBy(name, options),
    parse: (input) => {
      if (!Array.isArray(input)) throw new Rejected([text(errors.not_a_list, { type: typeof input })])
      return [...new Set(input.map((item) => parseReference(item, target(), options)))]
    },
    resolve: async (ctx, values, problem, befores = []) => {
      const lists = values as readonly (readonly unknown[] | null)[]
      const sent = lists.map((list, index) => ({ ids: list ?? [], before: befores[index] }))
      const choosable = await choosableBy(ctx, target(), sent, options)
      const isUnknown = lists.map((list, index) => (list ?? []).filter((id) => !choosable(index).has(id)))
      // An existing link may remain, even to a row the caller could not choose, such as a component in a user group.
      const doubtful = befores.filter((before, index) => before && isUnknown[index]?.length)
      const links = await linksOf(
        ctx,
        { table, from, to },
        doubtful.map((before) => before?.id),
      )
      return lists.map((list, index) => {
        const own = new Set<unknown>(links.filter((link) => link[from] === befores[index]?.id).map((link) => link[to]))
        const missing = isUnknown[index]?.find((id) => !own.has(id))
        if (missing !== undefined) problem(index, [text(errors.does_not_exist, { pk: String(missing) })] as Problem)
        return list
      })
    },
    load: async (ctx, rows) => {
      const lists = new Map<unknown, unknown[]>()
      const links = await linksOf(
        ctx,
        { table, from, to },
        rows.map((row) => row.id),
      )
      const found = await rowsById(
        ctx,
        target(),
        links.map((link) => link[to]),
        options.shownInOrg ? 'choosable' : 'all',
      )
      const sorted = [...found.values()].sort(byName)
      const rank = new Map(sorted.map((row, index) => [row.id, index]))
      for (const link of links) {
        const related = found.get(link[to])
        if (!related) continue
        const list = lists.get(link[from]) ?? []
        list.push(related)
        lists.set(link[from], list)
      }
      return (row) => {
        const list = (lists.get(row.id) ?? []) as StoredRow[]
        return list.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)).map((related) => show(related, ctx))
      }
    },
    store: async (ctx, changes, field) => {
      const sent = changes.filter((change) => change.values[field])
      await replaceLinks(ctx, { table, from, to }, sent, field, options.shownInOrg ? target() : undefined)
    },
    toCell: (wire) => JSON.stringify((wire as unknown[]).map(cellOf)),
    fromCell: relatedOfCell,
    resolveNames: async (ctx, values) => {
      const lists = values.map((value) => (Array.isArray(value) ? value : undefined))
      const known = await objectsByName(
        ctx,
        lists.flatMap((list) => list ?? []),
        target(),
        options,
      )
      return values.map((value, index) => lists[index]?.map(known) ?? value)
    },
    meta: () => ({}),
  }
}

/** Sort order of related rows. */
export const byName = (a: StoredRow, b: StoredRow) => {
  const [left, right] = [String(a.name ?? a.value ?? ''), String(b.name ?? b.value ?? '')]
  return left < right ? -1 : left > right ? 1 : 0
}

type Table = Pick<Join, 'table' | 'from' | 'to'>

/** A row of a join table: the ids it links, by column. */
export type Link<C extends string = string> = Readonly<Record<C, string>>

/** The links of some rows. */
export async function linksOf<const F extends string, const T extends string>(
  ctx: Context,
  join: { table: string; from: F; to: T },
  ids: readonly unknown[],
): Promise<Link<F | T>[]> {
  const { table, from, to }: Table = join
  const links: Link<F | T>[] = []
  for (const some of batches(ids))
    links.push(
      ...(await ctx.rawDb
        .selectFrom(table)
        .select([from, to])
        .where(from, 'in', some)
        .$castTo<Link<F | T>>()
        .execute()),
    )
  return links
}

/** Deletes links. Parents that lose the same links, as in a bulk call, share one statement. */
export async function removeLinks(
  ctx: Context,
  { table, from, to }: Table,
  removed: readonly { parent: unknown; ids: readonly unknown[] }[],
): Promise<void> {
  for (const alike of Map.groupBy(removed, ({ ids }) => JSON.stringify(ids.toSorted())).values()) {
    const parents = alike.map(({ parent }) => parent)
    for (const some of batches(parents))
      for (const ids of batches(alike[0]?.ids ?? []))
        await ctx.rawDb.deleteFrom(table).where(from, 'in', some).where(to, 'in', ids).execute()
  }
}

/**
 * Replaces the links of changed parents by the sent ones. Links to rows the caller cannot see (another organization's)
 * are retained: the caller only replaces what was shown.
 */
async function replaceLinks(
  ctx: Context,
  { table, from, to }: Table,
  changes: readonly Change[],
  field: string,
  visible: Resource | undefined,
) {
  const updated = changes.filter(({ mode }) => mode === 'update').map(({ row }) => row.id)
  const links = Map.groupBy(await linksOf(ctx, { table, from, to }, updated), (link): unknown => link[from])
  const gone = new Map<unknown, unknown[]>()
  const fresh: StoredRow[] = []
  for (const { row, values } of changes) {
    const before = new Set<unknown>((links.get(row.id) ?? []).map((link) => link[to]))
    const wanted = new Set(values[field] as unknown[])
    const left = [...before].filter((id) => !wanted.has(id))
    if (left.length > 0) gone.set(row.id, left)
    for (const id of wanted) if (!before.has(id)) fresh.push({ [from]: row.id, [to]: id })
  }
  const seen = visible && !ctx.isRootOrg ? await choosableIds(ctx, visible, [...gone.values()].flat()) : undefined
  const removed = [...gone].map(([parent, left]) => ({ parent, ids: seen ? left.filter((id) => seen.has(id)) : left }))
  await removeLinks(ctx, { table, from, to }, removed)
  for (const some of batches(fresh)) await ctx.rawDb.insertInto(table).values(some).execute()
}

/** A boolean query parameter; undefined when it is not a boolean. */
export const flag = (value: string | undefined) => (value === undefined ? undefined : booleanOf(value))
