import type { Field, Join, StoredRow, Unsealed } from '../fields/field.ts'
import type { Sealed } from '../security/secrets.ts'

// biome-ignore lint/suspicious/noExplicitAny: a resource is used by generic code whatever its fields are
export type Fields = Record<string, Field<any, any>>
/** No columns besides those of the fields. */
export type NoFields = Record<never, never>

type Where<F> = F extends { __stores?: { where: infer W } } ? W : never
type Stored<F> = F extends { __stores?: { value: infer V } } ? V : never

/** The column of a field; `never` when the field is not stored in the resource's own table, or its kind is unknown. */
type ColumnOf<K, F> =
  'own' extends Where<F> ? ('ref' extends Where<F> ? never : K) : 'ref' extends Where<F> ? `${K & string}_id` : never

type ColumnsOf<F> = { -readonly [K in keyof F as ColumnOf<K, F[K]>]: Stored<F[K]> }

/** The columns every table has in addition to those of its fields. */
export type BaseRow<Id = string> = {
  id: Id
  created_by: string | null
  updated_by: string | null
  date_created: number
  date_updated: number
  /** Only in tables of scope `org`. */
  org_id: string
}

/** Ids are numbers where the declaration says `serialId`. */
type IdOf<Serial> = [Serial] extends [true] ? number : string

/** A decoded row of the resource that is declared with these fields and columns. */
export type RowOf<F, C = NoFields, Serial = false> = Omit<
  BaseRow<IdOf<Serial>>,
  keyof ColumnsOf<F> | keyof ColumnsOf<C>
> &
  ColumnsOf<F> &
  ColumnsOf<C> &
  // Fields whose names are not known at compile time: every further column is unknown.
  (string extends keyof F ? StoredRow : unknown)

/** A stored row of a resource, decoded; inferred from its declaration. */
export type Row<R> = R extends { readonly __declares?: { fields: infer F; columns: infer C; serial: infer S } }
  ? RowOf<F, C, S>
  : never

/** The columns that code may set on a row of a resource. */
export type Columns<R> = Partial<Unsealed<Row<R>>>

type ValueOf<F> = F extends { join: Join }
  ? string[]
  : [Stored<F>] extends [never]
    ? unknown
    : Sealed extends Stored<F>
      ? string | null
      : Stored<F>

/** What was sent for a row, validated, by the names of fields. */
export type ValuesOf<F> = string extends keyof F ? StoredRow : { -readonly [K in keyof F]?: ValueOf<F[K]> }

export type FieldName<F> = keyof F & string

/** The names of the columns of a row, for declarations. */
export type ColumnName<F, C = NoFields> = (keyof RowOf<F, C> | keyof F) & string
