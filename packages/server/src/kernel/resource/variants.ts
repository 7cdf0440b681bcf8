import { errors } from '@castellan/contract/messages/errors'
import { computed, type Field, json, type StoredRow } from '../fields/index.ts'
import type { Context } from '../module/context.ts'
import type { Problem } from '../module/errors.ts'
import { text as say } from '../module/errors.ts'
import { fieldsInfo } from './metadata.ts'
import { type ChangeOf, defineResource, type Fields, type Resource, type ResourceDeclaration } from './resource.ts'

/** One kind of a resource of several kinds. */
export interface Kind {
  /** The model's name, and its collection under `/api/v1/<app>/`. */
  name: string
  path: string
  /** Fields that only this kind has. */
  fields: Fields
  /** Which of them `info` shows in the collection of all kinds. */
  info?: readonly string[]
}

type Shared = Omit<ResourceDeclaration<Fields>, 'name' | 'path' | 'fields' | 'columns'>
/** What a declaration of a further view of one kind begins with. */
type KindDeclaration = Shared & Pick<ResourceDeclaration<Fields>, 'fields' | 'columns'>

export interface VariantsDeclaration<K extends string, F extends Fields> {
  /** Options that every collection has. */
  shared: Shared
  /** The collection of all kinds: it owns the table. */
  common: Partial<ResourceDeclaration<Fields>> & Pick<ResourceDeclaration<Fields>, 'name' | 'path'>
  /** Options of each kind's own collection. */
  each?(kind: K, resource: () => Resource): Partial<ResourceDeclaration<Fields>>
  /** The column that holds a row's kind. */
  by: string
  /** The JSON column that holds the fields of the kinds. */
  details: string
  /** The kind a row has by its other columns; without it the kind is that of the collection the row is created in. */
  kindOf?(ctx: Context): Promise<(row: Readonly<Record<string, unknown>>) => string | undefined>
  /** The field that decides the kind, and what is said of a value that means another one. */
  decidedBy?: { field: string; refusal: Problem }
  /** All fields in their order; `own` are those of the kind, `info` shows them in the collection of all kinds. */
  fields(kind: K | undefined, own: Fields, info: Field): F
  kinds: Readonly<Record<K, Kind>>
}

export interface Variants<K extends string, F extends Fields> {
  readonly common: Resource<F>
  readonly kinds: Readonly<Record<K, Resource>>
  /** Options for another collection of one kind's rows, such as the gateways among the hosts. */
  declaration(kind: K): KindDeclaration
}

/** A change of a row whose kind decides about its fields. */
type KindChange = ChangeOf<Fields, Fields>

/** What the JSON column holds of a kind's own fields. */
const detailsOf = (row: StoredRow | undefined, column: string) => row?.[column] as StoredRow | undefined

/** The value shown where a row has none stored. */
const unset = (field: Field) => field.default ?? (field.type === 'string' ? '' : null)

/**
 * A field of one kind. It is stored in the JSON column, so that all kinds share one table, a list of everything needs
 * no joins, and a new kind needs no migration. A secret keeps a column of its own: columns are what is encrypted.
 */
function inDetails(field: Field, name: string, details: string): Field {
  if (field.secret) return field
  const { column: _column, decode: _decode, encode: _encode, ...rest } = field
  const wire: Field['wire'] = (_value, ctx, row) => {
    const value = detailsOf(row, details)?.[name] ?? unset(field)
    return field.wire ? field.wire(value, ctx, row) : value
  }
  return { ...rest, filter: false, order: false, ...(field.load ? {} : { wire }) }
}

/**
 * Declares a resource of several kinds on one table: a collection of all kinds, and one of each kind with the fields
 * only that kind has. Metadata, import and export follow each collection's fields. A row keeps its kind: a value that
 * would give it another one is refused in every collection.
 *
 *     const animals = defineVariants({
 *       shared: { app: 'zoo', scope: 'org' },
 *       common: { name: 'animal', path: 'animals', unique: [['org_id', 'name']] },
 *       by: 'species',
 *       details: 'traits',
 *       fields: (_kind, own, info) => ({
 *         name: text({ max: 128, required: true }),
 *         species: choice(speciesLabels, { readOnly: true }),
 *         ...own,
 *         info,
 *       }),
 *       kinds: {
 *         bird: { name: 'bird', path: 'birds', fields: { wingspan: integer() }, info: ['wingspan'] },
 *         fish: { name: 'fish', path: 'fishes', fields: { saltwater: boolean() } },
 *       },
 *     })
 *     export const animal = animals.common
 *     export const { bird, fish } = animals.kinds
 */
