import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { appletMessages as texts } from '@castellan/contract/messages/applets'
import { errors } from '@castellan/contract/messages/errors'
import { booleanOf } from '../../../kernel/fields/index.ts'
import { receiveFile } from '../../../kernel/files/incoming.ts'
import { created, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text } from '../../../kernel/module/errors.ts'
import { createOne, updateOne } from '../../../kernel/resource/mutations.ts'
import { findOne, getById, updateRow } from '../../../kernel/resource/repository.ts'
import { chosenFields, serialize } from '../../../kernel/resource/serialize.ts'
import { boundedParser } from '../../../kernel/untrusted/parse-bounded.ts'
import { licenseState } from '../../xpack/index.ts'
import { type AppletRow, applet } from '../applet.ts'
import type { Content, checkedPackage } from './checked-package.ts'
import { packageError } from './package-error.ts'
import { incomingFolder, packageFile, removePackage } from './package-files.ts'
import { storePlatform } from './package-platform.ts'

/** Bytes of an uploaded package. */
const largestPackage = 100 * 1024 * 1024

const checked = boundedParser<typeof checkedPackage>(
  join(import.meta.dirname, 'checked-package.ts'),
  'checkedPackage',
  {
    // Hundreds of megabytes are packed anew.
    ...{ milliseconds: 120_000, megabytes: 512, lane: 'long' },
  },
)

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Stores the row, the platform and the stored package of an applet together. */
async function install(ctx: Context, content: Content, digest: string, update: boolean): Promise<AppletRow> {
  const { manifest } = content
  const before = await findOne(ctx, applet, (query) => query.where('t.name', '=', manifest.name))
  if (before && !update) throw packageError(texts.applet_exists, { name: manifest.name })
  if (manifest.edition === 'enterprise' && !licenseState(ctx.services).valid)
    throw packageError(texts.package_enterprise)
  // Whether users are offered it is decided here after the first installation, not by the package.
  const { is_active, ...described } = manifest
  const author = manifest.author || '-'
  const row = before
    ? await updateOne(ctx, applet, before, { ...described, author }, true)
    : await createOne(ctx, applet, { ...described, author, is_active })
  if (content.platform) await storePlatform(ctx, manifest.name, content.platform)
  await updateRow(ctx, applet, row.id, {
    package: digest,
    icon_data: Buffer.from(content.icon).toString('base64'),
    readme_text: content.readme,
  })
  if (before && before.package !== digest) removePackage(ctx, before.package)
  return getById(ctx, applet, row.id)
}

/** Checks an uploaded package, stores it packed anew, and creates or updates its applet. */
export async function upload({ ctx, request }: Handling): Promise<unknown> {
  const folder = await incomingFolder(ctx.services)
  const incoming = await receiveFile(request, folder, largestPackage)
  const clean = `${incoming.path}.clean`
  try {
    if (!incoming.hasFile) throw invalid({ file: [text(errors.required)] })
    const content = await checked(ctx.me.id, incoming.path, clean, incoming.fileName, ctx.language)
    const digest = await digestOf(clean)
    await rename(clean, packageFile(ctx.services, digest))
    const update = booleanOf(request.query.update ?? incoming.fields.update) === true
    const row = await ctx.transaction((inside) => install(inside, content, digest, update))
    return created((await serialize(ctx, applet, [row], chosenFields(ctx, applet, {}, 'retrieve')))[0])
  } finally {
    await incoming.drop()
    await rm(clean, { force: true })
  }
}
