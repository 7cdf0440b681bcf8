/** Columns of a list and their visibility: from metadata and the screen's declaration. Pure, headless. */
import { booleanOf } from '@castellan/contract/truth'
import { readStored } from '../../browser/local-storage.ts'
import { type FieldInfo, type Fields, readableName } from '../api/metadata.ts'
import type { FieldOf, RenderRow, Row } from '../row.ts'

export interface ColumnSpec<R extends Row = Row> {
  label?: string
  width?: number
  /** Numbers are right-aligned. */
  align?: 'right'
  sortable?: boolean
  help?: string
  mono?: boolean
  render?: RenderRow<R>
  /** Booleans whose `false` is shown as a word (`is_active`). */
  falseWord?: string
  visible?: boolean
}

export interface Column {
  name: string
  label: string
  info?: FieldInfo
  spec: ColumnSpec
  sortable: boolean
}

export interface ColumnRules<R extends Row = Row, F extends string = FieldOf<R>> {
  /** Columns in order; by default all readable fields of the metadata. */
  only?: readonly F[]
  exclude?: readonly F[]
  /** Columns missing in the metadata. */
  extra?: readonly F[]
  shown: readonly F[]
  /** Cannot be hidden. */
  fixed?: readonly F[]
  /** Hidden by default in this order if not all columns fit. */
  hideFirst?: readonly F[]
  cells?: Readonly<Partial<Record<F, ColumnSpec<R>>>>
}

/** All columns a list can show. `actions` is the row menu, never a column. */
export function allColumns(fields: Fields, rules: ColumnRules): Column[] {
  const readable = Object.keys(fields).filter((name) => !fields[name]?.write_only && name !== 'actions')
  const names = rules.only ?? [...new Set([...(rules.extra ?? []), ...readable])]
  const first = rules.shown.filter((name) => names.includes(name))
  const ordered = rules.only ? [...names] : [...first, ...names.filter((name) => !first.includes(name))]
  const hidden = new Set(rules.exclude ?? [])
  return ordered
    .filter((name) => !hidden.has(name) && rules.cells?.[name]?.visible !== false)
    .filter((name) => fields[name] || rules.cells?.[name]?.render || rules.extra?.includes(name))
    .map((name) => {
      const info = fields[name]
      const spec = (rules.cells?.[name] ?? {}) as ColumnSpec
      return {
        name,
        label: spec.label ?? info?.label ?? readableName(name),
        info,
        spec,
        sortable: spec.sortable ?? Boolean(info?.order),
      }
    })
}

const storeKey = 'tableConfig'
type Stored = Record<string, { showColumns?: string[]; usual?: boolean }>

const stored = (store: Pick<Storage, 'getItem'>): Stored => readStored<Stored>(storeKey, store) ?? {}

/** Selected columns of a list, defaults without a choice; always including fixed ones. */
export function shownColumns(columns: readonly Column[], rules: ColumnRules, chosen?: readonly string[]): Column[] {
  const names = new Set([...(chosen ?? rules.shown), ...(rules.fixed ?? [])])
  return columns.filter((column) => names.has(column.name))
}

/** The user's column choice; `undefined` without one, or after a reset to the default. */
export function chosenColumns(list: string, store: Pick<Storage, 'getItem'> = localStorage): string[] | undefined {
  const { showColumns, usual } = stored(store)[list] ?? {}
  return usual ? undefined : showColumns
}

/** `usual` if the names are the default, which a narrow table may shorten. */
export function chooseColumns(
  list: string,
  names: readonly string[],
  usual: boolean,
  store: Storage = localStorage,
): void {
  const all = stored(store)
  all[list] = { ...all[list], showColumns: [...names], usual }
  store.setItem(storeKey, JSON.stringify(all))
}

export interface FilterField {
  field: string
  label: string
  /** Closed set: choosing a field and a value confirms at once, and the tag cannot be edited. */
  choices?: readonly { value: string; label: string }[]
  /** `labeled_choice` tags can be edited. */
  editable: boolean
}

/** Python's spelling, used by the server's boolean choices. */
const spelled = (value: unknown): string => (value === true ? 'True' : value === false ? 'False' : String(value))

/** Filters of the filter bar: filterable fields of the metadata and the screen's own. */
export function filterFields(
  fields: Fields,
  own: readonly FilterField[],
  exclude: readonly string[],
  words: { yes: string; no: string },
): FilterField[] {
  const out = new Map<string, FilterField>()
  for (const [field, info] of Object.entries(fields)) {
    if (!info.filter || exclude.includes(field)) continue
    const choices =
      info.type === 'boolean'
        ? [
            { value: 'true', label: words.yes },
            { value: 'false', label: words.no },
          ]
        : info.choices?.map((choice) => ({ value: spelled(choice.value), label: choice.label }))
    out.set(field, {
      field,
      label: field === 'id' ? 'ID' : (info.label ?? readableName(field)),
      choices,
      editable: info.type !== 'choice' && info.type !== 'boolean',
    })
  }
  for (const filter of own) if (!out.has(filter.field)) out.set(filter.field, filter)
  return [...out.values()]
}

/** The filter of a field; none for a free word. */
export const filterOf = (filters: readonly FilterField[], field: string): FilterField | undefined =>
  filters.find((filter) => filter.field === field)

/** The label of a choice value, in any spelling the server accepts. */
export function choiceOf(filter: FilterField | undefined, value: string): string | undefined {
  const truth = booleanOf(value)
  return filter?.choices?.find(
    (choice) =>
      choice.value.toLowerCase() === value.toLowerCase() || (truth !== undefined && booleanOf(choice.value) === truth),
  )?.label
}

/** Whether a value does not filter: the server ignores invalid booleans and rejects other invalid choices. */
export const withoutEffect = (filter: FilterField | undefined, value: string): boolean =>
  Boolean(filter?.choices?.length && filter.choices.every((choice) => booleanOf(choice.value) !== undefined)) &&
  choiceOf(filter, value) === undefined
