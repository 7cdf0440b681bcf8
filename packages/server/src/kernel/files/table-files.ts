import { Readable } from 'node:stream'
import type { Language } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { failure, parseError, text } from '../errors.ts'
import { decoded } from './decoded.ts'
import { unpacked } from './unpacked.ts'

export type TableFormat = 'csv' | 'xlsx'
export type Cells = string[]

const megabyte = 1024 * 1024

/** Largest file an import accepts. Bytes. */
export const importLimit = 10 * megabyte

/** Maximum rows an import accepts. */
const rowLimit = 100_000

/** Maximum text in an imported workbook. Characters. */
const textLimit = 32 * megabyte

/** Maximum size of an unpacked workbook including its markup. Bytes. */
const unpackedLimit = 128 * megabyte

const overflowed = () =>
  failure(400, 'file_content_overflowed', text(errors.file_content_overflowed, { max: importLimit / megabyte }))

/** Text that a spreadsheet would evaluate as a formula, with any leading quotes; numbers and `-` are safe. */
const formula = /^'*(?:[=@\t\r]|[+-](?![\d.,\s]*$))/

/** Prefixes a formula with a quote, so that spreadsheets show it as text. */
const harmless = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

/** Reverses `harmless`. */
const asMeant = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

/** Control characters that XML 1.0 forbids (§2.2). */
const isForbidden = (one: string) => one < ' ' && one !== '\t' && one !== '\n' && one !== '\r'
const allowed = (cell: string) => [...cell].filter((one) => !isForbidden(one)).join('')

async function* csvLines(header: Cells, rows: AsyncIterable<Cells>): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  yield `\ufeff${stringify([header.map(harmless)])}`
  for await (const row of rows) yield stringify([row.map(harmless)])
}

/** A table as a stream of bytes; neither format buffers the complete table in memory. */
export async function tableStream(format: TableFormat, header: Cells, rows: AsyncIterable<Cells>): Promise<Readable> {
  if (format === 'csv') return Readable.from(csvLines(header, rows))
  const { PassThrough } = await import('node:stream')
  const { default: excel } = await import('exceljs')
  const out = new PassThrough()
  const book = new excel.stream.xlsx.WorkbookWriter({ stream: out, useSharedStrings: false })
  const sheet = book.addWorksheet('Sheet1')
  sheet.columns = header.map((title) => ({ width: Math.min(Math.max(title.length * 2, 12), 60) }))
  const write = async () => {
    sheet.addRow(header.map(allowed)).commit()
    for await (const row of rows) sheet.addRow(row.map(allowed)).commit()
    sheet.commit()
    await book.commit()
  }
  write().catch((error) => out.destroy(error))
  return out
}

/** The rows of an uploaded table, header first. Throws a parse error for an unreadable file. */
export async function readTable(format: TableFormat, bytes: Buffer, language: Language): Promise<Cells[]> {
  const rows = await rowsOf(format, bytes, language)
  for (const [index, cells] of rows.entries()) {
    const column = cells.findIndex((cell) => cell.includes('\ufffd'))
    if (column < 0) continue
    const title = rows[0]?.[column] ?? ''
    throw parseError(text(errors.file_damaged, { row: index + 1, column: title.replace(/^\*+/, '') }))
  }
  return rows
}

async function rowsOf(format: TableFormat, bytes: Buffer, language: Language): Promise<Cells[]> {
  if (bytes.length > importLimit) throw overflowed()
  try {
    if (format === 'csv') {
      const { parse } = await import('csv-parse/sync')
      const rows = parse(decoded(bytes, language), {
        bom: true,
        relax_column_count: true,
        skip_empty_lines: true,
        trim: true,
        to: rowLimit + 1,
      }) as Cells[]
      if (rows.length > rowLimit) throw overflowed()
      return rows.map((cells) => cells.map(asMeant))
    }
    return await sheetRows(bytes)
  } catch (error) {
    if (error instanceof Error && 'status' in error) throw error
    throw parseError(text(errors.file_unreadable))
  }
}

/** The rows of the first sheet. A workbook is compressed, so its unpacked size is limited separately. */
async function sheetRows(bytes: Buffer): Promise<Cells[]> {
  const { default: excel } = await import('exceljs')
  // Some streams of the reader end silently for a file that is not a workbook.
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') throw parseError(text(errors.file_unreadable))
  const plain = await unpacked(bytes, unpackedLimit)
  if (!plain) throw overflowed()
  const book = new excel.stream.xlsx.WorkbookReader(Readable.from([plain]) as never, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    hyperlinks: 'ignore',
    styles: 'cache',
  })
  const rows: Cells[] = []
  let size = 0
  for await (const sheet of book) {
    for await (const row of sheet) {
      const cells = Array.from((row.values as unknown[]).slice(1), cellText)
      for (const cell of cells) size += cell.length + 1
      if (size > textLimit) throw overflowed()
      rows.push(cells)
      if (rows.length > rowLimit) throw overflowed()
    }
    break
  }
  return rows
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') {
    const { text: shown, result, richText, hyperlink } = value as Record<string, unknown>
    if (Array.isArray(richText)) return richText.map((part) => String((part as { text?: string }).text ?? '')).join('')
    return String(shown ?? result ?? hyperlink ?? '')
  }
  return String(value).trim()
}
