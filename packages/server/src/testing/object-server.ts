import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** Whether a request carries signature version 4 by these keys, for this region, as it is documented. */
function isSigned(request: IncomingMessage, body: Buffer, secret: string, region: string): boolean {
  const { headers, method, url = '/' } = request
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/
  const [, day = '', scope, names = '', signature = ''] = pattern.exec(headers.authorization ?? '') ?? []
  if (scope !== region || !names.split(';').includes('host')) return false
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false
  const { pathname, searchParams } = new URL(url, 'http://x')
  const query = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, pathname, query.join('&'), lines.join(''), names, payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${region}/s3/aws4_request`, sha256(canonical)]
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return timingSafeEqual(hmac(key, text.join('\n')), Buffer.from(signature, 'hex'))
}

interface Options {
  bucket: string
  secret: string
  region: string
  /** The domain before which the bucket must be; without one it is in the path. */
  domain?: string
}

interface Upload {
  key: string
  parts: Map<number, Buffer>
}

/**
 * A server with the protocol of S3 as Alibaba, Huawei and Tencent document that they accept it: the bucket in the host
 * name, signature version 4, no chunked signatures, no checksums in trailers. It keeps everything in memory.
 */
export class ScriptedObjectServer {
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, Upload>()
  /** What was asked, such as `PUT part 2`. */
  readonly asked: string[] = []
  /** A status that is answered instead of doing what is asked. */
  refuse: (asked: string) => number | undefined = () => undefined
  readonly #options: Options
  readonly #server: Server

  constructor(options: Options) {
    this.#options = options
    this.#server = createServer((request, answer) => {
      void this.#handle(request, answer).catch(() => answer.destroy())
    })
  }

  /** Starts to listen. Returns the port. */
  async start(): Promise<number> {
    await new Promise<void>((settle) => this.#server.listen(0, '127.0.0.1', settle))
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((settle) => this.#server.close(settle))
  }

  /** The key that a request is about; undefined when it is not for the bucket. */
  #keyOf({ headers, url = '/' }: IncomingMessage): string | undefined {
    const { bucket, domain } = this.#options
    const path = decodeURIComponent(new URL(url, 'http://x').pathname).slice(1)
    if (domain) return headers.host?.split(':')[0] === `${bucket}.${domain}` ? path : undefined
    return path.startsWith(`${bucket}/`) ? path.slice(bucket.length + 1) : undefined
  }

  async #handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const refuse = (status: number, code: string) => answer.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    const { secret, region } = this.#options
    if (request.headers['content-encoding'] || request.headers['x-amz-trailer'])
      return void refuse(400, 'NotImplemented')
    if (!isSigned(request, body, secret, region)) return void refuse(403, 'SignatureDoesNotMatch')
    const key = this.#keyOf(request)
    if (key === undefined) return void refuse(404, 'NoSuchBucket')
    const query = new URL(request.url ?? '/', 'http://x').searchParams
    const part = query.get('partNumber')
    const what = query.has('uploads') ? ' begin' : part ? ` part ${part}` : query.has('uploadId') ? ' upload' : ''
    const asked = `${request.method}${what}`
    this.asked.push(asked)
    const status = this.refuse(asked)
    if (status) return void refuse(status, 'SlowDown')
    if (query.has('uploads') || query.has('uploadId')) return this.#handleUpload(request, answer, { key, query, body })
    if (request.method === 'PUT') this.objects.set(key, body)
    const found = this.objects.get(key)
    if (request.method === 'DELETE') {
      this.objects.delete(key)
      return void answer.writeHead(204).end()
    }
    if (!found) return void refuse(404, 'NoSuchKey')
    if (request.method !== 'GET')
      return void answer.writeHead(200, request.method === 'HEAD' ? { 'content-length': found.length } : {}).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const sent = start === undefined ? found : found.subarray(Number(start), Number(end) + 1)
    answer.writeHead(start === undefined ? 200 : 206, { 'content-length': sent.length }).end(sent)
  }

  #handleUpload(
    request: IncomingMessage,
    answer: ServerResponse,
    { key, query, body }: { key: string; query: URLSearchParams; body: Buffer },
  ): void {
    if (query.has('uploads')) {
      const id = randomUUID()
      this.uploads.set(id, { key, parts: new Map() })
      answer.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
      return
    }
    const id = String(query.get('uploadId'))
    const upload = this.uploads.get(id)
    const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
    if (upload?.key !== key) answer.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>')
    else if (request.method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body)
      answer.writeHead(200, { etag: tagOf(body) }).end()
    } else if (request.method === 'GET') {
      const parts = [...upload.parts].map(
        ([number, bytes]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>${tagOf(bytes)}</ETag><Size>${bytes.length}</Size></Part>`,
      )
      answer.end(`<ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`)
    } else if (request.method === 'DELETE') {
      this.uploads.delete(id)
      answer.writeHead(204).end()
    } else {
      const numbers = Array.from(body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g), ([, one]) => Number(one))
      this.objects.set(key, Buffer.concat(numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0))))
      this.uploads.delete(id)
      answer.end('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
    }
  }
}
