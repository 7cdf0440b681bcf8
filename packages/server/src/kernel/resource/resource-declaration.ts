import type { ListQuery, StoredRow } from '../../db/database.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Change, Field } from '../fields/field.ts'
import type { Action, Params } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import type { Problem } from '../module/errors.ts'
import type { Requirement } from '../security/permission.ts'
import type { ColumnName, FieldName, Fields, NoFields, RowOf, ValuesOf } from './row-types.ts'

export type { ListQuery } from '../../db/database.ts'

export type Scope = 'org' | 'global'
export type Verb = 'list' | 'retrieve' | 'create' | 'update' | 'delete'

export type Filter = (ctx: Context, query: ListQuery, value: string, all: Params) => ListQuery | Promise<ListQuery>

/**
 * An attribute of which a row has several values, such as the groups of a user. Its operators are "one of" and, with
 * `m2m_all`, "all of".
 */
export interface RuleSet {
  /** Narrows a query to rows with at least one of the values. */
  any(ctx: Context, query: ListQuery, values: readonly string[]): ListQuery
  /** The values of one row: exactly those by which `any` finds it. */
  of(ctx: Context, row: StoredRow): Promise<readonly string[]>
  /** The values are ids. */
  ids?: boolean
  /** Every operator means "one of". */
  alwaysAny?: boolean
}

/** The timestamp column by which rows of a log are counted. `unit`: milliseconds of one unit of the column. */
export interface DailyCounts<K extends string = string> {
  column: K
  unit: 1 | 1000
  /** Parameters that do not filter rows. */
  ignores?: readonly string[]
  /** `visible` only joins tables, and hides no row. */
  hidesNothing?: true
}

/** At most ten rows that match a search, for callers who need not have the permission to list them. */
export interface Suggestions<N extends string = string> {
  requires: Requirement
  /** Suggests rows of every organization. */
  acrossOrgs?: boolean
  /**
   * The only fields returned to callers who may not list the suggested rows; filters and orders are limited to them
   * too.
   */
  fields: readonly N[]
  /** Narrows the rows for callers without the permission to list them. */
  permitted?(ctx: Context): Promise<(query: ListQuery) => ListQuery>
}

/** Throws to reject the deletion of a selection; `all` counts the rows that the caller could have selected. */
export type BulkDeleteGuard<R = StoredRow> = BulkDelete<R>['guard']
interface BulkDelete<R> {
  guard(ctx: Context, selected: readonly R[], all: () => Promise<number>): Promise<void>
}

/** Where an error is reported that belongs to no single field. */
type NoField = 'non_field_errors'

/** Code of a resource around its changes. `R` are its rows, `V` the values sent by field, `N` the names of fields. */
export interface Hooks<R = StoredRow, V = StoredRow, N extends string = string> {
  /**
   * Asks other machines about a body, before the transaction of the write: waiting for them would keep everybody else
   * from writing. Not called for bulk updates. The body is not validated yet; throw to reject it.
   */
  probe?(ctx: Context, body: unknown, change: { before?: R; query: Params }): Promise<void>
  /** May rewrite a body before it is validated; called once per body. */
  prepare?(
    ctx: Context,
    input: StoredRow,
    change: { mode: 'create' | 'update'; before?: R; partial: boolean; bulk: boolean; query: Params },
  ): StoredRow | Promise<StoredRow>
  /**
   * Checks rules between fields; throws `invalid(…)`, or adds to a row's errors. Receives all rows of a bulk call
   * together.
   */
  validate?(
    ctx: Context,
    changes: Change<R, V>[],
    problems: (index: number, field: N | NoField, problem: Problem) => void,
  ): void | Promise<void>
  beforeSave?(ctx: Context, changes: Change<R, V>[]): void | Promise<void>
  afterSave?(ctx: Context, changes: Change<R, V>[]): void | Promise<void>
  /** Guards; throw to reject. */
  beforeDelete?(ctx: Context, rows: readonly R[]): void | Promise<void>
  afterDelete?(ctx: Context, rows: readonly R[]): void | Promise<void>
}

