/** The import task without a skin (spec 2 §4): rows, their states, and the run over them. */
import { below, call } from '../api/client.ts'
import { ApiError, fieldErrors } from '../api/errors.ts'
import { encryptSecret } from '../api/secret.ts'
import { wordOf } from '../row.ts'

export type ImportMode = 'create' | 'update'
export type RowState = 'pending' | 'ok' | { error: string }

export interface ImportRow {
  index: number
  values: Record<string, unknown>
  state: RowState
}

export interface ImportColumn {
  label: string
  field: string
  secret: boolean
  width: number
}

export interface ImportTable {
  columns: ImportColumn[]
  rows: ImportRow[]
}

export const maximumBytes = 30 * 1024 * 1024
const secretFields = new Set(['password', 'secret', 'private_key'])
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a cell shows: names of objects, lists joined, everything else as JSON or text. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (typeof value === 'object') return wordOf(value) || JSON.stringify(value)
  return String(value)
}

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

/** Columns are as wide as their longest value, 10 px a character within 100 to 180. */
export async function tableOf(answer: {
  title: [string, string][]
  data: Record<string, unknown>[]
}): Promise<ImportTable> {
  const data = Array.isArray(answer.data) ? answer.data : []
  const columns = answer.title
    .filter(([, field]) => data.some((row) => !isEmpty(row[field])))
    .map(([label, field]) => ({
      label: label.replace(/^\*|\*$/g, ''),
      field,
      secret: secretFields.has(field),
      width: Math.min(180, Math.max(100, 10 * Math.max(...data.map((row) => cellText(row[field]).length)))),
    }))
  const rows = await Promise.all(
    data.map(async (values, index) => {
      const sealed = { ...values }
      for (const { field, secret } of columns) {
        if (secret && typeof sealed[field] === 'string') sealed[field] = await encryptSecret(sealed[field])
      }
      return { index, values: sealed, state: 'pending' as const }
    }),
  )
  return { columns, rows }
}

/** A file becomes rows by the server's own reading of it. */
export async function readFile(url: string, file: File): Promise<ImportTable> {
  const type = file.name.toLowerCase().includes('csv') ? 'text/csv' : 'text/xlsx'
  const answer = await call<{ title: [string, string][]; data: Record<string, unknown>[] }>(
    below(url, 'render-to-json/'),
    {
      method: 'POST',
      body: file,
      headers: { 'Content-Type': type },
      quiet: true,
    },
  )
  return tableOf(answer)
}

/** The sentence of a refused row: field labels before their errors. */
export function rowError(error: unknown, columns: readonly ImportColumn[]): string {
  if (!(error instanceof ApiError)) return String(error)
  const fields = Object.entries(fieldErrors(error.body)).map(([field, text]) => {
    const label = columns.find((column) => column.field === field.split('.')[0])?.label ?? field
    return `${label}: ${text}`
  })
  return fields.length > 0 ? fields.join('; ') : error.message
}

/** Sends one row: create by POST, update by PATCH of its id. */
async function send(url: string, mode: ImportMode, row: ImportRow): Promise<void> {
  const target = mode === 'create' ? url : below(url, `${String(row.values.id)}/`)
  await call(target, { method: mode === 'create' ? 'POST' : 'PATCH', body: row.values, quiet: true })
}

/**
 * Sends the pending rows one after the other, 100 ms apart, telling each outcome; stops between
 * rows when `stopped` says so.
 */
export async function run(
  url: string,
  mode: ImportMode,
  table: ImportTable,
  tell: (index: number, state: RowState) => void,
  stopped: () => boolean,
): Promise<void> {
  for (const row of table.rows) {
    if (row.state !== 'pending') continue
    if (stopped()) return
    try {
      await send(url, mode, row)
      tell(row.index, 'ok')
    } catch (error) {
      tell(row.index, { error: rowError(error, table.columns) })
    }
    await pause(100)
  }
}

/** Rounded percentage of rows that are no longer pending. */
export const progress = (rows: readonly ImportRow[]): number =>
  rows.length === 0 ? 0 : Math.round((rows.filter((row) => row.state !== 'pending').length / rows.length) * 100)
