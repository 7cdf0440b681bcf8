import type { TableFormat } from './files/table-files.ts'

/** What the files of a list are called, as a caller may ask for them. */
export const fileTypes: Readonly<Record<TableFormat, readonly string[]>> = {
  csv: ['text/csv'],
  xlsx: ['application/xlsx', 'text/xlsx'],
}

/** Whether `format` names an answer there is. */
export const isFormat = (name: string): boolean => name === 'json' || Object.hasOwn(fileTypes, name)

/** Whether an Accept header lets an answer be of one of these types; without one anything will do. */
export function admits(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept ?? '')
    .split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '')
    .filter(Boolean)
  if (ranges.length === 0) return true
  return types.some((type) => ranges.some((range) => ['*/*', type, `${type.split('/')[0]}/*`].includes(range)))
}

/** Whether anything the API can answer with is admitted. */
export const acceptable = (accept: string | undefined): boolean =>
  admits(accept, ['application/json', ...fileTypes.csv, ...fileTypes.xlsx])

/** The file a caller names first although it would take anything. */
function preferred(accept: string | undefined): TableFormat | undefined {
  const [first = ''] = accept?.split(/[,;]/) ?? []
  return (['csv', 'xlsx'] as const).find((format) => fileTypes[format].includes(first.trim().toLowerCase()))
}

/** The file that `format` and the Accept header ask for; undefined for JSON, and for a file that is not admitted. */
export function fileAskedFor(format: string | undefined, accept: string | undefined): TableFormat | undefined {
  if (format === 'csv' || format === 'xlsx') return admits(accept, fileTypes[format]) ? format : undefined
  if (format) return undefined
  if (admits(accept, ['application/json'])) return preferred(accept)
  return (['csv', 'xlsx'] as const).find((one) => admits(accept, fileTypes[one]))
}
