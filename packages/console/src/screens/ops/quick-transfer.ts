/** Starting the transfer of files with many hosts. */
import { call } from '../../kit/api/client.ts'
import { t } from '../../kit/text.ts'
import { type Chosen, type Command, targetsOf, targetsProblem } from './quick-command.ts'

const uploadsUrl = '/api/v1/ops/file-uploads/'

/** What a quick job does. */
export type QuickKind = 'command' | 'upload' | 'fetch'

export interface Moved {
  files: readonly File[]
  /** Where files go; the home folder when it is empty. */
  folder: string
  overwrite: boolean
  /** The file that is fetched. */
  file: string
}

export const nothingMoved: Moved = { files: [], folder: '', overwrite: false, file: '' }

/** What is still missing before the transfer can start. */
export function transferProblem(
  kind: 'upload' | 'fetch',
  moved: Moved,
  { runas }: Command,
  chosen: Chosen,
): string | undefined {
  const problem = targetsProblem(chosen)
  if (problem) return problem
  if (kind === 'upload' && moved.files.length === 0) return t('transferNoFiles')
  if (kind === 'fetch' && moved.file.trim() === '') return t('transferNoFile')
  return runas.trim() === '' ? t('quickNoRunas') : undefined
}

/** A large file over a slow line. Milliseconds. */
const uploadTimeout = 6 * 3_600_000

async function upload(file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  return (await call<{ id: string }>(uploadsUrl, { method: 'POST', body, timeout: uploadTimeout })).id
}

/** Uploads the files and starts the transfer. Returns the id of the execution. */
export async function runTransfer(
  kind: 'upload' | 'fetch',
  { files, folder, overwrite, file }: Moved,
  { runas, runas_policy, timeout }: Command,
  chosen: Chosen,
): Promise<string> {
  const targets = { ...targetsOf(chosen), runas, runas_policy, timeout }
  const ids: string[] = []
  if (kind === 'upload') for (const one of files) ids.push(await upload(one))
  const body = kind === 'upload' ? { ...targets, files: ids, folder, overwrite } : { ...targets, file }
  return (await call<{ task_id: string }>(`/api/v1/ops/file-transfers/${kind}/`, { method: 'POST', body })).task_id
}
