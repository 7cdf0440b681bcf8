import { errors } from '@castellan/contract/messages/errors'
import type { StoredRow } from '../fields/field.ts'
import { fileStamp } from '../fields/timestamps.ts'
import { fileAskedFor } from '../http/negotiation.ts'
import { Reply, type RequestParts } from '../http/route.ts'
import { type Pageable, pagedReply } from '../lists/paging.ts'
import { filtered, type ListQuery, ordered, type Page, pageOf } from '../lists/query.ts'
import type { Context } from '../module/context.ts'
import { notAcceptable } from '../module/errors.ts'
import type { Resource } from '../resource/resource.ts'
import { chosenFields, serialize } from '../resource/serialize.ts'
import { type Column, headerCell, headerOf, rowCells, type Template, templateFields } from './cells.ts'
import { encryptedZip } from './encrypted-zip.ts'
import { type Cells, type TableFormat, tableStream } from './table-files.ts'

/** Maximum rows of an export. */
const exportCap = 10_000
/** Rows read and written at a time, so that memory use does not depend on the size of the file. */
const exportChunk = 200

/** The Accept header must admit a file that `format` asks for, too. */
function wantedFormat(request: RequestParts): TableFormat | undefined {
  const format = request.query.format
  const wanted = fileAskedFor(format, request.headers.accept)
  if (format && format !== 'json' && !wanted) throw notAcceptable()
  return wanted
}

const templateOf = (name: string | undefined): Template => (name === 'import' || name === 'update' ? name : 'export')

async function* chunks(
  resource: Resource,
  page: Page | undefined,
  template: Template,
  query: ListQuery,
): AsyncGenerator<StoredRow[]> {
  const most = template === 'import' ? 1 : Math.min(page?.limit ?? exportCap, exportCap)
  const start = page?.offset ?? 0
  for (let done = 0; done < most; done += exportChunk) {
    const size = Math.min(exportChunk, most - done)
    const rows = await query
      .limit(size)
      .offset(start + done)
      .execute()
    if (rows.length > 0) yield rows.map(resource.decode)
    if (rows.length < size) return
  }
}

async function* cellRows(
  ctx: Context,
  resource: Resource,
  fields: readonly string[],
  batches: AsyncIterable<StoredRow[]>,
): AsyncGenerator<Cells> {
  for await (const rows of batches)
    for (const wire of await serialize(ctx, resource, rows, fields)) yield rowCells(ctx, resource, fields, wire)
}

async function* just(rows: StoredRow[]): AsyncGenerator<StoredRow[]> {
  yield rows
}

const nameOfFile = (ctx: Context, name: string) => `${name}_${fileStamp(ctx.now, ctx.zone)}`

const attachment = (format: TableFormat, name: string, body: unknown) =>
  new Reply(200, body, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/xlsx',
    'content-disposition': `attachment; filename="${name}"`,
  })

/** Answers a list of a route without a resource: as a file when the caller asked for one, else in pages. */
export async function listOrFile(
  ctx: Context,
  request: RequestParts,
  { name, columns, list, uncapped = false }: ListOfColumns,
): Promise<unknown> {
  const format = wantedFormat(request)
  if (!format) return pagedReply(ctx, request, list, uncapped)
  const { offset, limit } = pageOf(ctx, request.query, uncapped) ?? { offset: 0, limit: exportCap }
  const fields = Object.fromEntries(columns.map((column) => [column.name, column.field]))
  const names = columns.map((column) => column.name)
  const header = columns.map(({ field, label }) => headerOf(field, label))
  const most = Math.min(limit, exportCap)
  async function* cells(): AsyncGenerator<Cells> {
    for (let done = 0; done < most; done += exportChunk) {
      const size = Math.min(exportChunk, most - done)
      const rows = await list.rows({ offset: offset + done, limit: size })
      for (const wire of rows) yield rowCells(ctx, { fields }, names, wire as StoredRow)
      if (rows.length < size) return
    }
  }
  return attachment(format, `${nameOfFile(ctx, name)}.${format}`, await tableStream(format, header, cells()))
}

interface ListOfColumns {
  /** Name of the file, without suffix. */
  name: string
  columns: readonly Column[]
  list: Pageable
  uncapped?: boolean
}

/** Returns the file when the caller asked for one, else the result of `otherwise`. */
export async function exportReply(
  ctx: Context,
  resource: Resource,
  request: RequestParts,
  otherwise: () => Promise<unknown>,
  rows?: StoredRow[],
): Promise<unknown> {
  const format = wantedFormat(request)
  if (!format) return otherwise()
  const template = templateOf(request.query.template)
  const chosen = new Set(chosenFields(ctx, resource, request.query))
  const fields = templateFields(ctx, resource, template).filter((name) => template !== 'export' || chosen.has(name))
  const header = fields.map((name) => headerCell(ctx, resource, name))
  // Runs before the first byte is sent, so that a wrong filter is an error response and not a broken file.
  const query = ordered(await filtered(ctx, resource, request.query), resource, request.query)
  const batches = rows ? just(rows) : chunks(resource, pageOf(ctx, request.query), template, query)
  const name = nameOfFile(ctx, resource.fileName ?? resource.name)
  // The content type is that of the requested format, encrypted or not: clients use the name of the file.
  const attached = (body: unknown, suffix: string) => attachment(format, `${name}.${suffix}`, body)
  const table = () => tableStream(format, header, cellRows(ctx, resource, fields, batches))
  if (!resource.filePassword || template !== 'export') return attached(await table(), format)
  const password = await resource.filePassword(ctx)
  if (!password) return attached(`${errors.file_password_missing[ctx.language]}\n`, 'txt')
  return attached(await encryptedZip(`${name}.${format}`, await table(), password), 'zip')
}
