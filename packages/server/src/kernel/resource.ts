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

/** The columns every table has in addition to those of its fields. */
export interface BaseRow {
  id: string
  created_by: string | null
  updated_by: string | null
  date_created: number
  date_updated: number
  /** Only in tables of scope `org`. */
  org_id: string
}

/** A stored row of a resource, decoded; inferred from its declaration. */
export type Row<R> = R extends { readonly __fields?: infer F }
  ? BaseRow & { [K in keyof F as StoredName<K, F[K]>]: StoredValue<F[K]> }
  : never

/** A list query under construction; the resource's table is `t`. */
export type ListQuery = SelectQueryBuilder<{ t: AnyRow } & Record<string, AnyRow>, 't', AnyRow>
export type Filter = (
  ctx: Context,
  query: ListQuery,
  value: string,
  all: Readonly<Record<string, string>>,
) => ListQuery | Promise<ListQuery>

/** One condition of a rule that selects rows by their attributes. */
export interface RuleAttribute {
  name: string
  match: string
  value: unknown
}

/** The timestamp column by which rows of a log are counted. `unit`: milliseconds of one unit of the column. */
export interface DailyCounts {
  column: string
  unit: 1 | 1000
  /** Parameters that do not filter rows. */
  ignores?: readonly string[]
}

/** At most ten rows that match a search, for callers who need not have the permission to list them. */
export interface Suggestions {
  requires: Requirement
  /** Suggests rows of every organization. */
  acrossOrgs?: boolean
  /**
   * The only fields returned to callers who may not list the suggested rows; filters and orders are limited to them
   * too.
   */
  fields: readonly string[]
  /** Narrows the rows for callers without the permission to list them. */
  permitted?(ctx: Context): Promise<(query: ListQuery) => ListQuery>
}

/** Throws to reject the deletion of a selection; `all` counts the rows that the caller could have selected. */
export type BulkDeleteGuard = (ctx: Context, selected: readonly AnyRow[], all: () => Promise<number>) => Promise<void>

export interface Hooks<R extends AnyRow> {
  /** May rewrite a body before it is validated; called once per body. */
  prepare?(
    ctx: Context,
    input: AnyRow,
    change: { mode: 'create' | 'update'; before?: R; partial: boolean; bulk: boolean; query: AnyRow },
  ): AnyRow | Promise<AnyRow>
  /**
   * Checks rules between fields; throws `invalid(…)`, or adds to a row's errors. Receives all rows of a bulk call
   * together.
   */
  validate?(
    ctx: Context,
    changes: Change<R>[],
    problems: (index: number, field: string, problem: Problem) => void,
  ): void | Promise<void>
  beforeSave?(ctx: Context, changes: Change<R>[]): void | Promise<void>
  afterSave?(ctx: Context, changes: Change<R>[]): void | Promise<void>
  /** Guards; throw to reject. */
  beforeDelete?(ctx: Context, rows: R[]): void | Promise<void>
  afterDelete?(ctx: Context, rows: R[]): void | Promise<void>
}

