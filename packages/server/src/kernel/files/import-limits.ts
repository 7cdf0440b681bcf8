import { errors } from '@castellan/contract/messages/errors'
import { failure, text } from '../module/errors.ts'

export type TableFormat = 'csv' | 'xlsx'

const megabyte = 1024 * 1024

/** Largest file an import accepts. Bytes. */
export const importLimit = 10 * megabyte

export const overflowed = () =>
  failure(400, 'file_content_overflowed', text(errors.file_content_overflowed, { max: importLimit / megabyte }))

/** Text that a spreadsheet would evaluate as a formula, with any leading quotes; numbers and `-` are safe. */
export const formula = /^'*(?:[=@\t\r]|[+-](?![\d.,\s]*$))/