/** The hooks of the resource that is declared with these fields and columns. */
export type HooksOf<F, C = NoFields, S = false> = Hooks<RowOf<F, C, S>, ValuesOf<F>, FieldName<F>>
/** A change of a row of that resource. */
export type ChangeOf<F, C = NoFields, S = false> = Change<RowOf<F, C, S>, ValuesOf<F>>

/** Fields that are added to every declaration. */
type AddedField = 'id' | 'org_id' | 'org_name'
/** How many rows a list is expected to have: `many` if they are counted, and more than a page is worth collecting. */
export type Expected = 'few' | 'many'

/** A column of a joined table. */
type Joined = `${string}.${string}`
type Directed<N extends string> = N | `-${N}`

/**
 * What a declaration says besides its fields, as generic code reads it. `R` are the rows, `V` the values sent by field,
 * `N` the names of fields, `K` those of columns.
 */
export interface ResourceOptions<R = StoredRow, V = StoredRow, N extends string = string, K extends string = string> {
  app: string
  /** The contract's model name, as in permission codes: `usergroup`. */
  name: string
  /** Under `/api/v1/<app>/`. */
  path: string
  /** Alternative absolute URLs; their path parameters are ignored. */
  aliases?: readonly string[]
  table?: string
  scope: Scope
  /** The organization of all rows, for a resource of the system with scope `org`: whatever organization a caller is in. */
  organization?: string
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
  bulkDelete?: 'ids' | 'narrower' | 'one' | 'never' | BulkDeleteGuard<R>
  unique?: readonly (readonly K[])[]
  /** The field that reports a conflict over several columns, if not each of them. */
  conflictsUnder?: N | NoField
  indexes?: readonly (readonly K[])[]
  mini?: readonly (N | AddedField)[]
  small?: readonly (N | AddedField)[]
  /** `fields` and `fields_size` are ignored by this resource. */
  wholeRows?: boolean
  defaultOrder?: readonly Directed<N | K>[]
  /** The only names that `order` may use. */
  orderable?: readonly (N | K)[]
  /** Columns (or `alias.column` of a joined table) that `search` covers; `id` only as a whole. */
  search?: readonly (N | K | Joined)[]
  filters?: Record<string, Filter>
  /** The column that `date_from` and `date_to` filter. */
  dateRange?: N | K
  /**
   * A log whose rows are counted by day as they are written (`daily-counts.ts`), so that its list need not count or
   * skip rows.
   */
  dailyCounts?: DailyCounts<K>
  /**
   * Narrows the rows that exist for the caller. `expected`: whether a page is wanted of so many rows that testing each in
   * order finds it sooner than collecting all of them; the rows are the same.
   */
  visible?(ctx: Context, query: ListQuery, expected: Expected): ListQuery
  /** Narrows lists and the calls that change many rows; other rows that exist for the caller are found by their id. */
  listed?(ctx: Context, query: ListQuery): ListQuery
  /** Counts the rows that exist for the caller, where that is cheaper than counting the result of `visible`. */
  total?(ctx: Context): Promise<number>
  suggestions?: Suggestions<N | AddedField>
  hooks?: Hooks<R, V, N>
  /**
   * Replaces plain creation where a body may refer to an existing row (an existing account, for example). Returns the
   * affected rows in the order of the bodies.
   */
  create?(ctx: Context, inputs: readonly unknown[], call: { bulk: boolean; query: Params }): Promise<StoredRow[]>
  /**
   * The answer to a create or update of one row instead of the row; undefined answers with the row. Called within the
   * transaction, after the row is stored.
   */
  answer?(ctx: Context, row: R, body: unknown): Promise<StoredRow | undefined>
  /** Bytes of the files that a multipart form of create may contain; its fields get them as `UploadedBytes`. */
  uploads?: number
  /** The bodies of a bulk update that are carried out; the others are skipped. */
  changeable?(ctx: Context, bodies: readonly unknown[]): Promise<readonly unknown[]>
  /** The rows of a selection that a bulk delete removes; the others remain without an error. */
  deletable?(ctx: Context, rows: R[]): Promise<R[]>
  actions?: readonly Action<R>[]
  /** Some of its changes ask for a recent confirmation (412), which its hooks decide. */
  confirms?: boolean
  /** OPTIONS lists the id as a filter; it always works as one. */
  idFilter?: boolean
  /** The id is not on the wire. */
  noId?: boolean
  /** The table has the declared columns only (no author and timestamps), such as the join table of a `many` field. */
  bare?: boolean
  /** Whether rows of an organization include `org_id` and `org_name`; true by default. */
  orgFields?: boolean
  /** Text of a row in logs and messages. */
  display?(row: R): string
  /** Changes by components and by the system itself are logged too. */
  alwaysLogged?: boolean
  unlogged?: boolean
  /** Another declaration of the same rows whose fields are used for lists and details when the query asks for it. */
  readAs?(params: Params): Resource | undefined
  /** Further checks for a single object, after the permission check. */
  guard?(ctx: Context, row: R, verb: Verb | 'action'): void | Promise<void>
  /** Fields hidden from this caller: in bodies, or with `use` in responses or OPTIONS. */
  hidden?(ctx: Context, verb: Verb, use?: 'answer' | 'options'): readonly string[]
  /**
   * The order of fields in answers, OPTIONS and files: names, or as they are declared, which `wholeRows` implies. By
   * default booleans and then moments come last.
   */
  fieldOrder?: readonly (N | AddedField)[] | 'declared'
  /**
   * Other facts in OPTIONS, by field: what clients of the contract expect to be told of a field that is validated and
   * stored as declared. Undefined removes a fact; `filter` and `order` are told of lists only.
   */
  described?: { readonly [name in N | AddedField]?: Readonly<Record<string, unknown>> }
  /** Calls that are refused, and that OPTIONS of the collection describes nevertheless, for clients of the contract. */
  describesToo?: readonly ('POST' | 'PUT' | 'PATCH')[]
  /** The same of the address of one row. */
  describesRowsToo?: readonly ('PUT' | 'PATCH')[]
  /**
   * Completes the parameters of an OPTIONS request (those of the query, and `pk` for a detail) with values that the
   * metadata of some fields depends on.
   */
  describing?(ctx: Context, params: Params): Promise<Params>
  /** Another column by which the detail URL finds a row. */
  lookup?: (segment: string) => { column: string; value: unknown } | undefined
  /** The table belongs to another resource's declaration; no schema of its own. */
  shares?: string
  fileName?: string
  /** Exports are zipped with this password of the caller; a caller without one is asked to set it. */
  filePassword?(ctx: Context): Promise<string | undefined>
  /** Requirement for converting a file to bodies; by default that of create. `false` disables import. */
  imports?: Requirement | false
  /** Rules may select rows by their attributes; the attributes that are not plain columns. */
  ruleAttributes?: Readonly<Record<string, RuleSet>>
}

