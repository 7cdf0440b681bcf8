import { errors } from '@castellan/contract/messages/errors'
import { failure, text } from '../module/errors.ts'
import { isCompoundFile } from './compound-streams.ts'
import { importLimit, overflowed, type TableFormat } from './import-limits.ts'
import { LockedArchive, partsOf } from './unpacked.ts'
import { unprotectedWorkbook, WrongPassword } from './unprotected-workbook.ts'

const zipSignature = Buffer.from('PK\u0003\u0004')
const isArchive = (bytes: Buffer) => bytes.subarray(0, 4).equals(zipSignature)

const passwordMissing = () => failure(400, 'file_password_required', text(errors.file_password_required))
const passwordWrong = () => failure(400, 'file_password_wrong', text(errors.file_password_wrong))

/**
 * A table without what protects it: an archive around it, and passwords of both. Backups have the two, with the same
 * password; exports with secrets have the archive. Everything stays in memory.
 * @throws ApiError when the password is missing or wrong
 * @throws Error for anything else
 */
export async function openTable(
  format: TableFormat,
  bytes: Buffer,
  password: string | undefined,
): Promise<{ format: TableFormat; bytes: Buffer }> {
  if (format === 'csv' || !bytes.length) return { format, bytes }
  try {
    const table = isArchive(bytes) ? await tableIn(bytes, password) : { format, bytes }
    if (table.format === 'csv' || !isCompoundFile(table.bytes)) return table
    if (!password) throw passwordMissing()
    return { format, bytes: await unprotectedWorkbook(table.bytes, password) }
  } catch (error) {
    if (error instanceof LockedArchive) throw password ? passwordWrong() : passwordMissing()
    if (error instanceof WrongPassword) throw passwordWrong()
    // What cannot be opened is reported by the reader, as any other unreadable file.
    if (error instanceof Error && !('status' in error)) return { format, bytes }
    throw error
  }
}

/** The only table in an archive; a workbook, which is an archive itself, as it is. */
async function tableIn(bytes: Buffer, password: string | undefined): Promise<{ format: TableFormat; bytes: Buffer }> {
  const files = await partsOf(bytes, importLimit, /^[^/]+\.(csv|xlsx)$/i, password)
  if (!files) throw overflowed()
  const [only, more] = [...files]
  if (!only || more) return { format: 'xlsx', bytes }
  const [name, content] = only
  return { format: /\.csv$/i.test(name) ? 'csv' : 'xlsx', bytes: content }
}
