import type { Message } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { TableRow, TableShape } from '../../db/schema.ts'
import { unseenCharacters } from '../../kernel/fields/scalars.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, failureAs, text } from '../../kernel/module/errors.ts'
import { lockRow } from '../../kernel/resource/repository.ts'

/**
 * The files of playbooks. They are rows and not files of the server, so that a path is only a name: nothing in it leads
 * anywhere, links do not exist, and every worker sees the same.
 */
export const playbookFileTable = {
  name: 'ops_playbookfile',
  columns: {
    playbook_id: { type: 'uuid', references: 'ops_playbook.id', onDelete: 'cascade' },
    /** Relative, with `/` between its parts. */
    path: { type: 'path' },
    is_directory: { type: 'boolean' },
    content: { type: 'text' },
    /** The content is not text, and stored as base64. */
    is_binary: { type: 'boolean' },
    /** Bytes of the content. */
    size: { type: 'integer' },
  },
  primaryKey: ['playbook_id', 'path'],
  unique: [],
  indexes: [],
} as const satisfies TableShape

export type PlaybookFile = Omit<TableRow<typeof playbookFileTable>, 'playbook_id'>

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
const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

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

type Listed = Pick<PlaybookFile, 'path' | 'is_directory' | 'size'>

/** The files of a playbook without their contents, by path. */
export async function listFiles(ctx: Context, playbookId: string): Promise<Listed[]> {
  const rows = await ctx.rawDb
    .selectFrom('ops_playbookfile')
    .select(['path', 'is_directory', 'size'])
    .where('playbook_id', '=', playbookId)
    .orderBy('path')
    .execute()
  return rows.map((row) => ({ path: row.path, is_directory: Boolean(row.is_directory), size: Number(row.size) }))
}

/** The files of a playbook with their contents. */
export async function readFiles(ctx: Context, playbookId: string): Promise<PlaybookFile[]> {
  const rows = await ctx.rawDb
    .selectFrom('ops_playbookfile')
    .selectAll()
    .where('playbook_id', '=', playbookId)
    .orderBy('path')
    .execute()
  return rows.map((row) => ({
    path: row.path,
    is_directory: Boolean(row.is_directory),
    content: row.content,
    is_binary: Boolean(row.is_binary),
    size: Number(row.size),
  }))
}

export async function readOne(ctx: Context, playbookId: string, path: string): Promise<PlaybookFile | undefined> {
  const row = await ctx.rawDb
    .selectFrom('ops_playbookfile')
    .selectAll()
    .where('playbook_id', '=', playbookId)
    .where('path', '=', path)
    .executeTakeFirst()
  return (
    row &&
    ({
      ...row,
      is_directory: Boolean(row.is_directory),
      is_binary: Boolean(row.is_binary),
      size: Number(row.size),
    } as PlaybookFile)
  )
}

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

/** Stores new files; their paths are free and their folders exist. */
export async function insertFiles(ctx: Context, playbookId: string, files: readonly PlaybookFile[]): Promise<void> {
  for (const file of files)
    await ctx.rawDb
      .insertInto('ops_playbookfile')
      .values({ playbook_id: playbookId, ...file })
      .execute()
}

/** Puts other files in the place of all that a playbook has, in a transaction: those that replace them together wait. */
export async function replaceFiles(ctx: Context, playbookId: string, files: readonly PlaybookFile[]): Promise<void> {
  await lockRow(ctx, 'ops_playbook', playbookId)
  await ctx.rawDb.deleteFrom('ops_playbookfile').where('playbook_id', '=', playbookId).execute()
  await insertFiles(ctx, playbookId, files)
}

export async function writeContent(ctx: Context, playbookId: string, file: PlaybookFile): Promise<void> {
  await ctx.rawDb
    .updateTable('ops_playbookfile')
    .set({ content: file.content, is_binary: file.is_binary, size: file.size })
    .where('playbook_id', '=', playbookId)
    .where('path', '=', file.path)
    .execute()
}

/** Moves a file, or a folder with everything in it. */
export async function movePath(ctx: Context, playbookId: string, from: string, to: string): Promise<void> {
  for (const { path } of await listFiles(ctx, playbookId))
    if (isInside(path, from))
      await ctx.rawDb
        .updateTable('ops_playbookfile')
        .set({ path: cleanPath(`${to}${path.slice(from.length)}`) })
        .where('playbook_id', '=', playbookId)
        .where('path', '=', path)
        .execute()
}

export async function removePath(ctx: Context, playbookId: string, from: string): Promise<void> {
  for (const { path } of await listFiles(ctx, playbookId))
    if (isInside(path, from))
      await ctx.rawDb
        .deleteFrom('ops_playbookfile')
        .where('playbook_id', '=', playbookId)
        .where('path', '=', path)
        .execute()
}

/** The rows of folders that these paths are in. */
export function foldersOf(paths: Iterable<string>): PlaybookFile[] {
  const folders = new Set<string>()
  for (const path of paths) for (let at = parentOf(path); at !== ''; at = parentOf(at)) folders.add(at)
  return [...folders].map(directoryOf)
}
