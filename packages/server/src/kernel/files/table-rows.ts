/** Reads tables that users upload, in the thread of parsers; see `table-files.ts`. */
import type { Language } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { parseError, text } from '../module/errors.ts'
import { decoded } from './decoded.ts'
import { formula, importLimit, overflowed, type TableFormat } from './import-limits.ts'
import { openTable } from './locked-table.ts'
import type { Cells } from './workbook.ts'
import { readWorkbook } from './workbook-reader.ts'

const megabyte = 1024 * 1024

/** Maximum rows an import accepts. */
const rowLimit = 100_000

/** Maximum cells; empty ones count. */
const cellLimit = 4_000_000

/** Maximum text in an imported workbook. Characters. */
const textLimit = 32 * megabyte

/** Maximum size of an unpacked workbook including its markup. Bytes. */
const unpackedLimit = 128 * megabyte

/** Reverses `harmless`. */
const asMeant = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

/**
 * The rows of an uploaded table, header first. It may be protected by a password, and stand in an archive that is.
 * @throws ApiError for an unreadable file, or for one whose password is missing or wrong
 */
export async function tableRows(
  given: TableFormat,
  uploaded: Uint8Array,
  language: Language,
  password?: string,
): Promise<Cells[]> {
  const file = Buffer.from(uploaded.buffer, uploaded.byteOffset, uploaded.length)
  const { format, bytes } = await openTable(given, file, password)
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
      if (rows.length > rowLimit || rows.reduce((sum, { length }) => sum + length, 0) > cellLimit) throw overflowed()
      return rows.map((cells) => cells.map(asMeant))
    }
    return await sheetRows(bytes)
  } catch (error) {
    if (error instanceof Error && 'status' in error) throw error
    throw parseError(text(errors.file_unreadable))
  }
}

const isSame = (one: Cells, other: Cells) => one.length === other.length && one.every((cell, at) => cell === other[at])

/**
 * The rows of the first sheet, and of others with the same header. A workbook is compressed, so its unpacked size is
 * limited separately.
 */
async function sheetRows(bytes: Buffer): Promise<Cells[]> {
  const rows: Cells[] = []
  let size = 0
  let count = 0
  let last = 0
  let isContinued = true
  const isRead = await readWorkbook(bytes, unpackedLimit, (cells, sheet) => {
    const isHeader = sheet !== last
    last = sheet
    if (isHeader) isContinued = rows[0] === undefined || isSame(cells, rows[0])
    if (!isContinued || (isHeader && rows[0] !== undefined)) return
    for (const cell of cells) size += cell.length + 1
    count += cells.length
    rows.push(cells)
    if (size > textLimit || count > cellLimit || rows.length > rowLimit) throw overflowed()
  })
  if (!isRead) throw overflowed()
  return rows
}
