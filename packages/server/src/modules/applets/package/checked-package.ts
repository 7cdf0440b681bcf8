/** Checks packages that are uploaded and packs them anew, in the thread of parsers; see `upload.ts`. */
import type { Language } from '@castellan/contract/messages'
import { appletMessages as texts } from '@castellan/contract/messages/applets'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { type OpenPackage, withPackage } from './archive.ts'
import { checkSetup, largestYaml, type Manifest, readManifest, readYaml } from './manifest.ts'
import { packageError } from './package-error.ts'

/** Bytes of an icon, and of the README that is kept. */
const largestIcon = 256 * 1024
const largestReadme = 100 * 1024

/** What a package holds for the database. */
export interface Content {
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
async function contentOf(opened: OpenPackage, fileName: string, language: Language): Promise<Content> {
  const required = async (file: string, limit: number) => {
    const bytes = await opened.read(file, limit)
    if (!bytes) throw packageError(texts.package_missing, { file })
    return bytes
  }
  const read = async (file: string) => readYaml(file, await required(file, largestYaml))
  const manifest = readManifest(await read('manifest.yml'), language)
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

/** Checks the package in a file, and writes it packed anew. @throws 400 that names what is wrong */
export function checkedPackage(file: string, clean: string, fileName: string, language: Language): Promise<Content> {
  return withPackage(file, async (opened) => {
    const found = await contentOf(opened, fileName, language)
    await opened.repack(clean, found.manifest.name)
    return found
  })
}
