import { PassThrough, pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

export type Cells = string[]

/** One table of a workbook. Its rows are read when its turn comes. */
export interface Sheet {
  /** Letters, digits, `-` and `_`, at most 31 characters; unique in the workbook. */
  name: string
  header: Cells
  rows: AsyncIterable<Cells>
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const typed = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that XML cannot hold or changes on reading, and text that looks like their escaped form (ST_Xstring). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 forbids.
const unsafe = /_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f\ufffe\uffff]/g

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(unsafe, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>]/g, (one) => entities[one] as string)

/** `A`, `B` … `Z`, `AA`: the name of a column. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

function rowXml(cells: Cells, number: number): string {
  const shown = cells.map((cell, index) => {
    if (cell === '') return ''
    const place = `${columnName(index)}${number}`
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  })
  return `<row r="${number}">${shown.join('')}</row>`
}

async function* sheetXml({ header, rows }: Sheet): AsyncGenerator<string> {
  const columns = header.map((title, index) => {
    const width = Math.min(Math.max(title.length * 2, 12), 60)
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  yield `${declaration}<worksheet xmlns="${main}"><cols>${columns.join('')}</cols><sheetData>`
  let number = 1
  yield rowXml(header, number)
  for await (const cells of rows) yield rowXml(cells, ++number)
  yield '</sheetData></worksheet>'
}

/** The small parts that name the others. */
function directory(sheets: readonly Sheet[]): [path: string, xml: string][] {
  const numbered = sheets.map(({ name }, index) => ({ name, number: index + 1 }))
  const override = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${typed}.${type}+xml"/>`
  const relation = (number: number, type: string, target: string) =>
    `<Relationship Id="rId${number}" Type="${office}/${type}" Target="${target}"/>`
  const relations = (inner: string) => `<Relationships xmlns="${packaged}/relationships">${inner}</Relationships>`
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('xl/workbook.xml', 'sheet.main'),
    ...numbered.map(({ number }) => override(`xl/worksheets/sheet${number}.xml`, 'worksheet')),
  ]
  const listed = numbered.map(({ name, number }) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`)
  const parts = numbered.map(({ number }) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`))
  return [
    ['[Content_Types].xml', `<Types xmlns="${packaged}/content-types">${types.join('')}</Types>`],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    ['xl/workbook.xml', `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', relations(parts.join(''))],
  ]
}

/** Rows that are gathered before they are compressed: a call for each row costs more than the row. Characters. */
const pieceSize = 64 * 1024

async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceSize) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(piece)
}

const web = (content: Readable): globalThis.ReadableStream<Uint8Array> =>
  // Errors reach the archive through the stream.
  Readable.toWeb(pipeline(content, new PassThrough(), () => undefined)) as globalThis.ReadableStream<Uint8Array>

/**
 * An xlsx workbook of text cells as a stream of bytes. Rows are read as fast as the stream is, so that memory does not
 * depend on their number, and every text is read back as it was written.
 */
export async function workbookStream(sheets: readonly Sheet[]): Promise<Readable> {
  const { TextReader, ZipWriter } = await import('@zip.js/zip.js')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const archive = new ZipWriter(writable, { useWebWorkers: false })
  const write = async () => {
    for (const [path, xml] of directory(sheets)) await archive.add(path, new TextReader(`${declaration}${xml}`))
    for (const [index, sheet] of sheets.entries())
      await archive.add(`xl/worksheets/sheet${index + 1}.xml`, web(Readable.from(gathered(sheetXml(sheet)))))
    await archive.close()
  }
  write().catch((error: unknown) => writable.abort(error).catch(() => undefined))
  return Readable.fromWeb(readable as unknown as ReadableStream)
}
