/** Parsing of import files: columns, cells and their values. `import-task.ts` sends the rows. */
import { below, call } from '../api/client.ts'
import { ApiError, fieldErrors } from '../api/errors.ts'
import type { Fields } from '../api/metadata.ts'
import { encryptSecret } from '../api/secret.ts'
import { labelOfField } from '../form/values.ts'
import { wordOf } from '../row.ts'

export interface RowError {
  text: string
  /** Columns with errors. */
  fields: readonly string[]
}

export type RowState = 'pending' | 'ok' | RowError

export interface ImportRow {
  index: number
  values: Readonly<Record<string, unknown>>
  state: RowState
  /** Edited cells as typed, until the row is accepted. */
  typed?: Readonly<Record<string, string>>
  /** The error, until the row is accepted. Failed rows are corrected cell by cell. */
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
  /** The file has columns that are not fields. */
  strangers: boolean
  /** Field metadata, for columns added later and for error messages. */
  fields: Fields
}

interface Rendered {
  title: [string, string][]
  data: Record<string, unknown>[]
}

export const maximumBytes = 30 * 1024 * 1024
export const secretFields: ReadonlySet<string> = new Set(['password', 'secret', 'private_key'])

/** Text of a cell: names of objects, protocols with ports, joined lists, JSON or text for other values. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (typeof value === 'object') return withPort(value) ?? (wordOf(value) || JSON.stringify(value))
  return String(value)
}

/** A protocol in the notation of files. */
const withPort = (value: object): string | undefined =>
  'name' in value && 'port' in value ? `${value.name}/${value.port}` : undefined

/** An object in the notation of files: with its id, which identifies it whatever its name. */
function itemNotation(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return cellText(value)
  const { pk, id = pk } = value as { pk?: unknown; id?: unknown }
  return withPort(value) ?? (id === undefined ? JSON.stringify(value) : `${wordOf(value)}(${id})`)
}

/** A cell in the notation of files, used for editing. Lists are JSON if their items contain commas. */
export function cellNotation(value: unknown): string {
  if (!Array.isArray(value)) return itemNotation(value)
  const items = value.map(itemNotation)
  return items.some((item) => /[,"[\]{}]/.test(item)) ? JSON.stringify(items) : items.join(', ')
}

/** Text of a cell in a row: the edit, the notation of files in failed rows, otherwise the display text. */
export function shownText({ typed, refused, values }: ImportRow, field: string): string {
  return typed?.[field] ?? (refused?.fields.includes(field) ? cellNotation(values[field]) : cellText(values[field]))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Ten pixels per character of the longest value, between 100 and 180. */
function widthOf(field: string, data: readonly Record<string, unknown>[]): number {
  let longest = 0
  for (const row of data) longest = Math.max(longest, cellText(row[field]).length)
  return Math.min(180, Math.max(100, 10 * longest))
}

const secretColumn = (field: string): boolean => secretFields.has(field)

/** A column for a field that no cell of the file contains. */
export const emptyColumn = (field: string, fields: Fields): ImportColumn => ({
  label: labelOfField(fields, field),
  field,
  secret: secretColumn(field),
  width: 150,
})

/** Non-empty columns, labeled by field if known, and all rows as pending. */
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
  // The server returns unknown columns with an empty name; they are not sent.
  const strangers = data.some((row) => '' in row)
  for (const row of data) delete row['']
  return { columns, strangers, fields, rows: data.map((values, index) => ({ index, values, state: 'pending' })) }
}

/** Whether the server wants the password of a file, or another one. */
export const isLockedFile = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ['file_password_required', 'file_password_wrong'].includes(String((error.body as { code?: unknown } | null)?.code))

/** Parses a file on the server. `password`: of a protected workbook or archive. */
export async function readFile(url: string, file: File, fields?: Fields, password = ''): Promise<ImportTable> {
  const type = file.name.toLowerCase().endsWith('.csv') ? 'text/csv' : 'text/xlsx'
  const locked: Record<string, string> = password
    ? { 'X-File-Password': encodeURIComponent(await encryptSecret(password)) }
    : {}
  const answer = await call<Rendered>(below(url, 'render-to-json/'), {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': type, ...locked },
    quiet: true,
  })
  return tableOf(answer, fields)
}

/**
 * Values of cells typed in the preview, parsed on the server like those of a file. An empty cell is omitted, as in a
 * file.
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

/** The errors of a failed row, with field labels. */
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
