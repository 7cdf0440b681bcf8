import { createHmac, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { pipeline } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { pipeline as piped } from 'node:stream/promises'
import { guardedLookup } from '../../../../kernel/security/outgoing-addresses.ts'
import {
  bounded,
  failureOf,
  type LocalFile,
  type ObjectStore,
  StorageFailure,
  silencePatience,
  statusFailure,
  type UploadMemory,
} from './object-store.ts'
import { notedUpload, noteOf, type Part, partsOf } from './parts.ts'

export interface AzureDetails {
  CONTAINER_NAME: string
  ACCOUNT_NAME: string
  ACCOUNT_KEY: string
  ENDPOINT_SUFFIX: string
}

interface Asked {
  method: 'PUT' | 'GET' | 'HEAD' | 'DELETE'
  key: string
  headers?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  file?: LocalFile & { start?: number }
  text?: string
  signal: AbortSignal
}

interface Attempt {
  signal: AbortSignal
  memory: UploadMemory | undefined
}

/** The first version of the protocol that stores 5,000 MiB in one request. */
const version = '2019-12-12'

/** The text that "Shared Key" authorization signs: the method, standard headers, headers of Azure, and the resource. */
export function textToSign(method: string, headers: Readonly<Record<string, string>>, resource: string): string {
  const standard = ['content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type']
  const conditions = ['date', 'if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range']
  // A length of zero is signed as empty.
  const values = [...standard, ...conditions].map((name) =>
    name === 'content-length' && headers[name] === '0' ? '' : (headers[name] ?? ''),
  )
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${headers[name]}`)
  return [method, ...values, ...own, resource].join('\n')
}

/** Lets an answer end that says nothing more, so that its connection can be used again; an endless one is cut off. */
const discard = (answer: IncomingMessage): void => {
  pipeline(answer, bounded('-'), () => undefined).resume()
}

/** Fails at the end of a file that has become shorter: the server would wait for the rest until its patience ends. */
const exactly = (size: number, key: string) =>
  async function* counted(pieces: AsyncIterable<Buffer>) {
    let read = 0
    for await (const piece of pieces) {
      read += piece.length
      yield piece
    }
    if (read < size) throw new StorageFailure('altered', { key })
  }

/**
 * A container of Azure Blob Storage, by its HTTP API.
 * @param base the address of the account, if it is not the public one
 */
export function openAzure(details: AzureDetails, base?: string): ObjectStore {
  const { ACCOUNT_NAME: account, CONTAINER_NAME: container, ENDPOINT_SUFFIX: suffix } = details
  const root = new URL(base ?? `https://${account}.blob.${suffix}/`)
  const key = Buffer.from(details.ACCOUNT_KEY, 'base64')

  async function send(asked: Asked): Promise<IncomingMessage> {
    const { method, key: name, headers = {}, query = {}, file, text, signal } = asked
    const path = `${root.pathname}${container}/${name.split('/').map(encodeURIComponent).join('/')}`
    const url = new URL(path, root)
    const length = file?.size ?? (text === undefined ? undefined : Buffer.byteLength(text))
    const sent: Record<string, string> = {
      'x-ms-date': new Date().toUTCString(),
      'x-ms-version': version,
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      ...headers,
    }
    const parameters = Object.keys(query)
      .sort()
      .map((one) => `\n${one}:${query[one]}`)
    const signature = createHmac('sha256', key)
      .update(textToSign(method, sent, `/${account}${url.pathname}${parameters.join('')}`))
      .digest('base64')
    url.search = new URLSearchParams(query).toString()
    sent.authorization = `SharedKey ${account}:${signature}`
    const ask = url.protocol === 'https:' ? tlsRequest : plainRequest
    const request = ask(url, { method, headers: sent, signal, lookup: guardedLookup, timeout: silencePatience })
    request.on('timeout', () => request.destroy(new StorageFailure('timeout', { address: root.host })))
    const answered = new Promise<IncomingMessage>((settle, fail) => request.on('response', settle).on('error', fail))
    try {
      // A refusal comes before the file is read, and ends its stream.
      const { start = 0, size = 0 } = file ?? {}
      const isStreamed = file && size > 0
      const written = isStreamed
        ? piped(createReadStream(file.path, { start, end: start + size - 1 }), exactly(size, name), request)
        : Promise.resolve(request.end(text))
      written.catch(() => undefined)
      return await answered
    } catch (error) {
      throw failureOf(error, root.host)
    }
  }

  /** Sends a request whose answer has no body of interest. Undefined for 404. */
  async function done(asked: Asked): Promise<IncomingMessage | undefined> {
    const answer = await send(asked)
    discard(answer)
    const status = answer.statusCode ?? 0
    // A container that does not exist is 404 too, and named by a header.
    if (status === 404 && answer.headers['x-ms-error-code'] !== 'ContainerNotFound') return undefined
    if (status < 200 || status > 299) throw statusFailure(status, root.host, container)
    return answer
  }

  /** Sizes of the blocks of an unfinished upload, by their names. */
  async function waitingBlocks(name: string, signal: AbortSignal): Promise<Map<string, number>> {
    const query = { comp: 'blocklist', blocklisttype: 'uncommitted' }
    const answer = await send({ method: 'GET', key: name, query, signal })
    const status = answer.statusCode ?? 0
    if (status !== 200) {
      discard(answer)
      if (status === 404) return new Map()
      throw statusFailure(status, root.host, container)
    }
    const list = await textOf(pipeline(answer, bounded(root.host), () => undefined))
    const blocks = list.matchAll(/<Block><Name>([A-Za-z0-9+/=]{1,88})<\/Name><Size>(\d{1,12})<\/Size><\/Block>/g)
    return new Map(Array.from(blocks, ([, block = '', size]) => [block, Number(size)]))
  }

  /** Sends a file in blocks, one after the other, and puts them together. Blocks that are there are not repeated. */
  async function putInBlocks(name: string, file: LocalFile, parts: readonly Part[], asked: Attempt): Promise<void> {
    const { signal, memory } = asked
    const noted = notedUpload(memory?.known, file.size)
    const upload = noted ?? randomBytes(12).toString('hex')
    if (noted === undefined) await memory?.note(noteOf(upload, file.size))
    const before = noted === undefined ? new Map<string, number>() : await waitingBlocks(name, signal)
    // All names of a blob's blocks must have the same length.
    const blockOf = ({ number }: Part) => Buffer.from(`${upload}-${String(number).padStart(5, '0')}`).toString('base64')
    for (const part of parts) {
      const blockid = blockOf(part)
      if (before.get(blockid) === part.length) continue
      const query = { comp: 'block', blockid }
      const piece = { path: file.path, start: part.start, size: part.length }
      await demandDone({ method: 'PUT', key: name, query, file: piece, signal })
    }
    const names = parts.map((part) => `<Uncommitted>${blockOf(part)}</Uncommitted>`)
    const text = `<?xml version="1.0" encoding="utf-8"?><BlockList>${names.join('')}</BlockList>`
    await demandDone({ method: 'PUT', key: name, query: { comp: 'blocklist' }, text, signal })
  }

  /** The same as `done` for requests that need the container. */
  async function demandDone(asked: Asked): Promise<void> {
    if (!(await done(asked))) throw new StorageFailure('no_container', { container })
  }

  return {
    async put(name, file, signal, memory) {
      const parts = partsOf(file.size)
      if (parts.length > 1) return putInBlocks(name, file, parts, { signal, memory })
      const headers = { 'x-ms-blob-type': 'BlockBlob' }
      await demandDone({ method: 'PUT', key: name, file, headers, signal })
    },
    async size(name, signal) {
      const answer = await done({ method: 'HEAD', key: name, signal })
      return answer && Number(answer.headers['content-length'])
    },
    async read(name, range, signal) {
      const headers: Record<string, string> = range ? { 'x-ms-range': `bytes=${range.start}-${range.end}` } : {}
      const answer = await send({ method: 'GET', key: name, headers, signal })
      const status = answer.statusCode ?? 0
      if (status === 200 || status === 206) return answer
      discard(answer)
      if (status === 404 && answer.headers['x-ms-error-code'] !== 'ContainerNotFound') return undefined
      throw statusFailure(status, root.host, container)
    },
    async remove(name, signal) {
      await done({ method: 'DELETE', key: name, signal })
    },
    close: () => undefined,
  }
}
