import { setImmediate } from 'node:timers/promises'
import { type Language, languages } from '@castellan/contract/messages'
import type { Field, StoredRow } from '../fields/field.ts'
import { jsonOfCell } from '../fields/scalars.ts'
import type { Context } from '../module/context.ts'
import { labelOf } from '../module/texts.ts'
import { writableFields } from '../resource/mutations.ts'
import type { Resource } from '../resource/resource.ts'
import { readableFields } from '../resource/serialize.ts'
import type { Cells } from './table-files.ts'

export type Template = 'export' | 'import' | 'update'

/** The columns of a file for a template. */
export function templateFields(ctx: Context, resource: Resource, template: Template): string[] {
  const exportable = (name: string) => name !== 'org_id' && !resource.fields[name]?.noExport
  if (template === 'export') return readableFields(ctx, resource).filter(exportable)
  const writable = writableFields(ctx, resource, 'create')
    .map(([name]) => name)
    .filter(exportable)
  if (template === 'import') return writable.filter((name) => name !== 'id')
  return resource.idWritable || resource.serialId ? ['id', ...writable.filter((name) => name !== 'id')] : writable
}

export function headerCell(ctx: Context, resource: Resource, name: string): string {
  return headerOf(resource.fields[name], labelOf(resource, name, ctx.language))
}

/** The title of a column; a star marks a required field. */
export const headerOf = (field: Field | undefined, label: string): string => `${field?.required ? '*' : ''}${label}`

function cell(field: Field | undefined, wire: unknown, ctx: Context): string {
  if (field?.writeOnly) return '-'
  if (wire === null || wire === undefined) return '-'
  if (field?.toCell) return field.toCell(wire, ctx)
  if (typeof wire === 'boolean') return wire ? 'Yes' : 'No'
  return typeof wire === 'object' ? JSON.stringify(wire) : String(wire)
}

export const rowCells = (
  ctx: Context,
  { fields }: Pick<Resource, 'fields'>,
  names: readonly string[],
  wire: StoredRow,
): Cells => names.map((name) => cell(fields[name], wire[name], ctx))

/** Replaces curly quotes by straight double quotes, so that JSON typed in a spreadsheet parses. */
const straight = (cellText: string) => cellText.replace(/[\u201c\u201d\u2018\u2019]/g, '"')

function fromCell(field: Field, raw: string, ctx: Context): unknown {
  // Every character of a secret counts.
  if (field.secret) return raw === '-' && field.nullable ? null : raw
  const cellText = straight(raw).trim()
  if (cellText === '-' && field.nullable) return null
  if (field.fromCell) return field.fromCell(cellText, ctx)
  return /^\[.*\]$|^\{.*\}$/s.test(cellText) ? jsonOfCell(cellText) : cellText
}

/** Whether a cell carries a value: not when it is empty, or `-` for a field that is never shown. */
const says = (field: Field, cellText: string) =>
  cellText === '' ? field.required : !(cellText === '-' && field.writeOnly && !field.nullable)

export interface Rendered {
  title: [string, string][]
  data: StoredRow[]
}

/** A column of a file: its field, and its title in the caller's language. */
export interface Column {
  name: string
  field: Field
  label: string
  /** Its title in another language: a file may have been written for another user. */
  titleIn?(language: Language): string
}

/** The columns that a file for a resource may have: writable fields and the id. */
export function columnsOf(ctx: Context, resource: Resource): Column[] {
  const { id } = resource.fields
  const writable = writableFields(ctx, resource, 'create')
  return (id ? [['id', id] as [string, Field], ...writable] : writable).map(([name, field]) => ({
    name,
    field,
    label: labelOf(resource, name, ctx.language),
    titleIn: (language) => labelOf(resource, name, language),
  }))
}

/** A title without the stars around it. Without a pattern: one that seeks the last stars takes long for many others. */
function bare(title: string): string {
  let [first, last] = [0, title.length]
  while (title[first] === '*') first++
  while (last > first && title[last - 1] === '*') last--
  return title.slice(first, last).trim().toLowerCase()
}

/** Rows that are converted before other requests get their turn. */
const rowsAtOnce = 1000

/** The columns by their titles in the language in which most titles of a file are known, and by their names. */
function byTitle(ctx: Context, known: readonly Column[], titles: readonly string[]): Map<string, [string, Field]> {
  const inLanguage = (language: Language) =>
    new Map(
      known.map(({ name, field, label, titleIn }): [string, [string, Field]] => {
        const title = language === ctx.language ? label : (titleIn?.(language) ?? label)
        return [title.toLowerCase(), [name, field]]
      }),
    )
  const others = languages.filter((language) => language !== ctx.language)
  const found = [ctx.language, ...others].map(inLanguage)
  const hits = found.map((fields) => titles.filter((title) => fields.has(title)).length)
  const fields = found[hits.indexOf(Math.max(...hits))] as Map<string, [string, Field]>
  for (const { name, field } of known) fields.set(name.toLowerCase(), [name, field])
  return fields
}

/**
 * Converts rows of a file to API bodies: columns are matched by label in one language or by field name; values
 * of unknown columns are returned under an empty name.
 */
export async function rendered(ctx: Context, known: readonly Column[], rows: readonly Cells[]): Promise<Rendered> {
  const [header = [], ...body] = rows
  const titles = header.map(bare)
  const fields = byTitle(ctx, known, titles)
  const columns = titles.map((title) => fields.get(title))
  const title: [string, string][] = []
  columns.forEach((column, index) => {
    if (column) title.push([header[index] ?? '', column[0]])
  })
  const data: StoredRow[] = []
  for (const [at, cells] of body.entries()) {
    if (at % rowsAtOnce === rowsAtOnce - 1) await setImmediate()
    if (!cells.some((one) => one.trim() !== '')) continue
    const row: StoredRow = {}
    columns.forEach((column, index) => {
      const text = column?.[1].secret ? (cells[index] ?? '') : (cells[index] ?? '').trim()
      if (!column) row[''] = text
      else if (says(column[1], text)) row[column[0]] = fromCell(column[1], text, ctx)
    })
    data.push(row)
  }
  for (const column of columns) {
    if (!column) continue
    const [name, field] = column
    const filled = data.filter((row) => row[name] !== undefined && row[name] !== null)
    const values = await field.resolveNames?.(
      ctx,
      filled.map((row) => row[name]),
    )
    values?.forEach((value, index) => {
      const row = filled[index]
      if (row) row[name] = value
    })
  }
  return { title, data }
}
