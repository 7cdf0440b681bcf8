import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { appletMessages as texts } from '@castellan/contract/messages/applets'
import type { Entry, FileEntry } from '@zip.js/zip.js'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { packageError } from './package-error.ts'

/** Limits of a package, unpacked. Bytes. */
const largestContent = 300 * 1024 * 1024
const mostEntries = 2000
const longestPath = 240

const unixType = 0o170000
const regularTypes = new Set([0, 0o100000, 0o040000])

/** Names that Windows, where packages are unpacked, gives to devices, or reads as another one. */
const reservedName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const wrongCharacter = /[<>:"|?*\\]/

function isSafe(path: string): boolean {
  if (path.length > longestPath || path.startsWith('/') || wrongCharacter.test(path) || unseenCharacters.test(path))
    return false
  return path
    .replace(/\/$/, '')
    .split('/')
    .every((part) => part !== '' && !/^\.+$/.test(part) && !/[. ]$/.test(part) && !reservedName.test(part))
}

/** @throws 400 for anything but a plain file or folder with a path that is safe to create */
function demandSafe(entry: Entry, seen: Set<string>): void {
  const { filename, encrypted, externalFileAttributes } = entry
  const shown = filename.replace(new RegExp(unseenCharacters, 'gu'), '?').slice(0, 100)
  if (encrypted) throw packageError(texts.package_encrypted)
  if (!isSafe(filename)) throw packageError(texts.package_unsafe_path, { path: shown })
  if (!regularTypes.has((externalFileAttributes >>> 16) & unixType))
    throw packageError(texts.package_link, { path: shown })
  const name = filename.toLowerCase().replace(/\/$/, '')
  if (seen.has(name)) throw packageError(texts.package_twice, { path: shown })
  seen.add(name)
}

/** A checked package that is still packed. */
export interface OpenPackage {
  /** The name of its only top folder. */
  readonly folder: string
  /** Paths of its files, below the folder. */
  readonly paths: ReadonlySet<string>
  /** A small file, below the folder; undefined without it. */
  read(path: string, limit: number): Promise<Buffer | undefined>
  /** Writes everything into a new archive, below another folder. Stops when it unpacks to more than the limit. */
  repack(target: string, folder: string): Promise<void>
}

/** Passes a limited number of bytes on. */
class Budget {
  #left: number
  readonly #limit: number

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  /** @throws 400 */
  spend(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0)
      throw packageError(texts.package_too_large, { max: Math.max(1, Math.round(this.#limit / 1024 / 1024)) })
  }
}

/** What zip.js throws for an error of a stream may wrap it, or be another one. */
async function unwrapped<T>(work: Promise<T>, problem: () => unknown): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw problem() ?? error
  }
}

async function contentOf(entry: FileEntry, limit: number): Promise<Buffer> {
  const budget = new Budget(limit)
  const pieces: Uint8Array[] = []
  let problem: unknown
  const collect = new WritableStream<Uint8Array>({
    write(part) {
      try {
        budget.spend(part.length)
      } catch (error) {
        problem = error
        throw error
      }
      pieces.push(part)
    },
  })
  await unwrapped(entry.getData(collect), () => problem)
  return Buffer.concat(pieces)
}

async function repacked(files: ReadonlyMap<string, FileEntry>, target: string, folder: string): Promise<void> {
  const { ZipWriter } = await import('@zip.js/zip.js')
  const budget = new Budget(largestContent)
  const out = Writable.toWeb(createWriteStream(target, { mode: 0o600, flush: true }))
  const writer = new ZipWriter(out as WritableStream, { useWebWorkers: false })
  for (const [path, entry] of files) {
    let problem: unknown
    const pipe = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        try {
          budget.spend(part.length)
        } catch (error) {
          problem = error
          throw error
        }
        controller.enqueue(part)
      },
    })
    const copied = Promise.all([writer.add(`${folder}/${path}`, pipe.readable), entry.getData(pipe.writable)])
    await unwrapped(copied, () => problem)
  }
  await writer.close()
}

/** Reads pieces of a file, so that a package is never in memory as a whole. */
async function readerOf(handle: FileHandle) {
  const { Reader } = await import('@zip.js/zip.js')
  const { size } = await handle.stat()
  return new (class extends Reader<undefined> {
    override async init() {
      await super.init?.()
      this.size = size
    }
    override async readUint8Array(offset: number, length: number) {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
  })(undefined)
}

/** The only folder that everything is in. @throws 400 */
function topFolder(paths: readonly string[]): string {
  const folders = new Set(paths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')))
  const [folder] = folders
  if (folders.size !== 1 || !folder) throw packageError(texts.package_one_folder)
  return folder
}

/**
 * Lends the package in a file to `use`. Nothing is unpacked to disk.
 * @throws 400 that names what is wrong with it
 */
export async function withPackage<T>(file: string, use: (opened: OpenPackage) => Promise<T>): Promise<T> {
  const { ZipReader } = await import('@zip.js/zip.js')
  const handle = await open(file, 'r')
  try {
    // Names are judged by `demandSafe`, which says what is wrong with them.
    const options = { useWebWorkers: false, strictness: 'strict', filenameValidation: 'tolerant' } as const
    const archive = new ZipReader(await readerOf(handle), options)
    const seen = new Set<string>()
    const all: Entry[] = []
    for await (const entry of archive.getEntriesGenerator()) {
      if (all.length >= mostEntries) throw packageError(texts.package_too_many, { max: mostEntries })
      demandSafe(entry, seen)
      all.push(entry)
    }
    const folder = topFolder(all.map(({ filename }) => filename))
    const files = new Map<string, FileEntry>()
    for (const entry of all) if (!entry.directory) files.set(entry.filename.slice(folder.length + 1), entry)
    return await use({
      folder,
      paths: new Set(files.keys()),
      read: async (path, limit) => {
        const entry = files.get(path)
        return entry && contentOf(entry, limit)
      },
      repack: (target, name) => repacked(files, target, name),
    })
  } catch (error) {
    if (error instanceof ApiError || (error as NodeJS.ErrnoException).code?.startsWith('E')) throw error
    throw packageError(texts.package_unreadable)
  } finally {
    await handle.close()
  }
}
