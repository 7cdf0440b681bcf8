import type { StoredRow } from '../../db/database.ts'
import type { ColumnShape } from '../../db/schema.ts'
import type { Context } from '../module/context.ts'
import type { Problem } from '../module/errors.ts'
import type { Sealed } from '../security/secrets.ts'

export type { StoredRow } from '../../db/database.ts'

/** Field types as OPTIONS names them. */
export type WireType =
  | 'string'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'datetime'
  | 'url'
  | 'email'
  | 'slug'
  | 'choice'
  | 'multiple choice'
  | 'labeled_choice'
  | 'object_related_field'
  | 'm2m_related_field'
  | 'list'
  | 'nested object'
  | 'json'
  | 'tree'
  | 'file upload'
  | 'image upload'
  | 'field'

/** A row to be stored: a secret may still be in plain text. */
export type Unsealed<R> = { [K in keyof R]: unknown extends R[K] ? R[K] : Sealed extends R[K] ? R[K] | string : R[K] }

/** One row being written. `row` holds the columns to be stored; `values` the validated input by field name. */
export interface Change<R = StoredRow, V = StoredRow> {
  readonly mode: 'create' | 'update'
  readonly partial: boolean
  readonly before: R | undefined
  row: Unsealed<R>
  readonly values: V
  /** The raw body. */
  readonly input: StoredRow
  readonly index: number
}

interface Presenter {
  present(row: StoredRow): unknown
}
/** Presents a row on the wire. Declared as a method, so that a field may name the columns that it reads. */
export type Present = Presenter['present']

export interface Field<V = unknown, S extends 'own' | 'ref' | 'none' = 'own' | 'ref' | 'none'> {
  /** Phantom type of the stored value and its location; read by `Row<>`. */
  readonly __stores?: { where: S; value: V }
  readonly type: WireType
  /** The column, when the value is stored in the resource's own table. `name` defaults to the field's name. */
  readonly column?: ColumnShape & { readonly name?: string }
  /** The column holds the id of another row; it is called `<field>_id` unless named otherwise. */
  readonly isRef?: boolean
  /** The values of a field of choices; undefined when they are not known beforehand. */
  readonly values?: readonly (string | number)[]
  /** The resource that a relation leads to, and what it shows of its rows; undefined when code presents them. */
  readonly related?: { readonly resource: string; readonly attrs: readonly string[] | undefined }
  /** What answers have, where the type in OPTIONS does not say it. */
  readonly answers?: 'string' | 'number' | 'boolean'
  readonly required: boolean
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly nullable: boolean
  readonly blank: boolean
  /** Used when a create omits the field; also the value to which PUT resets it, when `resets`. */
  readonly default?: unknown | ((ctx: Context) => unknown)
  readonly resets: boolean
  readonly search: boolean
  readonly filter: boolean
  readonly order: boolean
  /** Excluded from csv and xlsx files. */
  readonly noExport?: boolean
  /** Accepted or returned, but not part of a form: excluded from OPTIONS. */
  readonly undescribed?: boolean
  /** Schemas for the API documentation, for responses and bodies, where the field type does not imply them. */
  readonly schema?: {
    readonly answer?: Readonly<Record<string, unknown>>
    readonly body?: Readonly<Record<string, unknown>>
  }
  /** Replaced by asterisks wherever changes are shown. */
  readonly secret?: boolean
  /** The entries of this JSON object are logged like columns of their own. */
  readonly loggedByEntry?: boolean
  /** Validates and converts one sent value; throws `Rejected`. A field without it is read-only. */
  parse?(input: unknown, ctx: Context): unknown
  /**
   * Checks the values of many rows at once (existence of related rows); returns the replacement per index or throws per
   * index. `befores`: the existing rows, where they exist.
   */
  resolve?(
    ctx: Context,
    values: readonly unknown[],
    problem: (index: number, problem: Problem) => void,
    befores?: readonly (StoredRow | undefined)[],
  ): Promise<unknown[]>
  encode?(value: unknown, ctx: Context): unknown
  decode?(stored: unknown): unknown
  /** Converts the stored value to the wire, from the row alone. */
  wire?(value: unknown, ctx: Context, row: StoredRow): unknown
  /** Loads the wire values for many rows at once, when they need a query. */
  load?(ctx: Context, rows: readonly StoredRow[], field: string): Promise<Present>
  /** Writes values that are not in the resource's own table, after the rows are stored. */
  store?(ctx: Context, changes: readonly Change[], field: string): Promise<void>
  /** More for OPTIONS: choices, limits, tree, children; `params` are the path parameters of the requested URL. */
  meta?(ctx: Context, params: Readonly<Record<string, string>>): Record<string, unknown>
  /** Converts the wire value to the text of a cell in exported files, and back. */
  toCell?(wire: unknown, ctx: Context): string
  fromCell?(cell: string, ctx: Context): unknown
  /**
   * Replaces names in cells by the rows they refer to, for many rows at once; a value that names no row is returned
   * unchanged.
   */
  resolveNames?(ctx: Context, values: readonly unknown[]): Promise<unknown[]>
}

/** The join table behind a field of many links. */
export interface Join {
  table: string
  from: string
  to: string
  /** Key of the target resource. */
  target: string
}

export type ManyField = Field<never, 'none'> & { readonly join: Join }

export interface FieldOptions<V> {
  required?: boolean
  readOnly?: boolean
  writeOnly?: boolean
  nullable?: boolean
  blank?: boolean
  default?: V | null | ((ctx: Context) => V | null)
  /** PUT without the field resets it to its default. Implied by a default other than `""`. */
  resets?: boolean
  search?: boolean
  filter?: boolean
  order?: boolean
  noExport?: boolean
  column?: string
}

/** The same field with other facts in OPTIONS; undefined removes a fact. Validation and storage are unchanged. */
export const describedAs = <F extends Field>(field: F, facts: Readonly<Record<string, unknown>>): F => ({
  ...field,
  meta: (ctx, params) => ({ ...field.meta?.(ctx, params), ...facts }),
})

/** The same field without a column: sent or shown, but not stored. */
export const unstored = <V>(
  { column: _column, ...field }: Field<V, 'own'>,
  more: Partial<Field> = {},
): Field<V, 'none'> => ({ ...field, ...more }) as Field<V, 'none'>

/** Properties common to all kinds of fields. */
export function base<V>(type: WireType, options: FieldOptions<V>, orderable = true) {
  const hasDefault = options.default !== undefined && options.default !== null && options.default !== ''
  return {
    type,
    required: options.required ?? false,
    readOnly: options.readOnly ?? false,
    writeOnly: options.writeOnly ?? false,
    nullable: options.nullable ?? false,
    blank: options.blank ?? !options.required,
    default: options.default,
    resets: options.resets ?? hasDefault,
    search: options.search ?? false,
    filter: options.filter ?? false,
    order: options.order ?? orderable,
    ...(options.noExport ? { noExport: true } : {}),
  }
}
