import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { appletMessages as texts } from '@castellan/contract/messages/applets'
import { errors } from '@castellan/contract/messages/errors'
import { booleanOf, type StoredRow } from '../../../kernel/fields/index.ts'
import { receiveFile } from '../../../kernel/files/incoming.ts'
import { created, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text } from '../../../kernel/module/errors.ts'
import { createOne, updateOne } from '../../../kernel/resource/mutations.ts'
import { findOne, getById, updateRow } from '../../../kernel/resource/repository.ts'
import { chosenFields, serialize } from '../../../kernel/resource/serialize.ts'
import { licenseState } from '../../xpack/index.ts'
import { type AppletRow, applet } from '../applet.ts'
import { type OpenPackage, withPackage } from './archive.ts'
import { checkSetup, largestYaml, type Manifest, readManifest, readYaml } from './manifest.ts'
import { packageError } from './package-error.ts'
import { incomingFolder, packageFile, removePackage } from './package-files.ts'
import { storePlatform } from './package-platform.ts'

/** Bytes of an uploaded package, of an icon, and of the README that is kept. */
const largestPackage = 100 * 1024 * 1024
const largestIcon = 256 * 1024
const largestReadme = 100 * 1024

/** What a package holds for the database. */
interface Content {
  manifest: Manifest
  icon: Buffer
  readme: string
  platform: StoredRow | undefined
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
const widest = 1024

/** @throws 400 unless the bytes begin a PNG of a size that lists can show */
function checkIcon(bytes: Buffer): void {
  const sizes = bytes.length >= 24 ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : []
  const isPng = bytes.subarray(0, 8).equals(pngSignature) && bytes.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng || sizes.some((size) => size < 1 || size > widest)) throw packageError(texts.package_icon)
}

/** Everything of a package that is shown or stored in rows. @throws 400 that names what is wrong */
async function contentOf(ctx: Context, opened: OpenPackage, fileName: string): Promise<Content> {
  const required = async (file: string, limit: number) => {
    const bytes = await opened.read(file, limit)
    if (!bytes) throw packageError(texts.package_missing, { file })
    return bytes
  }
  const read = async (file: string) => readYaml(file, await required(file, largestYaml))
  const manifest = readManifest(await read('manifest.yml'), ctx.language)
  checkSetup(await read('setup.yml'))
  const icon = await required('icon.png', largestIcon)
  checkIcon(icon)
  if (opened.paths.has('patch.yml')) await read('patch.yml')
  // A browser that has the name already saves the package as "name (1).zip".
  if (opened.folder !== fileName.replace(/\.zip$/i, '') && opened.folder !== manifest.name)
    throw packageError(texts.package_folder_name, { folder: opened.folder, name: manifest.name })
  return {
    manifest,
    icon,
    readme: ((await opened.read('README.md', largestReadme)) ?? '').toString(),
    platform: opened.paths.has('platform.yml') ? await read('platform.yml') : undefined,
  }
}

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
    icon_data: content.icon.toString('base64'),
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
    const content = await withPackage(incoming.path, async (opened) => {
      const found = await contentOf(ctx, opened, incoming.fileName)
      await opened.repack(clean, found.manifest.name)
      return found
    })
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
