import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'
import { lockRow } from '../../kernel/resource/repository.ts'
import { cleanPath, type PlaybookFile } from './playbook-file.ts'

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

export { isEntry, type PlaybookFile } from './playbook-file.ts'

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

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
