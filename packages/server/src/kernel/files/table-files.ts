import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Language } from '@castellan/contract/messages'
import { boundedParser } from '../untrusted/parse-bounded.ts'
import { formula, importLimit, overflowed, type TableFormat } from './import-limits.ts'
import type { tableRows } from './table-rows.ts'
import { type Cells, workbookStream } from './workbook.ts'

export { importLimit } from './import-limits.ts'
export type { Cells, TableFormat }

/** Prefixes a formula with a quote, so that spreadsheets show it as text. */
const harmless = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

async function* csvLines(header: Cells, rows: AsyncIterable<Cells>): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  yield `\ufeff${stringify([header.map(harmless)])}`
  for await (const row of rows) yield stringify([row.map(harmless)])
}

/** A table as a stream of bytes; neither format buffers the complete table in memory. */
export async function tableStream(format: TableFormat, header: Cells, rows: AsyncIterable<Cells>): Promise<Readable> {
  if (format === 'csv') return Readable.from(csvLines(header, rows))
  return workbookStream([{ name: 'Sheet1', header, rows }])
}

const rowsOf = boundedParser<typeof tableRows>(join(import.meta.dirname, 'table-rows.ts'), 'tableRows', {
  // A hundred thousand rows, with a password.
  ...{ milliseconds: 30_000, megabytes: 1024, lane: 'long' },
})

/**
 * The rows of an uploaded table, header first, outside of transactions. It may be protected by a password, and stand in an
 * archive that is.
 * @param who takes a turn in reading
 * @throws ApiError for an unreadable file, or for one whose password is missing or wrong
 */
export async function readTable(
  given: TableFormat,
  file: Buffer,
  language: Language,
  password?: string,
  who = '',
): Promise<Cells[]> {
  if (file.length > importLimit) throw overflowed()
  return rowsOf(who, given, file, language, password)
}
