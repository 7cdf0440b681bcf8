import type { TableFormat } from './files/table-files.ts'

/** What the files of a list are called, as a caller may ask for them. */
export const fileTypes: Readonly<Record<TableFormat, readonly string[]>> = {
  csv: ['text/csv'],
  xlsx: ['application/xlsx', 'text/xlsx'],
}

/** Whether an Accept header lets an answer be of one of these types; without one anything will do. */
export function admits(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept ?? '')
    .split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '')
    .filter(Boolean)
  if (ranges.length === 0) return true
  return types.some((type) => ranges.some((range) => ['*/*', type, `${type.split('/')[0]}/*`].includes(range)))
}

/** Whether anything a resource can answer with is admitted. */
export const acceptable = (accept: string | undefined): boolean =>
  admits(accept, ['application/json', ...fileTypes.csv, ...fileTypes.xlsx])
