/** A file that becomes rows: what its cells show and mean. The task that sends them is `import-task.ts`. */
import { below, call } from '../api/client.ts'
import { ApiError, fieldErrors } from '../api/errors.ts'
import type { Fields } from '../api/metadata.ts'
import { labelOfField } from '../form/values.ts'
import { wordOf } from '../row.ts'

export interface RowError {
  text: string
  /** Columns whose cells were refused. */
  fields: readonly string[]
}

export type RowState = 'pending' | 'ok' | RowError

export interface ImportRow {
  index: number
  values: Readonly<Record<string, unknown>>
  state: RowState
  /** Cells changed by hand, as they were typed, until the row is accepted. */
  typed?: Readonly<Record<string, string>>
  /** Why it was refused, until it is accepted; a refused row is mended cell by cell. */
  refused?: RowError
}

export interface ImportColumn {
  label: string
  field: string
  secret: boolean
  width: number
}

export interface ImportTable {
  columns: readonly ImportColumn[]
  rows: ImportRow[]
  /** The file has columns that are no fields. */
  strangers: boolean
  /** What is known of the fields, for columns that come to be needed and for what is said of them. */
  fields: Fields
}

interface Rendered {
  title: [string, string][]
  data: Record<string, unknown>[]
}

export const maximumBytes = 30 * 1024 * 1024
export const secretFields: ReadonlySet<string> = new Set(['password', 'secret', 'private_key'])

/** What a cell shows: names of objects, protocols with their ports, lists joined, everything else as JSON or text. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (typeof value === 'object') return withPort(value) ?? (wordOf(value) || JSON.stringify(value))
  return String(value)
}

/** A protocol as the cells of files write it. */
const withPort = (value: object): string | undefined =>
  'name' in value && 'port' in value ? `${value.name}/${value.port}` : undefined

/** One object of a cell in the notation of files: with its id, by which it is meant whatever it is called. */
function itemNotation(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return cellText(value)
  const { pk, id = pk } = value as { pk?: unknown; id?: unknown }
  return withPort(value) ?? (id === undefined ? JSON.stringify(value) : `${wordOf(value)}(${id})`)
}

/** A cell in the notation of files, in which it is changed; a list as JSON where its items have commas of their own. */
export function cellNotation(value: unknown): string {
  if (!Array.isArray(value)) return itemNotation(value)
  const items = value.map(itemNotation)
  return items.some((item) => /[,"[\]{}]/.test(item)) ? JSON.stringify(items) : items.join(', ')
}

/** What a cell of a row shows: what was typed, what is to be mended in the notation of files, else the words of it. */
export function shownText({ typed, refused, values }: ImportRow, field: string): string {
  return typed?.[field] ?? (refused?.fields.includes(field) ? cellNotation(values[field]) : cellText(values[field]))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Ten pixels a character of the longest value, within 100 and 180. */
function widthOf(field: string, data: readonly Record<string, unknown>[]): number {
  let longest = 0
  for (const row of data) longest = Math.max(longest, cellText(row[field]).length)
  return Math.min(180, Math.max(100, 10 * longest))
}

const secretColumn = (field: string): boolean => secretFields.has(field)

/** A column for a field that no cell of the file fills. */
export const emptyColumn = (field: string, fields: Fields): ImportColumn => ({
  label: labelOfField(fields, field),
  field,
  secret: secretColumn(field),
  width: 150,
})

/** Columns that hold anything, under their fields' labels where these are known, and every row, not sent yet. */
export function tableOf(answer: Rendered, fields: Fields = {}): ImportTable {
  const data = Array.isArray(answer.data) ? answer.data : []
  const columns = answer.title
    .filter(([, field]) => data.some((row) => !isEmpty(row[field])))
    .map(([label, field]) => ({
      label: fields[field]?.label ?? label.replace(/^\*|\*$/g, ''),
      field,
      secret: secretColumn(field),
      width: widthOf(field, data),
    }))
  // What stands in such a column is told under an empty name; it is not sent.
  const strangers = data.some((row) => '' in row)
  for (const row of data) delete row['']
  return { columns, strangers, fields, rows: data.map((values, index) => ({ index, values, state: 'pending' })) }
}

/** A file becomes rows by the server's own reading of it. */
export async function readFile(url: string, file: File, fields?: Fields): Promise<ImportTable> {
  const type = file.name.toLowerCase().endsWith('.csv') ? 'text/csv' : 'text/xlsx'
  const answer = await call<Rendered>(below(url, 'render-to-json/'), {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': type },
    quiet: true,
  })
  return tableOf(answer, fields)
}

/**
 * What cells mean that were typed into the preview: the server reads them as it reads those of a file. An empty one says
 * nothing, as in a file.
 */
export async function readCells(
  url: string,
  typed: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const said = Object.entries(typed).filter(([, text]) => text.trim() !== '')
  if (said.length === 0) return {}
  const line = (texts: readonly string[]) => texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
  const file = `${line(said.map(([field]) => field))}\n${line(said.map(([, text]) => text))}\n`
  const { data } = await call<Rendered>(below(url, 'render-to-json/'), {
    method: 'POST',
    body: new Blob([file]),
    headers: { 'Content-Type': 'text/csv' },
    quiet: true,
  })
  return data[0] ?? {}
}

/** What is wrong with a refused row: field labels before their errors. */
export function rowError(error: unknown, { columns, fields }: Pick<ImportTable, 'columns' | 'fields'>): RowError {
  if (!(error instanceof ApiError)) return { text: String(error), fields: [] }
  const entries = Object.entries(fieldErrors(error.body)).map(([path, text]) => ({
    field: path.split('.')[0] ?? path,
    text,
  }))
  if (entries.length === 0) return { text: error.message, fields: [] }
  const labelOf = (field: string) =>
    columns.find((column) => column.field === field)?.label ?? labelOfField(fields, field)
  return {
    text: entries.map(({ field, text }) => `${labelOf(field)}: ${text.replace(/[.。]$/, '')}`).join('; '),
    fields: entries.map(({ field }) => field),
  }
}