export function defineVariants<const K extends string, F extends Fields>(
  declaration: VariantsDeclaration<K, F>,
): Variants<K, F> {
  const { shared, common, by, details, kinds, decidedBy } = declaration
  const names = Object.keys(kinds) as K[]
  const own = Object.fromEntries(
    names.map((kind) => [
      kind,
      Object.fromEntries(
        Object.entries(kinds[kind].fields).map(([name, field]) => [name, inDetails(field, name, details)]),
      ),
    ]),
  ) as Record<K, Fields>
  const fieldsOf = (kind: unknown): Fields => (Object.hasOwn(own, String(kind)) ? own[kind as K] : {})
  const secrets = names.flatMap((kind) => Object.entries(own[kind]).filter(([, field]) => field.secret))

  const shownOf = (kind: unknown): [string, Field][] =>
    Object.entries(fieldsOf(kind)).filter(([name]) => kinds[kind as K].info?.includes(name))
  const info = computed('nested object', {
    noExport: true,
    // Which kind a row has, `describing` adds to the parameters.
    meta: (ctx, params) => {
      const shown = shownOf(params[by]).map(([name, field]) => [name, { ...field, readOnly: true, required: false }])
      return shown.length > 0 ? { children: fieldsInfo(ctx, shared.app, Object.fromEntries(shown)) } : {}
    },
    wire: (_value, ctx, row) =>
      Object.fromEntries(shownOf(row[by]).map(([name, field]) => [name, field.wire?.(undefined, ctx, row)])),
  })

  /** Rows whose kind is not the one they must have; the others go on to the declared rules. */
  async function fitting(
    ctx: Context,
    kind: K | undefined,
    changes: KindChange[],
    problem: (index: number, field: string, problem: Problem) => void,
  ): Promise<KindChange[]> {
    const kindOf = await declaration.kindOf?.(ctx)
    return changes.filter((change) => {
      const { row, before, index } = change
      const wanted = before?.[by] ?? kind
      const found = kindOf ? kindOf(row) : (row[by] ?? wanted)
      if (found === undefined) return false
      row[by] = found
      if (wanted === undefined || found === wanted) return true
      problem(index, decidedBy?.field ?? by, decidedBy?.refusal ?? [say(errors.read_only)])
      return false
    })
  }

  /** Moves what was sent for a kind's own fields into the JSON column. */
  function mergeDetails({ row, before, mode, values }: KindChange): void {
    const fields = fieldsOf(row[by])
    const sent = Object.keys(fields).filter((name) => !fields[name]?.secret && name in values)
    if (sent.length > 0 || mode === 'create')
      row[details] = { ...detailsOf(before, details), ...Object.fromEntries(sent.map((name) => [name, values[name]])) }
  }

  const hooksOf = (kind: K | undefined, hooks: Shared['hooks'] = {}): NonNullable<Shared['hooks']> => ({
    ...hooks,
    async validate(ctx, changes, problem) {
      await hooks.validate?.(ctx, await fitting(ctx, kind, changes, problem), problem)
    },
    async beforeSave(ctx, changes) {
      for (const change of changes) mergeDetails(change)
      await hooks.beforeSave?.(ctx, changes)
    },
  })

  /** Secrets of other kinds have their columns in the table all the same. */
  const columnsOf = (kind: K | undefined): Fields => ({
    [details]: { ...json({ default: {}, nullable: true }), loggedByEntry: true },
    ...Object.fromEntries(secrets.filter(([name]) => !kind || !(name in own[kind]))),
  })

  const commonResource = defineResource<Fields, Fields, boolean>({
    ...shared,
    ...common,
    fields: declaration.fields(undefined, {}, info),
    columns: columnsOf(undefined),
    hooks: hooksOf(undefined, common.hooks ?? shared.hooks),
  })

  const kindDeclaration = (kind: K): KindDeclaration => ({
    ...shared,
    table: commonResource.table,
    shares: commonResource.key,
    unique: commonResource.unique ?? [],
    fields: declaration.fields(kind, own[kind], info),
    columns: columnsOf(kind),
    hooks: hooksOf(kind, shared.hooks),
  })

  const resources = {} as Record<K, Resource>
  for (const kind of names) {
    const { name, path } = kinds[kind]
    const start = kindDeclaration(kind)
    const more = declaration.each?.(kind, () => resources[kind]) ?? {}
    resources[kind] = defineResource({
      ...start,
      permission: common.name,
      visible: (_ctx, query) => query.where(`t.${by}`, '=', kind),
      ...more,
      ...(more.hooks ? { hooks: hooksOf(kind, more.hooks) } : {}),
      name,
      path,
    })
  }
  return { common: commonResource as Resource<F>, kinds: resources, declaration: kindDeclaration }
}
