import { opsMessages } from '@castellan/contract/messages/ops'
import { booleanOf } from '@castellan/contract/truth'
import type { StoredRow } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { created, defineRoute, type Handling, Reply } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, emptyBadRequest, notFound, text } from '../../kernel/module/errors.ts'
import type { Row } from '../../kernel/resource/resource.ts'
import { rowBySegment } from '../../kernel/resource/resource-routes.ts'
import { playbook } from './playbook.ts'
import {
  cleanPath,
  demandRoom,
  directoryOf,
  fileOf,
  isEntry,
  nameOf,
  type PlaybookFile,
  parentOf,
  refusedWith,
} from './playbook-file.ts'
import { insertFiles, listFiles, movePath, readOne, removePath, writeContent } from './playbook-files.ts'

import { isFromRepository } from './playbook-source/refresh.ts'
import { firstError } from './playbook-syntax.ts'

type PlaybookRow = Row<typeof playbook>

const rowOf = ({ ctx, request }: Handling): Promise<PlaybookRow> => rowBySegment(ctx, playbook, request.params.id ?? '')

type Shown = Pick<PlaybookFile, 'path' | 'is_directory'>

const nodeOf = ({ path, is_directory }: Shown) => ({
  name: nameOf(path),
  title: nameOf(path),
  id: path,
  isParent: is_directory,
  open: is_directory,
  pId: parentOf(path) || 'root',
  ...(is_directory ? {} : { iconSkin: 'file' }),
})

const byKindAndName = (a: Shown, b: Shown) =>
  Number(b.is_directory) - Number(a.is_directory) || (nameOf(a.path) < nameOf(b.path) ? -1 : 1)

/** The tree, folders before files, each folder before what is in it. */
function treeOf(row: PlaybookRow, files: readonly Shown[]) {
  const inside = Map.groupBy(files, ({ path }) => parentOf(path))
  const below = (folder: string): Shown[] =>
    (inside.get(folder) ?? [])
      .toSorted(byKindAndName)
      .flatMap((one) => [one, ...(one.is_directory ? below(one.path) : [])])
  const root = { name: row.name, title: row.name, id: 'root', isParent: true, open: true, pId: '', temp: false }
  return [root, ...below('').map((one) => ({ ...nodeOf(one), temp: false }))]
}

async function read(handling: Handling) {
  const { ctx, request } = handling
  const row = await rowOf(handling)
  const { key } = request.query
  if (!key) return treeOf(row, await listFiles(ctx, row.id))
  const file = await found(ctx, row, key)
  return { content: file.is_binary || file.is_directory ? opsMessages.file_unsupported[ctx.language] : file.content }
}

async function found(ctx: Context, row: PlaybookRow, key: string): Promise<PlaybookFile> {
  const file = await readOne(ctx, row.id, cleanPath(key))
  if (!file) throw notFound(opsMessages.playbook_file)
  return file
}

/** Refuses what would change the files of a repository here: the next refresh would undo it. */
function demandOwnFiles(row: PlaybookRow): void {
  if (isFromRepository(row)) throw badRequest(text(opsMessages.vcs_read_only), 'vcs_read_only')
}

/** Outside of transactions. @throws 400 with the line for what is no YAML, and for what takes too long to read */
async function demandYaml(ctx: Context, path: string, content: string): Promise<void> {
  const error = await firstError(ctx, path, content)
  if (error) throw badRequest(text(opsMessages.yaml_wrong, { line: error.line, reason: error.reason }), 'yaml_wrong')
}

const keyIn = (given: unknown): string => (typeof given === 'string' ? given : '')

/** A name that is free in a folder: `name`, `name(1)`, … */
function freePath(folder: string, name: string, taken: ReadonlySet<string>): string {
  const at = (shown: string) => cleanPath(folder === '' ? shown : `${folder}/${shown}`)
  for (let count = 0; ; count++) {
    const path = at(count === 0 ? name : `${name}(${count})`)
    if (!taken.has(path)) return path
  }
}

/** The path that a body asks for; another one is taken when a file has it. */
function wantedPath(body: StoredRow): { folder: string; name: string; isFolder: boolean } {
  const key = keyIn(body.key)
  const folder = key === '' || key === 'root' ? '' : cleanPath(key)
  const isFolder = booleanOf(body.is_directory ?? false) === true
  const name = keyIn(body.name).trim() || (isFolder ? 'new_dir' : 'new_file.yml')
  if (name.includes('/')) throw refusedWith(opsMessages.path_invalid)
  return { folder, name, isFolder }
}

