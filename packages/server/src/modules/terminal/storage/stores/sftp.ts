import { createReadStream } from 'node:fs'
import { posix } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { connectSsh, openTcp } from '@castellan/connectors/ssh'
import type { ConnectError } from '@castellan/contract/connect-reasons'
import type ssh2 from 'ssh2'
import { isForbiddenAddress } from '../../../../kernel/security/outgoing-addresses.ts'
import { failureOf, type ObjectStore, StorageFailure } from './object-store.ts'
import { notedUpload, noteOf } from './parts.ts'

export interface SftpDetails {
  SFTP_HOST: string
  SFTP_PORT: number
  SFTP_USERNAME: string
  STP_SECRET_TYPE: string
  SFTP_PASSWORD: string
  STP_PRIVATE_KEY: string
  STP_PASSPHRASE: string
  SFTP_ROOT_PATH: string
}

/** The host key of a server: the one it must have, or the one it is found with at the first connection. */
export interface HostKeyPin {
  /** Empty when it is not known yet. */
  known: string
  found?: string
}

/** A stream reports also that its file could not be closed, when nobody listens any more; that must end no program. */
function guarded<S extends Readable | Writable>(stream: S): S {
  stream.on('error', () => undefined)
  return stream
}

const noSuchFile = 2
const permissionDenied = 3

const call = <T>(run: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
  new Promise((settle, fail) => run((error, value) => (error ? fail(error) : settle(value))))

/** A folder on a server, by SFTP. Connected when it is opened. */
export async function openSftp(details: SftpDetails, pin: HostKeyPin, signal?: AbortSignal): Promise<ObjectStore> {
  const { SFTP_HOST: host, SFTP_PORT: port, SFTP_ROOT_PATH: root } = details
  const address = `${host}:${port}`
  if (isForbiddenAddress(host)) throw new StorageFailure('forbidden_address', { address: host })
  const isKey = details.STP_SECRET_TYPE === 'ssh_key'
  let client: ssh2.Client
  let sftp: ssh2.SFTPWrapper
  try {
    client = await connectSsh({
      stream: await openTcp(host, port, signal),
      credential: {
        username: details.SFTP_USERNAME,
        secretType: details.STP_SECRET_TYPE,
        secret: isKey ? details.STP_PRIVATE_KEY : details.SFTP_PASSWORD,
        passphrase: details.STP_PASSPHRASE || undefined,
      },
      async verifyHostKey({ fingerprint }) {
        pin.found = fingerprint
        if (pin.known && pin.known !== pin.found) throw new StorageFailure('host_key', { address })
      },
      signal,
    })
  } catch (error) {
    if ((error as ConnectError).level === 'client-authentication') throw new StorageFailure('denied', { address })
    throw failureOf(error, address)
  }
  try {
    sftp = await call((done) => client.sftp(done))
  } catch (error) {
    client.end()
    throw failureOf(error, address)
  }

  const pathOf = (key: string) => posix.join(root, key)
  const codeOf = (error: unknown) => (error as { code?: unknown }).code
  const failed = (error: unknown, key: string) => {
    if (codeOf(error) === permissionDenied) return new StorageFailure('denied', { address })
    return codeOf(error) === noSuchFile
      ? new StorageFailure('no_container', { container: posix.dirname(pathOf(key)) })
      : failureOf(error, address)
  }

  /** Makes the folders of a key below the root, which must exist. */
  async function makeFolders(key: string): Promise<void> {
    const parts = key.split('/').slice(0, -1)
    for (let count = 1; count <= parts.length; count++) {
      const folder = pathOf(parts.slice(0, count).join('/'))
      // An existing folder is an unspecific failure of `mkdir`; a real one shows at the file.
      await call((done) => sftp.mkdir(folder, (error) => done(error, undefined))).catch(() => undefined)
    }
  }

  async function sizeOf(key: string): Promise<number | undefined> {
    try {
      return (await call<ssh2.Stats>((done) => sftp.stat(pathOf(key), done))).size
    } catch (error) {
      if (codeOf(error) === noSuchFile) return undefined
      throw failed(error, key)
    }
  }

  return {
    async put(key, { path, size }, ended, memory) {
      try {
        await makeFolders(key)
        // What an attempt before has written of the same file stays; the whole file is read back afterwards.
        const isNoted = notedUpload(memory?.known, size) !== undefined
        const there = isNoted ? await sizeOf(key) : undefined
        const start = there !== undefined && there <= size ? there : 0
        if (start === 0) await memory?.note(noteOf(key, size))
        const options = start === 0 ? { mode: 0o600 } : { flags: 'r+' as const, start }
        await pipeline(createReadStream(path, { start }), guarded(sftp.createWriteStream(pathOf(key), options)), {
          signal: ended,
        })
      } catch (error) {
        throw failed(error, key)
      }
    },
    size: sizeOf,
    async read(key, range) {
      const stats = await call<ssh2.Stats>((done) => sftp.stat(pathOf(key), done)).catch((error) => {
        if (codeOf(error) === noSuchFile) return undefined
        throw failed(error, key)
      })
      return stats && guarded(sftp.createReadStream(pathOf(key), range ?? {}))
    },
    async remove(key) {
      try {
        await call((done) => sftp.unlink(pathOf(key), (error) => done(error, undefined)))
      } catch (error) {
        if (codeOf(error) !== noSuchFile) throw failed(error, key)
      }
    },
    close: () => client.end(),
  }
}
