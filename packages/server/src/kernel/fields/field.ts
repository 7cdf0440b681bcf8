import type { ColumnShape } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import type { Problem } from '../errors.ts'

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
  | 'field'

/** A stored row as code sees it: decoded values by column name. */
// biome-ignore lint/suspicious/noExplicitAny: generic code meets columns by name; modules use `Row<typeof resource>`
export type AnyRow = Record<string, any>

/** One row being written. `row` holds what will be stored; `values` what the caller sent, validated, by field name. */
export interface Change<R extends AnyRow = AnyRow> {
  readonly mode: 'create' | 'update'
  readonly partial: boolean
  readonly before: R | undefined
  row: R
  readonly values: AnyRow
  /** The body as it was sent. */
  readonly input: AnyRow
  readonly index: number
}

export type Present = (row: AnyRow) => unknown

export interface Field<V = unknown, S extends 'own' | 'ref' | 'none' = 'own' | 'ref' | 'none'> {
  /** Phantom: where and as what the value is stored; read by `Row<>`. */
  readonly __stores?: { where: S; value: V }
  readonly type: WireType
  /** The column, when the value stands in the resource's own table. `name` defaults to the field's name. */
  readonly column?: ColumnShape & { readonly name?: string }
  /** The column holds another row's id and is called `<field>_id` unless named otherwise. */
  readonly isRef?: boolean
  readonly required: boolean
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly nullable: boolean
  readonly blank: boolean
  /** Used when a create omits the field; also what PUT resets it to, when `resets`. */
  readonly default?: unknown | ((ctx: Context) => unknown)
  readonly resets: boolean
  readonly search: boolean
  readonly filter: boolean
  readonly order: boolean
  /** Hidden in csv and xlsx. */
  readonly noExport?: boolean
  /** Taken or answered, yet no part of a form: OPTIONS does not tell of it. */
  readonly undescribed?: boolean
  /** What the API's documentation says of its values in answers and in bodies, where its type does not say it. */
  readonly schema?: {
    readonly answer?: Readonly<Record<string, unknown>>
    readonly body?: Readonly<Record<string, unknown>>
  }
  /** Replaced by asterisks wherever changes are shown. */
  readonly secret?: boolean
  /** Turns one sent value into the validated one; throws `Rejected`. Without it the field cannot be written. */
  parse?(input: unknown, ctx: Context): unknown
  /**
   * Checks values of many rows at once (existence of related rows); returns the replacement per index or throws per
   * index. `befores`: the rows as they stand, where they are there already.
   */
  resolve?(
    ctx: Context,
    values: readonly unknown[],
    problem: (index: number, problem: Problem) => void,
    befores?: readonly (AnyRow | undefined)[],
  ): Promise<unknown[]>
  encode?(value: unknown, ctx: Context): unknown
  decode?(stored: unknown): unknown
  /** The value on the wire, from the row alone. */
  wire?(value: unknown, ctx: Context, row: AnyRow): unknown
  /** The value on the wire for many rows, when it needs a question to the database. */
  load?(ctx: Context, rows: readonly AnyRow[], field: string): Promise<Present>
  /** Writes what does not stand in the own table, after the rows are stored. */
  store?(ctx: Context, changes: readonly Change[], field: string): Promise<void>
  /** More for OPTIONS: choices, limits, tree, children; `params` are those of the address that is asked about. */
  meta?(ctx: Context, params: Readonly<Record<string, string>>): Record<string, unknown>
  /** Text of a cell in exported files, from the wire value, and back. */
  toCell?(wire: unknown, ctx: Context): string
  fromCell?(cell: string, ctx: Context): unknown
  /** Values of cells with the rows that people wrote by name, for many rows at once; what names no row stays as it is. */
  resolveNames?(ctx: Context, values: readonly unknown[]): Promise<unknown[]>
}

/** The join table behind a field of many links. */
export interface Join {
  table: string
  from: string
  to: string
  /** Key of the resource that is linked to. */
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
  /** PUT without the field sets the default again. Follows from a default other than `""`. */
  resets?: boolean
  search?: boolean
  filter?: boolean
  order?: boolean
  noExport?: boolean
  column?: string
}

/** The field with facts of its own in OPTIONS; an undefined one is left out there. What is checked and stored is the same. */
export const describedAs = <F extends Field>(field: F, facts: Readonly<Record<string, unknown>>): F => ({
  ...field,
  meta: (ctx, params) => ({ ...field.meta?.(ctx, params), ...facts }),
})

/** The field without a column: it is sent or shown, and stored nowhere by itself. */
export const unstored = <V>(
  { column: _column, ...field }: Field<V, 'own'>,
  more: Partial<Field> = {},
): Field<never, 'none'> => ({ ...field, ...more }) as Field<never, 'none'>

/** The part every kind of field shares. */
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
