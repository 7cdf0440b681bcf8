import { type Readable, Transform } from 'node:stream'
import { fill, type Language, withoutControls } from '@castellan/contract/messages'
import { storageFailures } from '@castellan/contract/messages/storages'

/** Milliseconds until a storage has accepted a connection, and between two parts of an answer. */
export const connectPatience = 10_000
export const silencePatience = 60_000

export type FailureCode = keyof typeof storageFailures

/** Why a storage did not do its work, in words for an administrator. Holds no secret and no body of an answer. */
export class StorageFailure extends Error {
  readonly code: FailureCode
  readonly #details: Readonly<Record<string, string | number>>

  constructor(code: FailureCode, details: Readonly<Record<string, string | number>> = {}) {
    super(`storage: ${code}`)
    this.code = code
    this.#details = details
  }

  text(language: Language): string {
    return fill(storageFailures[this.code][language], this.#details)
  }
}

/** A text of a storage that is shown to users: one line, bounded. */
export const shortReason = (text: unknown): string =>
  withoutControls(String(text)).replace(/\s+/g, ' ').trim().slice(0, 200)

/** First and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** A file of the data folder. Its size is in bytes. */
export interface LocalFile {
  path: string
  size: number
}

/** What a store remembers of an upload in parts between two attempts, in its own words. */
export interface UploadMemory {
  /** What the attempt before has noted; undefined for the first one. */
  readonly known: string | undefined
  note(state: string): Promise<void>
}

/**
 * A place for files outside of the server, opened with the secrets of a storage. Keys are made by the server: folders
 * and a name, without `.` and `..`. Every call throws `StorageFailure`.
 */
export interface ObjectStore {
  /**
   * Stores a file of the data folder; replaces an object of that key. Streams it, large files in parts: with a memory, the
   * next attempt sends only the parts that are missing, otherwise a failed attempt leaves no parts behind.
   */
  put(key: string, file: LocalFile, signal: AbortSignal, memory?: UploadMemory): Promise<void>
  /** Gives up an upload in parts that was noted, so that its parts take no space. */
  abandon?(key: string, known: string, signal: AbortSignal): Promise<void>
  /** The size of an object. Bytes; undefined when there is none. */
  size(key: string, signal: AbortSignal): Promise<number | undefined>
  /** The bytes of an object, at most those of the range. The caller ends the stream. Undefined when there is none. */
  read(key: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable | undefined>
  /** Deletes an object; one that is not there is no error. */
  remove(key: string, signal: AbortSignal): Promise<void>
  close(): void
}

/** Bytes of an answer about objects that are read at most; lists of parts need less. What an object contains is streamed. */
const longestAnswer = 16 * 1024 * 1024

/**
 * The bytes of an answer, cut off with a failure where a server sends more than it should.
 * @param most bytes; of an answer that a library parses whole, which takes a second for each megabyte of hostile XML
 */
export const bounded = (address: string, most = longestAnswer): Transform => {
  let read = 0
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      read += part.length
      done(read > most ? new StorageFailure('too_large', { address }) : null, part)
    },
  })
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/** Any error of a driver as a failure; its text never comes from a library. */
export function failureOf(error: unknown, address: string): StorageFailure {
  if (error instanceof StorageFailure) return error
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code, name } = at as NodeJS.ErrnoException
    if (typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/.test(code))
      return new StorageFailure('untrusted', { address })
    if (typeof code === 'string' && unreachableCodes.has(code)) return new StorageFailure('unreachable', { address })
    if (name === 'TimeoutError' || name === 'AbortError') return new StorageFailure('timeout', { address })
  }
  return new StorageFailure('bad_answer', { address, reason: shortReason((error as Error)?.name ?? 'Error') })
}

/** The failure that an HTTP status of a storage means. */
export function statusFailure(status: number, address: string, container: string): StorageFailure {
  if (status === 401 || status === 403) return new StorageFailure('denied', { address })
  if (status === 404) return new StorageFailure('no_container', { container })
  if (status >= 500 || status === 429) return new StorageFailure('unavailable', { address, status })
  return new StorageFailure('bad_answer', { address, reason: `HTTP ${status}` })
}
