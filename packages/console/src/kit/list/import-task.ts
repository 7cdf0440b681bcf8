/**
 * Headless import: pending → started → stopped or done. Rows are in one array that is mutated and counted
 * incrementally, so that ten thousand rows cost no more than ten.
 */
import { below, call } from '../api/client.ts'
import { encryptSecret } from '../api/secret.ts'
import {
  emptyColumn,
  type ImportColumn,
  type ImportRow,
  type ImportTable,
  type RowState,
  readCells,
  rowError,
} from './import.ts'

export type ImportMode = 'create' | 'update'
export type Phase = 'pending' | 'started' | 'stopped' | 'done'
export type Kind = 'ok' | 'error' | 'pending'

/** Rows shown and sent as one page. */
export const previewSize = 10
/** Pauses between rows and between pages, in ms. */
const pauseBetween = 100

export const kindOf = (state: RowState): Kind => (typeof state === 'string' ? state : 'error')

const pause = (ms: number) => new Promise((settle) => setTimeout(settle, ms))

/** The request body of a row: values of the file and edits, with secrets encrypted as plain text. */
async function bodyOf(
  url: string,
  { values, typed = {} }: ImportRow,
  columns: readonly ImportColumn[],
): Promise<Record<string, unknown>> {
  const secrets = new Set(columns.filter(({ secret }) => secret).map(({ field }) => field))
  const body = { ...values }
  for (const [field, text] of Object.entries(typed)) {
    delete body[field]
    if (secrets.has(field) && text) body[field] = text
  }
  const plain = Object.entries(typed).filter(([field]) => !secrets.has(field))
  Object.assign(body, await readCells(url, Object.fromEntries(plain)))
  for (const field of secrets) {
    const value = body[field]
    if (typeof value === 'string') body[field] = await encryptSecret(value)
  }
  return body
}

/** Sends one row: create by POST, update by PATCH of its id. */
async function send(url: string, mode: ImportMode, row: ImportRow, columns: readonly ImportColumn[]): Promise<void> {
  const body = await bodyOf(url, row, columns)
  const target = mode === 'create' ? url : below(url, `${String(body.id)}/`)
  await call(target, { method: mode === 'create' ? 'POST' : 'PATCH', body, quiet: true })
}

export function createImport(
  url: string,
  mode: ImportMode,
  { columns: filled, rows, strangers, fields }: ImportTable,
  wait = pauseBetween,
) {
  const counts: Record<Kind | 'failed', number> = { ok: 0, error: 0, pending: 0, failed: 0 }
  for (const row of rows) counts[kindOf(row.state)]++
  let columns = filled
  let phase: Phase = 'pending'
  let current = 0
  let version = 0
  let stopping = false
  const listeners = new Set<() => void>()

  const changed = () => {
    version++
    for (const listener of listeners) listener()
  }
  const put = (row: ImportRow, change: Partial<ImportRow>) => {
    const next = { ...row, ...change }
    counts[kindOf(row.state)]--
    counts[kindOf(next.state)]++
    counts.failed += Number(Boolean(next.refused)) - Number(Boolean(row.refused))
    rows[row.index] = next
  }
  /** Adds a column for a field with an error that is missing in the file. */
  const make = (wanted: readonly string[]) => {
    const missing = [...new Set(wanted)].filter(
      (field) => fields[field] && !fields[field].read_only && !columns.some((column) => column.field === field),
    )
    if (missing.length > 0) columns = [...columns, ...missing.map((field) => emptyColumn(field, fields))]
  }

  return {
    columns: () => columns,
    strangers,
    rows: rows as readonly ImportRow[],
    /** `failed`: rejected once and not accepted since, corrected or not. */
    counts: counts as Readonly<Record<Kind | 'failed', number>>,
    phase: () => phase,
    /** Index of the row being sent, or the last one. */
    current: () => current,
    /** Rounded percentage of rows that are no longer pending. */
    progress: () => (rows.length === 0 ? 0 : Math.round(((rows.length - counts.pending) / rows.length) * 100)),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    version: () => version,
    /** Corrects a cell; its row is sent again. */
    edit: (index: number, { field }: ImportColumn, text: string) => {
      const row = rows[index]
      if (!row) return
      const refused = row.refused && { ...row.refused, fields: row.refused.fields.filter((one) => one !== field) }
      put(row, { typed: { ...row.typed, [field]: text }, state: 'pending', refused })
      changed()
    },
    /** What the rows that are not accepted yet would send. */
    bodies: () =>
      Promise.all(rows.filter(({ state }) => kindOf(state) !== 'ok').map((row) => bodyOf(url, row, columns))),
    stop: () => {
      stopping = true
    },
    /** Sends pending rows in order; after a complete run, the failed ones again. Returns the number of failed rows. */
    start: async (): Promise<number> => {
      if (phase === 'started') return 0
      if (phase === 'done') for (const row of rows) if (kindOf(row.state) === 'error') put(row, { state: 'pending' })
      phase = 'started'
      stopping = false
      changed()
      let refused = 0
      for (let index = 0; index < rows.length && !stopping; index++) {
        const row = rows[index]
        if (row?.state !== 'pending') continue
        current = index
        try {
          await send(url, mode, row, columns)
          put(row, { state: 'ok', refused: undefined })
        } catch (error) {
          refused++
          const reason = rowError(error, { columns, fields })
          make(reason.fields)
          put(row, { state: reason, refused: reason })
        }
        changed()
        await pause((index + 1) % previewSize === 0 ? 2 * wait : wait)
      }
      phase = counts.pending > 0 ? 'stopped' : 'done'
      changed()
      return refused
    },
  }
}

export type ImportTask = ReturnType<typeof createImport>
