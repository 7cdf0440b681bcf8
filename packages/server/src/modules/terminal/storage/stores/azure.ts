import { createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { guardedLookup } from '../../../../kernel/security/outgoing-addresses.ts'
import { failureOf, type ObjectStore, StorageFailure, silencePatience, statusFailure } from './object-store.ts'

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
  file?: { path: string; size: number }
  signal: AbortSignal
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

/**
 * A container of Azure Blob Storage, by its HTTP API.
 * @param base the address of the account, if it is not the public one
 */
export function openAzure(details: AzureDetails, base?: string): ObjectStore {
  const { ACCOUNT_NAME: account, CONTAINER_NAME: container, ENDPOINT_SUFFIX: suffix } = details
  const root = new URL(base ?? `https://${account}.blob.${suffix}/`)
  const key = Buffer.from(details.ACCOUNT_KEY, 'base64')

  async function send({ method, key: name, headers = {}, file, signal }: Asked): Promise<IncomingMessage> {
    const path = `${root.pathname}${container}/${name.split('/').map(encodeURIComponent).join('/')}`
    const url = new URL(path, root)
    const sent: Record<string, string> = {
      'x-ms-date': new Date().toUTCString(),
      'x-ms-version': version,
      ...(file ? { 'content-length': String(file.size) } : {}),
      ...headers,
    }
    const signature = createHmac('sha256', key)
      .update(textToSign(method, sent, `/${account}${url.pathname}`))
      .digest('base64')
    sent.authorization = `SharedKey ${account}:${signature}`
    const ask = url.protocol === 'https:' ? tlsRequest : plainRequest
    const request = ask(url, { method, headers: sent, signal, lookup: guardedLookup, timeout: silencePatience })
    request.on('timeout', () => request.destroy(new StorageFailure('timeout', { address: root.host })))
    const answered = new Promise<IncomingMessage>((settle, fail) => request.on('response', settle).on('error', fail))
    try {
      // A refusal comes before the file is read, and ends its stream.
      const written = file ? pipeline(createReadStream(file.path), request) : Promise.resolve(request.end())
      written.catch(() => undefined)
      return await answered
    } catch (error) {
      throw failureOf(error, root.host)
    }
  }

  /** Sends a request whose answer has no body of interest. Undefined for 404. */
  async function done(asked: Asked): Promise<IncomingMessage | undefined> {
    const answer = await send(asked)
    answer.resume()
    const status = answer.statusCode ?? 0
    // A container that does not exist is 404 too, and named by a header.
    if (status === 404 && answer.headers['x-ms-error-code'] !== 'ContainerNotFound') return undefined
    if (status < 200 || status > 299) throw statusFailure(status, root.host, container)
    return answer
  }

  return {
    async put(name, file, signal) {
      const headers = { 'x-ms-blob-type': 'BlockBlob' }
      if (!(await done({ method: 'PUT', key: name, file, headers, signal })))
        throw new StorageFailure('no_container', { container })
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
      answer.resume()
      if (status === 404 && answer.headers['x-ms-error-code'] !== 'ContainerNotFound') return undefined
      throw statusFailure(status, root.host, container)
    },
    async remove(name, signal) {
      await done({ method: 'DELETE', key: name, signal })
    },
    close: () => undefined,
  }
}
