/** Files of a playbook as values: names, limits and contents. Parsers in their thread use it too. */
import type { Message } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { unseenCharacters } from '../../kernel/fields/scalars.ts'
import { badRequest, failureAs, text } from '../../kernel/module/errors.ts'

/** A file or a folder of a playbook. */
export interface PlaybookFile {
  readonly path: string
  readonly is_directory: boolean
  readonly content: string
  /** The content is not text, and stored as base64. */
  readonly is_binary: boolean
  /** Bytes of the content. */
  readonly size: number
}

export const workspaceLimits = { files: 1000, bytes: 20 * 1_048_576, file: 5 * 1_048_576, depth: 16 }
const longestPart = 128
const longestPath = 512

/** Where a run begins: the first of them that exists. */
export const entryNames = ['main.yml', 'main.yaml', 'main'] as const

/** 400 in the form in which the contract refuses changes of files. */
export const refusedWith = (message: Message) => failureAs(400, 'msg', text(message))
const wrongPath = () => refusedWith(opsMessages.path_invalid)

/** A path inside of a playbook. @throws 400 for one that leads out of it, or that no file system takes */
export function cleanPath(input: string): string {
  const path = input.replace(/^root\//, '')
  const parts = path.split('/')
  const isWrong = (part: string) =>
    part === '' ||
    part === '.' ||
    part === '..' ||
    part.length > longestPart ||
    part.includes('\\') ||
    unseenCharacters.test(part)
  if (path.length > longestPath || parts.length > workspaceLimits.depth || parts.some(isWrong)) throw wrongPath()
  return path
}

export const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const isEntry = (path: string): boolean => (entryNames as readonly string[]).includes(path)

/** A file with its content as it is stored: text as text, anything else as base64. */
export function fileOf(path: string, bytes: Buffer): PlaybookFile {
  let content: string | undefined
  try {
    content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    content = undefined
  }
  const isText = content !== undefined && !content.includes('\0')
  return {
    path,
    is_directory: false,
    content: isText ? (content as string) : bytes.toString('base64'),
    is_binary: !isText,
    size: bytes.length,
  }
}

export const bytesOf = ({ content, is_binary }: Pick<PlaybookFile, 'content' | 'is_binary'>): Buffer =>
  Buffer.from(content, is_binary ? 'base64' : 'utf8')

export const directoryOf = (path: string): PlaybookFile => ({
  path,
  is_directory: true,
  content: '',
  is_binary: false,
  size: 0,
})

/** @throws 400 when a playbook would have more than it may */
export function demandRoom(files: readonly Pick<PlaybookFile, 'size'>[]): void {
  const { files: most, bytes, file } = workspaceLimits
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > most || total > bytes || files.some(({ size }) => size > file))
    throw badRequest(
      text(opsMessages.workspace_full, { files: most, total: bytes / 1_048_576, one: file / 1_048_576 }),
      'workspace_full',
    )
}

/** The rows of folders that these paths are in. */
export function foldersOf(paths: Iterable<string>): PlaybookFile[] {
  const folders = new Set<string>()
  for (const path of paths) for (let at = parentOf(path); at !== ''; at = parentOf(at)) folders.add(at)
  return [...folders].map(directoryOf)
}