export interface ResourceDeclaration<F extends Fields, C extends Fields = Fields> {
  app: string
  /** The contract's model name, as in permission codes: `usergroup`. */
  name: string
  /** Under `/api/v1/<app>/`. */
  path: string
  /** Alternative absolute URLs; their path parameters are ignored. */
  aliases?: readonly string[]
  table?: string
  scope: Scope
  fields: F
  /** Stored, never on the wire. */
  columns?: C
  /** Ids are numbers assigned by the database. */
  serialId?: boolean
  /** Whether a client may choose the id on create. */
  idWritable?: boolean
  /** Name used in permission codes if it differs from the resource's name; or requirements by verb or action. */
  permission?: string
  requires?: Partial<Record<Verb, Requirement>>
  verbs?: readonly Verb[]
  /** Calls reserved for components, whatever permissions other callers hold. */
  reported?: readonly ('create' | 'update')[]
  /** PUT, PATCH, POST of arrays and DELETE with a selection on the collection. */
  bulk?: boolean
  /** The selection that a bulk delete requires. */
  bulkDelete?: 'ids' | 'narrower' | 'one' | 'never' | BulkDeleteGuard
  unique?: readonly (readonly string[])[]
  /** The field that reports a conflict over several columns, if not each of them. */
  conflictsUnder?: string
  indexes?: readonly (readonly string[])[]
  mini?: readonly string[]
  small?: readonly string[]
  /** `fields` and `fields_size` are ignored by this resource. */
  wholeRows?: boolean
  defaultOrder?: readonly string[]
  /** The only names that `order` may use. */
  orderable?: readonly string[]
  /** Columns (or `alias.column` when `from` joins) that `search` covers. */
  search?: readonly string[]
  /** `search` also finds a row by its complete id. */
  searchesId?: boolean
  filters?: Record<string, Filter>
  /** The column that `date_from` and `date_to` filter. */
  dateRange?: string
  /**
   * A log whose rows are counted by day as they are written (`daily-counts.ts`), so that its list need not count or
   * skip rows.
   */
  dailyCounts?: DailyCounts
  /** Narrows the rows that exist for the caller. */
  visible?(ctx: Context, query: ListQuery): ListQuery
  /** Counts the rows that exist for the caller, where that is cheaper than counting the result of `visible`. */
  total?(ctx: Context): Promise<number>
  suggestions?: Suggestions
  hooks?: Hooks<AnyRow>
  /**
   * Replaces plain creation where a body may refer to an existing row (an existing account, for example). Returns the
   * affected rows in the order of the bodies.
   */
  create?(ctx: Context, inputs: readonly unknown[], call: { bulk: boolean; query: AnyRow }): Promise<AnyRow[]>
  /** The bodies of a bulk update that are carried out; the others are skipped. */
  changeable?(ctx: Context, bodies: readonly unknown[]): Promise<readonly unknown[]>
  /** The rows of a selection that a bulk delete removes; the others remain without an error. */
  deletable?(ctx: Context, rows: AnyRow[]): Promise<AnyRow[]>
  actions?: readonly Action[]
  /** OPTIONS lists the id as a filter; it always works as one. */
  idFilter?: boolean
  /** The id is not on the wire. */
  noId?: boolean
  /** The table has the declared columns only (no author and timestamps), such as the join table of a `many` field. */
  bare?: boolean
  /** Whether rows of an organization include `org_id` and `org_name`; true by default. */
  orgFields?: boolean
  /** Text of a row in logs and messages. */
  display?(row: AnyRow): string
  /** Changes by components and by the system itself are logged too. */
  alwaysLogged?: boolean
  unlogged?: boolean
  /** Another declaration of the same rows whose fields are used for lists and details when the query asks for it. */
  readAs?(params: Readonly<Record<string, string>>): Resource | undefined
  /** Further checks for a single object, after the permission check. */
  guard?(ctx: Context, row: AnyRow, verb: Verb | 'action'): void | Promise<void>
  /** Fields hidden from this caller: in bodies, or with `use` in responses or OPTIONS. */
  hidden?(ctx: Context, verb: Verb, use?: 'answer' | 'options'): readonly string[]
  /**
   * Completes the parameters of an OPTIONS request (those of the query, and `pk` for a detail) with values that the
   * metadata of some fields depends on.
   */
  describing?(ctx: Context, params: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>
  /** Another column by which the detail URL finds a row. */
  lookup?: (segment: string) => { column: string; value: unknown } | undefined
  /** The table belongs to another resource's declaration; no schema of its own. */
  shares?: string
  /** The limit of this list is not capped. */
  uncapped?: boolean
  fileName?: string
  /** Exports are zipped with this password of the caller; a caller without one is asked to set it. */
  filePassword?(ctx: Context): Promise<string | undefined>
  /** Requirement for converting a file to bodies; by default that of create. `false` disables import. */
  imports?: Requirement | false
  /** Accepts `attr_rules`; attributes that are not plain columns are defined as conditions. */
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

/** A resource by `app.name`; available once every module is loaded. */
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

/** The requirement of a verb of a resource. */
export function requirement(resource: Resource, verb: Verb): Requirement {
  return (
    resource.requires?.[verb] ??
    (`${resource.app}.${actionOf[verb]}_${resource.permission ?? resource.name}` as Requirement)
  )
}

export const allResources = (): readonly Resource[] => [...new Set(registry.values())]

/** Declares a resource. Its table, routes, metadata, permission checks and log entries follow from this. */
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
  // Computed once, because rows are decoded by the thousand.
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
  // Another declaration on the same table and model, such as one category of assets, is registered by its path.
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

/**
 * The columns of the resource's substring index; undefined when `search` covers more than text columns of its own
 * table.
 */
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
