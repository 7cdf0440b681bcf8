import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { opsMessages } from '@castellan/contract/messages/ops'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import { receiveFile } from '../../../kernel/files/incoming.ts'
import type { RequestParts } from '../../../kernel/http/route.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import { fileTransfers } from '../settings.ts'

/** A file that was uploaded to be sent to hosts. It is its owner's alone, and kept for a day. */
export interface Upload {
  readonly id: string
  readonly name: string
  /** Bytes. */
  readonly size: number
}

const megabyte = 1_048_576
/** How much of the largest file one user may have here, all together. */
const mostTogether = 10
const mostFiles = 100
const keptFor = 86_400_000

/** Bytes of the largest file. */
export const largestFile = (ctx: Context): number => fileTransfers.of(ctx).FILE_UPLOAD_SIZE_LIMIT_MB * megabyte
export const largestSum = (ctx: Context): number => largestFile(ctx) * mostTogether

export const uploadsFolder = (services: Services): string => join(services.dataDir, 'ops', 'uploads')
const folderOf = (ctx: Context): string => join(uploadsFolder(ctx.services), ctx.me.id)

const namesIn = (path: string) => readdir(path).catch((): string[] => [])
const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

/** The uploads of the caller. A folder has its id, and the file in it its name. */
export async function uploadsOf(ctx: Context): Promise<Upload[]> {
  const found: Upload[] = []
  for (const id of await namesIn(folderOf(ctx))) {
    const [name] = normalUuid(id) ? await namesIn(join(folderOf(ctx), id)) : []
    if (name) found.push({ id, name, size: await sizeOf(join(folderOf(ctx), id, name)) })
  }
  return found
}

/** Bytes and files that the caller has here, those that still arrive included. */
async function used(ctx: Context): Promise<{ bytes: number; files: number }> {
  const incoming = join(folderOf(ctx), '.incoming')
  const sizes = (await uploadsOf(ctx)).map(({ size }) => size)
  for (const name of await namesIn(incoming)) sizes.push(await sizeOf(join(incoming, name)))
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length }
}

/** The name of a file without the folders that a browser may send. @throws 400 for what no host takes as a name */
function nameOf(sent: string): string {
  const name = sent.split(/[\\/]/).at(-1) ?? ''
  if (['', '.', '..'].includes(name) || Buffer.byteLength(name) > 255 || unseenCharacters.test(name))
    throw badRequest(text(opsMessages.upload_name), 'file_name_invalid')
  return name
}

/** Takes a file of a form, streamed to disk. @throws 400 without a file, for too many or too much, 413 for a large one */
export async function takeUpload(ctx: Context, request: RequestParts): Promise<Upload> {
  const demandRoom = async (more: number) => {
    const { bytes, files } = await used(ctx)
    if (files + more > mostFiles || bytes > largestSum(ctx))
      throw badRequest(
        text(opsMessages.uploads_full, { count: mostFiles, total: largestSum(ctx) / megabyte }),
        'uploads_full',
      )
  }
  await demandRoom(1)
  const incoming = await receiveFile(request, join(folderOf(ctx), '.incoming'), largestFile(ctx))
  try {
    if (!incoming.hasFile) throw badRequest(text(opsMessages.upload_needed), 'file_needed')
    const name = nameOf(incoming.fileName)
    // Others of the same user may have arrived meanwhile.
    await demandRoom(0)
    const id = randomUUID()
    const path = join(folderOf(ctx), id, name)
    await incoming.keep(path)
    return { id, name, size: await sizeOf(path) }
  } finally {
    await incoming.drop()
  }
}

export const removeUpload = (ctx: Context, id: string): Promise<void> =>
  rm(join(folderOf(ctx), id), { recursive: true, force: true })

/** Where an upload of the caller is; undefined when it is not there any more. */
export async function uploadPath(ctx: Context, { id, name, size }: Upload): Promise<string | undefined> {
  const path = join(folderOf(ctx), id, name)
  return normalUuid(id) && (await stat(path).catch(() => undefined))?.size === size ? path : undefined
}

/** Removes uploads that are older than a day. */
export async function sweepUploads(services: Services): Promise<void> {
  const before = Date.now() - keptFor
  for (const user of await namesIn(uploadsFolder(services)))
    for (const id of await namesIn(join(uploadsFolder(services), user))) {
      const folder = join(uploadsFolder(services), user, id)
      const inside = id === '.incoming' ? (await namesIn(folder)).map((name) => join(folder, name)) : [folder]
      for (const path of inside) {
        const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? {}
        if (mtimeMs !== undefined && mtimeMs < before) await rm(path, { recursive: true, force: true })
      }
    }
}
