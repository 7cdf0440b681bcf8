import type { SelectQueryBuilder } from 'kysely'
import type { ColumnShape, TableShape } from '../db/schema.ts'
import type { Context } from './context.ts'
import type { Problem } from './errors.ts'
import type { AnyRow, Change, Field, ManyField } from './fields/field.ts'
import type { Requirement } from './permission.ts'
import type { Action } from './route.ts'
import { Sealed } from './secrets.ts'
import { idField, orgFields, serialIdField } from './standard-fields.ts'

// biome-ignore lint/suspicious/noExplicitAny: a resource is used by generic code whatever its fields are
export type Fields = Record<string, Field<any, any>>
export type Scope = 'org' | 'global'
export type Verb = 'list' | 'retrieve' | 'create' | 'update' | 'delete'

type StoredName<K, F> = F extends { __stores?: { where: infer W } }
  ? 'own' extends W
    ? 'ref' extends W
      ? never
      : K
    : 'ref' extends W
      ? `${K & string}_id`
      : never
  : never
type StoredValue<F> = F extends { __stores?: { value: infer V } } ? V : never

/** The columns every table has beside those of its fields. */
export interface BaseRow {
  id: string
  created_by: string | null
  updated_by: string | null
  date_created: number
  date_updated: number
  /** Only in tables of scope `org`. */
  org_id: string
}

/** A stored row of a resource, decoded: inferred from its declaration. */
export type Row<R> = R extends { readonly __fields?: infer F }
  ? BaseRow & { [K in keyof F as StoredName<K, F[K]>]: StoredValue<F[K]> }
  : never

/** A list in the making; the resource's table is `t`. */
export type ListQuery = SelectQueryBuilder<{ t: AnyRow } & Record<string, AnyRow>, 't', AnyRow>
export type Filter = (
  ctx: Context,
  query: ListQuery,
  value: string,
  all: Readonly<Record<string, string>>,
) => ListQuery | Promise<ListQuery>

/** One condition of a rule that chooses rows by their attributes. */
export interface RuleAttribute {
  name: string
  match: string
  value: unknown
}

/** The moment rows of a log are counted by. `unit`: milliseconds of one step of the column. */
export interface DailyCounts {
  column: string
  unit: 1 | 1000
  /** Parameters that take no row away. */
  ignores?: readonly string[]
}

/** At most ten rows that fit a search, for callers who need not have the right to list them. */
export interface Suggestions {
  requires: Requirement
  /** Rows of every organization. */
  acrossOrgs?: boolean
  /** All that is answered to callers who may not list the rows that are suggested, and all that filters and orders them. */
  fields: readonly string[]
  /** Narrows rows to those that callers without the right to list may know of. */
  permitted?(ctx: Context): Promise<(query: ListQuery) => ListQuery>
}

/** Throws to refuse the deletion of a selection; `all` counts what the caller could have selected. */
export type BulkDeleteGuard = (ctx: Context, selected: readonly AnyRow[], all: () => Promise<number>) => Promise<void>

export interface Hooks<R extends AnyRow> {
  /** May rewrite what was sent before it is validated, one body at a time. */
  prepare?(
    ctx: Context,
    input: AnyRow,
    change: { mode: 'create' | 'update'; before?: R; partial: boolean; bulk: boolean; query: AnyRow },
  ): AnyRow | Promise<AnyRow>
  /** Rules between fields; throw `invalid(…)`, or add to a row's problems. Rows of a bulk call come together. */
  validate?(
    ctx: Context,
    changes: Change<R>[],
    problems: (index: number, field: string, problem: Problem) => void,
  ): void | Promise<void>
  beforeSave?(ctx: Context, changes: Change<R>[]): void | Promise<void>
  afterSave?(ctx: Context, changes: Change<R>[]): void | Promise<void>
  /** Guards; throw to refuse. */
  beforeDelete?(ctx: Context, rows: R[]): void | Promise<void>
  afterDelete?(ctx: Context, rows: R[]): void | Promise<void>
}

