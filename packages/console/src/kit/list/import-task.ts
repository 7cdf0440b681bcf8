/**
 * The import without a skin (spec 2 §4): pending → started → stopped or done. Rows stand in one array that is
 * changed in place and counted as it changes, so that ten thousand of them cost no more than ten.
 */
import { below, call } from '../api/client.ts'
import { encryptSecret } from '../api/secret.ts'
import { type ImportColumn, type ImportRow, type ImportTable, parseCell, type RowState, rowError } from './import.ts'

export type ImportMode = 'create' | 'update'
export type Phase = 'pending' | 'started' | 'stopped' | 'done'
export type Kind = 'ok' | 'error' | 'pending'

/** Rows shown, and sent, as one page. */
export const previewSize = 10
/** Between two rows, and between two pages, ms. */
const pauseBetween = 100

export const kindOf = (state: RowState): Kind => (typeof state === 'string' ? state : 'error')

const pause = (ms: number) => new Promise((settle) => setTimeout(settle, ms))

async function sealed(row: ImportRow, columns: readonly ImportColumn[]): Promise<Record<string, unknown>> {
  const values = { ...row.values }
  for (const { field, secret } of columns) {
    const value = values[field]
    if (secret && typeof value === 'string') values[field] = await encryptSecret(value)
  }
  return values
}

/** Sends one row: create by POST, update by PATCH of its id. */
async function send(url: string, mode: ImportMode, row: ImportRow, columns: readonly ImportColumn[]): Promise<void> {
  const target = mode === 'create' ? url : below(url, `${String(row.values.id)}/`)
  await call(target, { method: mode === 'create' ? 'POST' : 'PATCH', body: await sealed(row, columns), quiet: true })
}

export function createImport(
  url: string,
  mode: ImportMode,
  { columns, rows, strangers }: ImportTable,
  wait = pauseBetween,
) {
  const counts: Record<Kind, number> = { ok: 0, error: 0, pending: 0 }
  for (const row of rows) counts[kindOf(row.state)]++
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
    counts[kindOf(row.state)]--
    const next = { ...row, ...change }
    counts[kindOf(next.state)]++
    rows[row.index] = next
  }

  return {
    columns,
    strangers,
    rows: rows as readonly ImportRow[],
    counts: counts as Readonly<Record<Kind, number>>,
    phase: () => phase,
    /** Index of the row that is being sent, or was last. */
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
    /** A corrected cell; its row is sent again. Secrets stay the text they are. */
    edit: (index: number, { field, secret }: ImportColumn, text: string) => {
      const row = rows[index]
      if (!row) return
      put(row, { values: { ...row.values, [field]: secret ? text : parseCell(text) }, state: 'pending', edited: true })
      changed()
    },
    stop: () => {
      stopping = true
    },
    /** Sends what is pending, row after row; after a complete run the refused ones again. Answers how many were refused. */
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
          put(row, { state: 'ok', edited: false })
        } catch (error) {
          refused++
          put(row, { state: rowError(error, columns), edited: false })
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
