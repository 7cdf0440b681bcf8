import { promisify } from 'node:util'
import type { FileEntry } from '@castellan/contract/web-terminal'
import type ssh2 from 'ssh2'
import { FileFailure } from './file-error.ts'

const listLimit = 10_000
const deepest = 64
/** Types of files by the type bits of their mode (POSIX `S_IFMT`). */
const kinds = new Map<number, FileEntry['type']>([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
])

/** The operations of the file manager on a target, as promises and in the contract's shapes. */
export class RemoteFiles {
  readonly sftp: ssh2.SFTPWrapper
  private readonly readdir: (path: string) => Promise<ssh2.FileEntryWithStats[]>
  private readonly lstat: (path: string) => Promise<ssh2.Stats>
  private readonly plainStat: (path: string) => Promise<ssh2.Stats>

  constructor(sftp: ssh2.SFTPWrapper) {
    this.sftp = sftp
    this.readdir = promisify(sftp.readdir.bind(sftp)) as (path: string) => Promise<ssh2.FileEntryWithStats[]>
    this.lstat = promisify(sftp.lstat.bind(sftp))
    this.plainStat = promisify(sftp.stat.bind(sftp))
  }

  realPath(path: string): Promise<string> {
    return promisify(this.sftp.realpath.bind(this.sftp))(path)
  }

  async list(path: string): Promise<{ entries: FileEntry[]; truncated: boolean }> {
    const all = await this.readdir(path)
    const entries = all
      .filter((entry) => entry.filename !== '.' && entry.filename !== '..')
      .map((entry) => entryOf(entry.filename, entry.attrs, entry.longname))
    const isFolder = (entry: FileEntry) => (entry.type === 'directory' ? 0 : 1)
    entries.sort((a, b) => isFolder(a) - isFolder(b) || a.name.localeCompare(b.name))
    return { entries: entries.slice(0, listLimit), truncated: entries.length > listLimit }
  }

  async stat(path: string): Promise<FileEntry> {
    return entryOf(path.slice(path.lastIndexOf('/') + 1), await this.lstat(path))
  }

  /** Size of a file, following links. */
  async fileSize(path: string): Promise<number> {
    const attributes = await this.plainStat(path)
    if ((attributes.mode & 0o170000) !== 0o100000) throw new FileFailure('bad_request')
    return attributes.size
  }

  async exists(path: string): Promise<boolean> {
    try {
      await this.lstat(path)
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code === 2) return false
      throw error
    }
  }

  mkdir(path: string): Promise<void> {
    return promisify(this.sftp.mkdir.bind(this.sftp) as (path: string, done: (error?: Error | null) => void) => void)(
      path,
    )
  }

  rename(from: string, to: string): Promise<void> {
    return promisify(this.sftp.rename.bind(this.sftp))(from, to)
  }

  /** Replaces a file atomically where the target supports it, otherwise after removing the old one. */
  async replace(from: string, to: string): Promise<void> {
    try {
      await promisify(this.sftp.ext_openssh_rename.bind(this.sftp))(from, to)
    } catch (error) {
      if (typeof (error as { code?: unknown }).code === 'number') throw error
      if (await this.exists(to)) await this.unlink(to)
      await this.rename(from, to)
    }
  }

  unlink(path: string): Promise<void> {
    return promisify(this.sftp.unlink.bind(this.sftp))(path)
  }

  /** Removes a file or a folder recursively; links are removed, never followed. `onEach` is called for each one. */
  async remove(path: string, onEach: (path: string, isFolder: boolean) => void, depth = 0): Promise<void> {
    if (depth > deepest) throw new FileFailure('bad_request')
    const isFolder = ((await this.lstat(path)).mode & 0o170000) === 0o040000
    if (!isFolder) await this.unlink(path)
    else {
      for (const entry of await this.readdir(path)) {
        if (entry.filename === '.' || entry.filename === '..' || entry.filename.includes('/')) continue
        await this.remove(`${path.replace(/\/$/, '')}/${entry.filename}`, onEach, depth + 1)
      }
      await promisify(this.sftp.rmdir.bind(this.sftp))(path)
    }
    onEach(path, isFolder)
  }

  open(path: string, flags: 'r' | 'wx'): Promise<Buffer> {
    const opened = this.sftp.open.bind(this.sftp) as unknown as (
      path: string,
      flags: string,
      done: (error: Error | undefined, handle: Buffer) => void,
    ) => void
    return promisify(opened)(path, flags)
  }

  close(handle: Buffer): Promise<void> {
    return promisify(this.sftp.close.bind(this.sftp))(handle)
  }

  write(handle: Buffer, data: Buffer, position: number): Promise<void> {
    return new Promise((resolve, reject) =>
      this.sftp.write(handle, data, 0, data.length, position, (error) => (error ? reject(error) : resolve())),
    )
  }

  /** Reads up to `length` bytes; fewer at the end of the file. */
  read(handle: Buffer, length: number, position: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    return new Promise((resolve, reject) =>
      this.sftp.read(handle, buffer, 0, length, position, (error, count) => {
        if (!error) resolve(buffer.subarray(0, count))
        else if ((error as { code?: unknown }).code === 1) resolve(buffer.subarray(0, 0))
        else reject(error)
      }),
    )
  }
}

function entryOf(name: string, attributes: ssh2.Stats | ssh2.Attributes, longName = ''): FileEntry {
  // Owner and group names are only in the long form, as the third and fourth word.
  const words = longName.split(/\s+/)
  return {
    name,
    type: kinds.get(attributes.mode & 0o170000) ?? 'other',
    size: attributes.size,
    modified: attributes.mtime,
    mode: attributes.mode & 0o7777,
    owner: words[2] ?? String(attributes.uid),
    group: words[3] ?? String(attributes.gid),
  }
}