export interface ResourceDeclaration<F extends Fields, C extends Fields = Fields> {
  app: string
  /** The contract's model name, as in permission codes: `usergroup`. */
  name: string
  /** Under `/api/v1/<app>/`. */
  path: string
  /** Further addresses of the same collection, whole ones: parts of them that stand for something are not looked at. */
  aliases?: readonly string[]
  table?: string
  scope: Scope
  fields: F
  /** Stored, never on the wire. */
  columns?: C
  /** Ids are numbers counted by the database. */
  serialId?: boolean
  /** Whether a client may choose the id on create. */
  idWritable?: boolean
  /** Name used in permission codes when it is not the resource's own; or requirements by verb or action. */
  permission?: string
  requires?: Partial<Record<Verb, Requirement>>
  verbs?: readonly Verb[]
  /** What of this components report: only they do it, whatever rights others hold. */
  reported?: readonly ('create' | 'update')[]
  /** PUT, PATCH, POST of arrays and DELETE with a selection on the collection. */
  bulk?: boolean
  /** Which selection a bulk delete demands. */
  bulkDelete?: 'ids' | 'narrower' | 'one' | 'never' | BulkDeleteGuard
  unique?: readonly (readonly string[])[]
  /** The name a conflict over several columns is answered under, when it is not each of theirs. */
  conflictsUnder?: string
  indexes?: readonly (readonly string[])[]
  mini?: readonly string[]
  small?: readonly string[]
  /** `fields`, `fields_size` are ignored by this resource. */
  wholeRows?: boolean
  defaultOrder?: readonly string[]
  /** Restricts what `order` may name. */
  orderable?: readonly string[]
  /** Columns (or `alias.column` when `from` joins) that `search` looks through. */
  search?: readonly string[]
  /** `search` finds a row by its whole id as well. */
  searchesId?: boolean
  filters?: Record<string, Filter>
  /** The column that `date_from` and `date_to` limit. */
  dateRange?: string
  /** A log whose rows are counted by day as they are written (`daily-counts.ts`): its list neither counts nor steps over them. */
  dailyCounts?: DailyCounts
  /** Narrows what exists for the caller. */
  visible?(ctx: Context, query: ListQuery): ListQuery
  /** How many rows exist for the caller, where there is a quicker way than to count what `visible` leaves. */
  total?(ctx: Context): Promise<number>
  suggestions?: Suggestions
  hooks?: Hooks<AnyRow>
  /**
   * Takes the place of plain creation where a body may also mean an existing row (an account that is there already).
   * Answers the rows the call is about, in the order of the bodies.
   */
  create?(ctx: Context, inputs: readonly unknown[], call: { bulk: boolean; query: AnyRow }): Promise<AnyRow[]>
  /** Which bodies of a bulk change are carried out; the others are left out. */
  changeable?(ctx: Context, bodies: readonly unknown[]): Promise<readonly unknown[]>
  /** Which rows of a selection a bulk delete takes; the others stay, silently. */
  deletable?(ctx: Context, rows: AnyRow[]): Promise<AnyRow[]>
  actions?: readonly Action[]
  /** OPTIONS offers the id as a filter; it always works as one. */
  idFilter?: boolean
  /** The id is not on the wire. */
  noId?: boolean
  /** The table holds the declared columns only, such as the join table of a `many` field: not who wrote a row, nor when. */
  bare?: boolean
  /** Whether rows of an organization say which one; true unless told otherwise. */
  orgFields?: boolean
  /** Text of a row in logs and messages. */
  display?(row: AnyRow): string
  /** Logged also when a component or the system itself makes the change. */
  alwaysLogged?: boolean
  /** Writes no operate-log entry. */
  unlogged?: boolean
  /** Another declaration of the same rows, in whose fields lists and details answer when the query asks for it. */
  readAs?(params: Readonly<Record<string, string>>): Resource | undefined
  /** Further checks in front of a single object, after the permission. */
  guard?(ctx: Context, row: AnyRow, verb: Verb | 'action'): void | Promise<void>
  /**
   * Fields left out for this caller: of what a call takes, or, with a `use`, of what it answers or what OPTIONS tells.
   */
  hidden?(ctx: Context, verb: Verb, use?: 'answer' | 'options'): readonly string[]
  /**
   * Completes the parameters of an OPTIONS request (those of the query, and `pk` for a detail) with what the metadata of
   * some fields depends on.
   */
  describing?(ctx: Context, params: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>
  /** The address of a detail is also looked up by this column. */
  lookup?: (segment: string) => { column: string; value: unknown } | undefined
  /** The table belongs to another resource's declaration: no schema of its own. */
  shares?: string
  /** Fewer rows than `limit` says are never returned by this list (it has no cap). */
  uncapped?: boolean
  fileName?: string
  /** Exported rows leave in a zip under this password of the caller's; without one the caller is told to choose it. */
  filePassword?(ctx: Context): Promise<string | undefined>
  /**
   * What reading a file into bodies demands: the right to create unless it is told, `false` where the
   * collection takes no files.
   */
  imports?: Requirement | false
  /** Understands `attr_rules`; attributes that are not plain columns are given as conditions. */
  ruleAttributes?: Record<string, (ctx: Context, query: ListQuery, attribute: RuleAttribute) => ListQuery>
}

export interface Resource<F extends Fields = Fields, C extends Fields = Fields> extends ResourceDeclaration<F, C> {
  readonly __fields?: F & C
  readonly key: string
  readonly table: string
  readonly url: string
  columnOf(field: string): string
  /** Every stored column with the field that encodes it. */
  readonly stored: ReadonlyMap<string, Field>
  decode(row: AnyRow): AnyRow
  encode(values: AnyRow, ctx: Context): AnyRow
  displayOf(row: AnyRow): string
  readonly shape: TableShape
  readonly joins: readonly (TableShape & { field: string })[]
}

const text: ColumnShape = { type: 'text', nullable: true }
const auditColumns: Record<string, ColumnShape> = {
  created_by: text,
  updated_by: text,
  date_created: { type: 'timestamp' },
  date_updated: { type: 'timestamp' },
}

const registry = new Map<string, Resource>()

/** A resource by `app.name`; known once every module is loaded. */
export function findResource(key: string): Resource {
  const found = registry.get(key)
  if (!found) throw new Error(`No resource is called ${key}.`)
  return found
}

const actionOf: Record<Verb, string> = {
  list: 'view',
  retrieve: 'view',
  create: 'add',
  update: 'change',
  delete: 'delete',
}

/** What a verb of a resource demands. */
export function requirement(resource: Resource, verb: Verb): Requirement {
  return (
    resource.requires?.[verb] ??
    (`${resource.app}.${actionOf[verb]}_${resource.permission ?? resource.name}` as Requirement)
  )
}

export const allResources = (): readonly Resource[] => [...new Set(registry.values())]

/** Declares a resource: from this come its table, its routes, its metadata, its permissions and its log entries. */
// biome-ignore lint/complexity/noBannedTypes: no columns means no keys, and `{}` is the type that adds none
export function defineResource<const F extends Fields, const C extends Fields = {}>(
  declaration: ResourceDeclaration<F, C>,
): Resource<F, C> {
  const table = declaration.table ?? `${declaration.app}_${declaration.name}`
  const fields: Fields = {
    ...(declaration.noId
      ? {}
      : { id: declaration.serialId ? serialIdField(declaration.idWritable ?? false) : idField() }),
    ...declaration.fields,
    ...(declaration.scope === 'org' && declaration.orgFields !== false ? orgFields() : {}),
  }
  const columnOf = (name: string): string => {
    const column = (fields[name] ?? declaration.columns?.[name])?.column
    return column?.name ?? ((fields[name] ?? declaration.columns?.[name])?.isRef ? `${name}_id` : name)
  }
  const stored = new Map<string, Field>()
  for (const [name, field] of Object.entries({ ...fields, ...declaration.columns }))
    if (field.column && name !== 'id' && name !== 'org_id') stored.set(columnOf(name), field as Field)
  // Worked out once: rows are decoded by the thousand.
  const sealed = [...stored].flatMap(([column, field]) => (field.secret ? [column] : []))
  const coded = [...stored].flatMap(([column, { secret, decode }]) => (decode && !secret ? [{ column, decode }] : []))

  const resource: Resource<F, C> = {
    idWritable: !declaration.serialId,
    bulk: true,
    bulkDelete: declaration.scope === 'org' ? 'narrower' : 'ids',
    verbs: ['list', 'retrieve', 'create', 'update', 'delete'],
    ...declaration,
    fields: fields as F,
    key: `${declaration.app}.${declaration.name}`,
    table,
    url: `/api/v1/${declaration.app}/${declaration.path}/`,
    columnOf,
    stored,
    decode(row) {
      const decoded: AnyRow = { ...row }
      for (const column of sealed)
        if (column in decoded)
          decoded[column] = decoded[column] ? new Sealed(decoded[column], `${table}.${column}`) : null
      for (const { column, decode } of coded) if (column in decoded) decoded[column] = decode(decoded[column])
      for (const column of ['date_created', 'date_updated'])
        if (column in decoded) decoded[column] = Number(decoded[column])
      return decoded
    },
    encode(values, ctx) {
      const encoded: AnyRow = {}
      for (const column of Object.keys(values)) {
        const value = values[column]
        const field = stored.get(column)
        if (field?.secret) encoded[column] = ctx.services.vault.stored(value, `${table}.${column}`)
        else encoded[column] = field?.encode ? field.encode(value, ctx) : (value ?? null)
      }
      return encoded
    },
    displayOf: (row) => declaration.display?.(row) ?? String(row.name ?? row.id),
    get shape() {
      return tableShape(resource)
    },
    get joins() {
      return joinShapes(resource)
    },
  }
  const known = registry.get(resource.key)
  if (!known || !declaration.shares) registry.set(resource.key, resource)
  // Another declaration on the same table and model, such as one category of assets, is found by its path.
  if (declaration.shares) registry.set(`${declaration.app}/${declaration.path}`, resource)
  return resource
}

function references(shape: ColumnShape & { name?: string }): ColumnShape {
  const { name: _name, ...column } = shape
  return column.references && !column.references.includes('(') ? { ...column, ...target(column.references) } : column
}

function target(key: string): Pick<ColumnShape, 'references' | 'type'> {
  const related = findResource(key)
  return { references: `${related.table}.id`, type: related.serialId ? 'integer' : 'uuid' }
}

/** The columns of the resource's substring index; undefined when `search` looks at more than texts of its own table. */
export function indexedSearch(resource: Resource): readonly string[] | undefined {
  const columns = resource.search?.map(resource.columnOf)
  const isText = (column: string) => resource.stored.get(column)?.column?.type === 'text'
  return columns && columns.length > 0 && columns.every(isText) ? columns : undefined
}

function tableShape(resource: Resource): TableShape {
  const columns: Record<string, ColumnShape> = { id: { type: resource.serialId ? 'serial' : 'uuid' } }
  const search = indexedSearch(resource)
  for (const [column, field] of resource.stored)
    if (column !== 'id' && field.column) columns[column] = references(field.column)
  if (resource.scope === 'org') columns.org_id = { type: 'uuid' }
  if (!resource.bare)
    Object.assign(columns, Object.fromEntries(Object.entries(auditColumns).filter(([name]) => !(name in columns))))
  return {
    name: resource.table,
    columns,
    primaryKey: ['id'],
    unique: resource.unique ?? [],
    indexes: resource.indexes ?? [],
    ...(search ? { search } : {}),
  }
}

function joinShapes(resource: Resource): (TableShape & { field: string })[] {
  return Object.entries(resource.fields).flatMap(([field, declared]) => {
    const join = (declared as Partial<ManyField>).join
    if (!join || join.from === '' || declared.readOnly) return []
    const columns: Record<string, ColumnShape> = {
      id: { type: 'serial' },
      [join.from]: { ...target(resource.key), type: resource.serialId ? 'integer' : 'uuid', onDelete: 'cascade' },
      [join.to]: { ...(target(join.target) as ColumnShape), onDelete: 'cascade' },
    }
    return [
      {
        field,
        name: join.table,
        columns,
        primaryKey: ['id'],
        unique: [[join.from, join.to]],
        indexes: [[join.to]],
      },
    ]
  })
}
