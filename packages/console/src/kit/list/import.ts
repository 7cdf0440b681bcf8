/** A file that becomes rows (spec 2 §4): what its cells show and mean. The task that sends them is `import-task.ts`. */
import { below, call } from '../api/client.ts'
import { ApiError, fieldErrors } from '../api/errors.ts'
import type { Fields } from '../api/metadata.ts'
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
  /** Changed by hand since it was read or refused. */
  edited?: boolean
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

/** What a corrected cell means: JSON where it is JSON, else the text. */
export function parseCell(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Ten pixels a character of the longest value, within 100 and 180. */
function widthOf(field: string, data: readonly Record<string, unknown>[]): number {
  let longest = 0
  for (const row of data) longest = Math.max(longest, cellText(row[field]).length)
  return Math.min(180, Math.max(100, 10 * longest))
}

/** Columns that hold anything, under their fields' labels where these are known, and every row, not sent yet. */
export function tableOf(answer: Rendered, fields: Fields = {}): ImportTable {
  const data = Array.isArray(answer.data) ? answer.data : []
  const columns = answer.title
    .filter(([, field]) => data.some((row) => !isEmpty(row[field])))
    .map(([label, field]) => ({
      label: fields[field]?.label ?? label.replace(/^\*|\*$/g, ''),
      field,
      secret: secretFields.has(field),
      width: widthOf(field, data),
    }))
  // What stands in such a column is told under an empty name (common.md §10); it is not sent.
  const strangers = data.some((row) => '' in row)
  for (const row of data) delete row['']
  return { columns, strangers, rows: data.map((values, index) => ({ index, values, state: 'pending' })) }
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

/** What is wrong with a refused row: field labels before their errors. */
export function rowError(error: unknown, columns: readonly ImportColumn[]): RowError {
  if (!(error instanceof ApiError)) return { text: String(error), fields: [] }
  const entries = Object.entries(fieldErrors(error.body)).map(([path, text]) => ({
    field: path.split('.')[0] ?? path,
    text,
  }))
  if (entries.length === 0) return { text: error.message, fields: [] }
  const labelOf = (field: string) => columns.find((column) => column.field === field)?.label ?? field
  return {
    text: entries.map(({ field, text }) => `${labelOf(field)}: ${text.replace(/[.。]$/, '')}`).join('; '),
    fields: entries.map(({ field }) => field),
  }
}
