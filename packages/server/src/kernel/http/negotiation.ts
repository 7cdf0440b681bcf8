import type { TableFormat } from '../files/table-files.ts'

/** Media types of the files of a list. */
export const fileTypes: Readonly<Record<TableFormat, readonly string[]>> = {
  csv: ['text/csv'],
  xlsx: ['application/xlsx', 'text/xlsx'],
}

/** Whether `format` is a supported response format. */
export const isFormat = (name: string): boolean => name === 'json' || Object.hasOwn(fileTypes, name)

/** Whether an Accept header admits one of these types; without the header every type is admitted. */
export function admits(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept ?? '')
    .split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '')
    .filter(Boolean)
  if (ranges.length === 0) return true
  return types.some((type) => ranges.some((range) => ['*/*', type, `${type.split('/')[0]}/*`].includes(range)))
}

/** Whether the API has any response type that the header admits. */
export const acceptable = (accept: string | undefined): boolean =>
  admits(accept, ['application/json', ...fileTypes.csv, ...fileTypes.xlsx])

/** The file type that an Accept header names first, even if it also accepts anything. */
function preferred(accept: string | undefined): TableFormat | undefined {
  const [first = ''] = accept?.split(/[,;]/) ?? []
  return (['csv', 'xlsx'] as const).find((format) => fileTypes[format].includes(first.trim().toLowerCase()))
}

/**
 * The file type that `format` and the Accept header ask for; undefined for JSON, and for a file type that is not
 * admitted.
 */
export function fileAskedFor(format: string | undefined, accept: string | undefined): TableFormat | undefined {
  if (format === 'csv' || format === 'xlsx') return admits(accept, fileTypes[format]) ? format : undefined
  if (format) return undefined
  if (admits(accept, ['application/json'])) return preferred(accept)
  return (['csv', 'xlsx'] as const).find((one) => admits(accept, fileTypes[one]))
}
