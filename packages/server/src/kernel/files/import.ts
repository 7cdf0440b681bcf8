import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../context.ts'
import { failureAs, parseError, text } from '../errors.ts'
import type { Field } from '../fields/field.ts'
import type { Requirement } from '../permission.ts'
import { defineRoute, type RequestParts, type Route } from '../route.ts'
import { own } from '../safe-lookup.ts'
import { textsOf } from '../texts.ts'
import { type Column, rendered } from './cells.ts'
import { readTable, type TableFormat } from './table-files.ts'

const fileTypes: Record<string, TableFormat> = { 'text/csv': 'csv', 'text/xlsx': 'xlsx', 'application/xlsx': 'xlsx' }

/** The body of a call to a collection: rows of a table when a file is posted, otherwise what was sent. */
export async function bodyRows(ctx: Context, columns: () => Column[], request: RequestParts): Promise<unknown> {
  const format = own(fileTypes, request.contentType)
  if (!format) return request.body
  return (await rendered(ctx, columns(), await readTable(format, request.body as Buffer, ctx.language))).data
}

/** `<collection>render-to-json/`: reads a csv or xlsx file into bodies, and stores nothing. */
export function importRoute(collection: {
  url: string
  /** What the collection is called, for the API's documentation. */
  title: string
  requires: Requirement
  /** Where OPTIONS has no resource to tell of. */
  fields?: Readonly<Record<string, Field>>
  columns(ctx: Context): Column[]
}): Route {
  const { url, title, requires, fields, columns } = collection
  return defineRoute({
    method: 'POST',
    path: `${url}render-to-json/`,
    ...(fields ? { fields: { POST: fields } } : { describes: url }),
    requires,
    summary: `Read a csv or xlsx file into bodies of ${title}`,
    transaction: 'none',
    async handle({ ctx, request }) {
      const format = own(fileTypes, request.contentType)
      const body = request.body
      if (!Buffer.isBuffer(body) || body.length === 0) return { title: [], data: {} }
      if (!format || request.contentType === 'application/xlsx') throw parseError()
      const result = await rendered(ctx, columns(ctx), await readTable(format, body, ctx.language))
      if (result.data.length === 0) throw failureAs(400, 'error', text(errors.empty_file))
      return result
    },
  })
}

/** A column for each of the fields that stand beside the routes of a collection. */
export const allColumnsFor =
  (app: string, fields: Readonly<Record<string, Field>>) =>
  (ctx: Context): Column[] =>
    Object.entries(fields).map(([name, field]) => ({ name, field, label: textsOf(app, name, ctx.language).label }))

/** The columns of a file that is read into bodies: those of the fields that can be written. */
export const columnsFor = (app: string, fields: Readonly<Record<string, Field>>) =>
  allColumnsFor(app, Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.readOnly)))