async function add(handling: Handling) {
  const { ctx, request } = handling
  demandOwnFiles(await rowOf(handling))
  const body = objectOf(request.body)
  const { folder, name, isFolder } = wantedPath(body)
  const content = keyIn(body.content)
  if (!isFolder) await demandYaml(ctx, freePath(folder, name, new Set()), content)
  return ctx.transaction(async (inside) => {
    const row = await rowOf({ ...handling, ctx: inside })
    demandOwnFiles(row)
    const files = await listFiles(inside, row.id)
    if (folder !== '' && !files.some(({ path, is_directory }) => path === folder && is_directory))
      throw refusedWith(opsMessages.path_invalid)
    const path = freePath(folder, name, new Set(files.map((file) => file.path)))
    const file = isFolder ? directoryOf(path) : fileOf(path, Buffer.from(content))
    demandRoom([...files, file])
    await insertFiles(inside, row.id, [file])
    return created(nodeOf(file))
  })
}

const protectedName = () => refusedWith(opsMessages.entry_kept)

/** Renames, moves or writes. `new_name` may have folders in it, which exist: it is relative to the file's own. */
async function change(handling: Handling) {
  const { ctx, request } = handling
  const row = await rowOf(handling)
  demandOwnFiles(row)
  const body = objectOf(request.body)
  const key = keyIn(body.key)
  const wanted = keyIn(body.new_name)
  if (key === '') throw emptyBadRequest()
  if (key === 'root') throw wanted ? protectedName() : emptyBadRequest()
  const { content } = body
  const known = await found(ctx, row, key)
  const isWritten = !wanted && !known.is_directory && typeof content === 'string'
  if (isWritten) await demandYaml(ctx, known.path, content)
  await ctx.transaction(async (inside) => {
    const current = await rowOf({ ...handling, ctx: inside })
    demandOwnFiles(current)
    const file = await found(inside, current, key)
    if (wanted) await rename(inside, current, file, wanted)
    else if (isWritten && !file.is_directory) {
      const changed = fileOf(file.path, Buffer.from(content))
      const others = (await listFiles(inside, current.id)).filter(({ path }) => path !== file.path)
      demandRoom([...others, changed])
      await writeContent(inside, current.id, changed)
    }
  })
  return new Reply(200)
}

async function rename(ctx: Context, row: PlaybookRow, { path, is_directory }: PlaybookFile, wanted: string) {
  const folder = parentOf(path)
  const target = cleanPath(folder === '' ? wanted : `${folder}/${wanted}`)
  if (target === path) return
  if (isEntry(path)) throw protectedName()
  await place(ctx, row, { path, is_directory }, target)
}

async function place(ctx: Context, row: PlaybookRow, { path, is_directory }: Shown, target: string) {
  const files = await listFiles(ctx, row.id)
  if (files.some((file) => file.path === target)) throw refusedWith(opsMessages.file_exists)
  const folder = parentOf(target)
  const isKnown = folder === '' || files.some((file) => file.path === folder && file.is_directory)
  if (!isKnown || (is_directory && target.startsWith(`${path}/`))) throw refusedWith(opsMessages.path_invalid)
  await movePath(ctx, row.id, path, target)
}

async function remove(handling: Handling) {
  const { ctx, request } = handling
  const row = await rowOf(handling)
  demandOwnFiles(row)
  const key = keyIn(request.query.key)
  if (key === '') throw refusedWith(opsMessages.file_key_needed)
  if (key === 'root' || isEntry(cleanPath(key))) throw refusedWith(opsMessages.entry_not_deleted)
  await removePath(ctx, row.id, (await found(ctx, row, key)).path)
  return { msg: 'ok' }
}

const path = '/api/v1/ops/playbook/:id/file/'
const requires = 'ops.change_playbook'

/** The files of a playbook, for its owner. */
export const playbookRoutes = [
  defineRoute({
    method: 'GET',
    path,
    requires,
    summary: 'The files of a playbook as a tree, or the content of `key`',
    handle: read,
  }),
  defineRoute({
    method: 'POST',
    path,
    requires,
    summary: 'Add a file or a folder in the folder `key`',
    statuses: [201],
    // YAML is read before it.
    transaction: 'none',
    handle: add,
  }),
  defineRoute({
    method: 'PATCH',
    path,
    requires,
    summary: 'Write `content` to the file `key`, or give it a `new_name`',
    transaction: 'none',
    handle: change,
  }),
  defineRoute({ method: 'DELETE', path, requires, summary: 'Delete the file or folder `key`', handle: remove }),
]
