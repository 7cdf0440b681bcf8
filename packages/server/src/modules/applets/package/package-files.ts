import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { appletMessages as texts } from '@castellan/contract/messages/applets'
import { Reply } from '../../../kernel/http/route.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { failureAs, text } from '../../../kernel/module/errors.ts'

const folder = (services: Services) => join(services.dataDir, 'media', 'applets')

/** Where packages are stored, by the SHA-256 of their content. */
export const packageFile = (services: Services, digest: string) => join(folder(services), `${digest}.zip`)

/** Where a package is while it is checked: on the same file system. */
export async function incomingFolder(services: Services): Promise<string> {
  const path = join(folder(services), '.incoming')
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

/** Removes a stored package after the change that leaves it unused, unless another applet has the same. */
export function removePackage(ctx: Context, digest: string): void {
  if (!digest) return
  ctx.afterCommit(async () => {
    const used = await ctx.services.database.reader
      .selectFrom('terminal_applet')
      .select('id')
      .where('package', '=', digest)
      .executeTakeFirst()
    if (!used) await rm(packageFile(ctx.services, digest), { force: true })
  })
}

/** The package of an applet as a download; 404 without one. */
export async function packageReply(ctx: Context, row: { name: string; package: string }): Promise<Reply> {
  const file = packageFile(ctx.services, row.package)
  const found = row.package ? await stat(file).catch(() => undefined) : undefined
  if (!found) throw failureAs(404, 'error', text(texts.applet_without_package))
  return new Reply(200, createReadStream(file), {
    'content-type': 'application/zip',
    'content-length': String(found.size),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(row.name)}.zip`,
    'x-content-type-options': 'nosniff',
  })
}