/** A declaration; its own keys and the rows of its hooks follow from its fields and columns. */
export interface ResourceDeclaration<F extends Fields, C extends Fields = Fields, S extends boolean = boolean>
  extends ResourceOptions<
    RowOf<NoInfer<F>, NoInfer<C>, NoInfer<S>>,
    ValuesOf<NoInfer<F>>,
    FieldName<NoInfer<F>>,
    ColumnName<NoInfer<F>, NoInfer<C>>
  > {
  fields: F
  /** Stored, never on the wire. */
  columns?: C
  /** Ids are numbers assigned by the database. */
  serialId?: S
}

/** A declared resource. Code that serves all resources reads `Resource`; `Row<typeof user>` are the rows of one. */
export interface Resource<F extends Fields = Fields, C extends Fields = Fields, S extends boolean = boolean>
  extends ResourceOptions {
  /** Phantom type of the declaration; read by `Row<>`. */
  readonly __declares?: { fields: F; columns: C; serial: S }
  readonly fields: F
  readonly columns?: C
  readonly serialId?: boolean
  readonly key: string
  readonly table: string
  readonly url: string
  columnOf(field: string): string
  /** Every stored column with the field that encodes it. */
  readonly stored: ReadonlyMap<string, Field>
  decode(row: StoredRow): StoredRow
  encode(values: StoredRow, ctx: Context): StoredRow
  displayOf(row: StoredRow): string
  readonly shape: TableShape
  readonly joins: readonly (TableShape & { field: string })[]
}
