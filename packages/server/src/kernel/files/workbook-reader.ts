import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { partsOf } from './unpacked.ts'
import type { Cells } from './workbook.ts'

/** Number formats of the standard that show a date or a time. */
const dateFormats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** Whether a format of its own shows a date: letters outside of quoted text, escapes and conditions. */
const isDateFormat = (code: string) => /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''))

const name = (tag: { name: string }) => tag.name.replace(/^.*:/, '')

interface Handlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** Reads XML without entities of its own. @throws Error */
function parse(xml: string, { open, text, close }: Handlers): void {
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('XML with a document type.')
  })
  parser.on('opentag', (tag: SaxesTagPlain) => open(name(tag), tag.attributes))
  if (text) parser.on('text', text)
  if (text) parser.on('cdata', text)
  if (close) parser.on('closetag', (tag) => close(name(tag)))
  parser.write(xml).close()
}

/** Text in which characters that XML cannot hold are written as `_xHHHH_` (ST_Xstring). */
const unescaped = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The texts that cells share; phonetic hints are no part of them. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text = ''
  let isText = false
  let isHint = false
  parse(xml, {
    open: (tag) => {
      if (tag === 'si') text = ''
      if (tag === 'rPh') isHint = true
      isText = tag === 't' && !isHint
    },
    text: (part) => {
      if (isText) text += part
    },
    close: (tag) => {
      if (tag === 'si') texts.push(unescaped(text))
      if (tag === 'rPh') isHint = false
      isText = false
    },
  })
  return texts
}

/** For each style of a cell, whether it shows a date. */
function dateStyles(xml: string): boolean[] {
  const own = new Map<string, boolean>()
  const styles: boolean[] = []
  let isCell = false
  parse(xml, {
    open: (tag, { numFmtId = '', formatCode = '' }) => {
      if (tag === 'numFmt') own.set(numFmtId, isDateFormat(formatCode))
      if (tag === 'cellXfs') isCell = true
      if (tag === 'xf' && isCell) styles.push(own.get(numFmtId) ?? dateFormats.has(Number(numFmtId)))
    },
    close: (tag) => {
      if (tag === 'cellXfs') isCell = false
    },
  })
  return styles
}

/** The paths of the sheets in their order, and whether days are counted from 1904. */
function sheetsOf(book: string, relations: string): { paths: string[]; is1904: boolean } {
  const targets = new Map<string, string>()
  parse(relations, {
    open: (tag, { Id = '', Target = '' }) => {
      if (tag === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const paths: string[] = []
  let is1904 = false
  parse(book, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1]
      const path = tag === 'sheet' && id ? targets.get(id) : undefined
      if (path) paths.push(path)
    },
  })
  return { paths, is1904 }
}

const day = 86_400_000

/** The time of a date cell: days since the last of December 1899, or since 1904. */
const dateOf = (serial: number, is1904: boolean) =>
  new Date(Math.round((serial + (is1904 ? 1462 : 0)) * day) + Date.UTC(1899, 11, 30)).toISOString()

/** The index of a column from a place such as `AB12`; columns end at XFD. */
function columnOf(place: string): number {
  let column = 0
  for (const letter of /^[A-Z]{1,3}/.exec(place)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Columns of a table. */
const mostColumns = 1024

interface Book {
  shared: readonly string[]
  dates: readonly boolean[]
  is1904: boolean
}

function cellText({ shared, dates, is1904 }: Book, cell: Cell): string {
  const { type, style, text } = cell
  if (type === 's') return shared[Number(text)] ?? ''
  if (type === 'inlineStr' || type === 'str') return unescaped(text)
  if (type === 'b') return text === '1' ? 'true' : 'false'
  const serial = Number(text)
  const isDate = text !== '' && type !== 'e' && dates[style] && Number.isFinite(serial) && Math.abs(serial) < 3_000_000
  return isDate ? dateOf(serial, is1904) : text
}

interface Cell {
  column: number
  type: string
  style: number
  text: string
}

function readSheet(xml: string, book: Book, onRow: (cells: Cells) => void): void {
  let cells: Cells = []
  let cell: Cell | undefined
  let isValue = false
  parse(xml, {
    open: (tag, attributes) => {
      if (tag === 'row') cells = []
      if (tag === 'c') {
        const column = attributes.r ? columnOf(attributes.r) : cells.length
        cell = { column, type: attributes.t ?? '', style: Number(attributes.s ?? 0), text: '' }
      }
      isValue = tag === 'v' || tag === 't'
    },
    text: (part) => {
      if (cell && isValue) cell.text += part
    },
    close: (tag) => {
      isValue = false
      if (tag === 'row') onRow(cells)
      if (tag !== 'c' || !cell) return
      if (cell.column >= 0 && cell.column < mostColumns) {
        while (cells.length < cell.column) cells.push('')
        cells[cell.column] = cellText(book, cell)
      }
      cell = undefined
    },
  })
}

/**
 * The rows of a workbook's sheets, with the number of their sheet. Nothing is written to disk, where its secrets would
 * remain. A workbook is compressed, so its size is limited separately.
 * @param limit of all parts that are read. Bytes
 * @returns false when the limit is exceeded
 * @throws Error for anything that is not a workbook
 */
export async function readWorkbook(
  bytes: Buffer,
  limit: number,
  onRow: (cells: Cells, sheet: number) => void,
): Promise<boolean> {
  const parts = await partsOf(
    bytes,
    limit,
    /^xl\/(workbook|styles|sharedStrings|worksheets\/[^/]*)\.xml$|^xl\/_rels\/workbook/,
  )
  if (!parts) return false
  const part = (path: string) => parts.get(path)?.toString('utf8')
  const [workbook, relations] = [part('xl/workbook.xml'), part('xl/_rels/workbook.xml.rels')]
  if (!workbook || !relations) throw new Error('Not a workbook.')
  const { paths, is1904 } = sheetsOf(workbook, relations)
  const [texts, styles] = [part('xl/sharedStrings.xml'), part('xl/styles.xml')]
  const book = { shared: texts ? sharedTexts(texts) : [], dates: styles ? dateStyles(styles) : [], is1904 }
  for (const [index, path] of paths.entries()) {
    const sheet = part(path)
    if (sheet === undefined) throw new Error('A sheet is missing.')
    readSheet(sheet, book, (cells) => onRow(cells, index))
  }
  return true
}
