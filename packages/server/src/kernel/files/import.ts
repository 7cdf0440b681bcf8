import { errors } from '@castellan/contract/messages/errors'
import type { Field } from '../fields/field.ts'
import { own } from '../fields/safe-lookup.ts'
import { defineRoute, type RequestParts, type Route } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import { failureAs, parseError, text } from '../module/errors.ts'
import { textsOf } from '../module/texts.ts'
import { decrypted } from '../security/encrypted.ts'
import type { Requirement } from '../security/permission.ts'
import { type Column, rendered } from './cells.ts'
import { readTable, type TableFormat } from './table-files.ts'

const fileTypes: Record<string, TableFormat> = { 'text/csv': 'csv', 'text/xlsx': 'xlsx', 'application/xlsx': 'xlsx' }

/**
 * The password of an uploaded file: the header `X-File-Password`, percent-encoded and, from a browser, encrypted like
 * other secrets. A header, because addresses are logged.
 */
function passwordOf(ctx: Context, request: RequestParts): string | undefined {
  const sent = request.headers['x-file-password']
  if (!sent) return undefined
  try {
    return decrypted(ctx, decodeURIComponent(sent))
  } catch {
    throw parseError()
  }
}

/** The body of a call to a collection: the rows of a posted file, otherwise the body itself. */
export async function bodyRows(ctx: Context, columns: () => Column[], request: RequestParts): Promise<unknown> {
  const format = own(fileTypes, request.contentType)
  if (!format) return request.body
  const password = passwordOf(ctx, request)
  const rows = await ctx.runOutsideTransaction('kernel.imported_table', () =>
    readTable(format, request.body as Buffer, ctx.language, password, ctx.caller?.id),
  )
  return (await rendered(ctx, columns(), rows)).data
}

/** `<collection>render-to-json/`: converts a csv or xlsx file to bodies and stores nothing. */
export function importRoute(collection: {
  url: string
  /** Title of the collection in the API documentation. */
  title: string
  requires: Requirement
  /** For OPTIONS, where no resource describes the fields. */
  fields?: Readonly<Record<string, Field>>
  columns(ctx: Context): Column[]
}): Route {
  const { url, title, requires, fields, columns } = collection
  return defineRoute({
    method: 'POST',
    path: `${url}render-to-json/`,
    ...(fields ? { fields: { POST: fields } } : { describes: url }),
    requires,
    summary: `Convert a csv or xlsx file to bodies of ${title}`,
    transaction: 'none',
    async handle({ ctx, request }) {
      const format = own(fileTypes, request.contentType)
      const body = request.body
      if (!Buffer.isBuffer(body) || body.length === 0) return { title: [], data: {} }
      if (!format || request.contentType === 'application/xlsx') throw parseError()
      const result = await rendered(
        ctx,
        columns(ctx),
        await readTable(format, body, ctx.language, passwordOf(ctx, request), ctx.caller?.id),
      )
      if (result.data.length === 0) throw failureAs(400, 'error', text(errors.empty_file))
      return result
    },
  })
}

/** A column for each declared field of a collection without a resource. */
export const allColumnsFor =
  (app: string, fields: Readonly<Record<string, Field>>) =>
  (ctx: Context): Column[] =>
    Object.entries(fields).map(([name, field]) => ({ name, field, label: textsOf(app, name, ctx.language).label }))

/** The columns an import reads: those of the writable fields. */
export const columnsFor = (app: string, fields: Readonly<Record<string, Field>>) =>
  allColumnsFor(app, Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.readOnly)))
