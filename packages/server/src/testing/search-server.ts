import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Doc = Record<string, unknown>
type Condition = Record<string, Record<string, unknown>>

/** Kinds of search servers, by what they say of themselves. */
export const searchServers = {
  'Elasticsearch 7': { number: '7.17.22' },
  'Elasticsearch 8': { number: '8.14.1' },
  'OpenSearch 2': { number: '2.15.0', distribution: 'opensearch' },
} as const

/**
 * A scripted search server on a real socket: it answers the calls for commands as the documentation of Elasticsearch
 * and OpenSearch describes them. It is not one of them.
 */
export class ScriptedSearchServer {
  readonly indexes = new Map<string, { docs: Map<string, Doc>; aliases: string[]; mappings: unknown }>()
  readonly seen: string[] = []
  /** Answers instead of the usual one. */
  override: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Ids of commands that `_bulk` rejects. */
  readonly rejected = new Set<string>()
  private readonly version: object
  private readonly server = createServer((request, response) => void this.serve(request, response))

  constructor(kind: keyof typeof searchServers) {
    this.version = searchServers[kind]
  }

  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    return `http://castellan:s3cret-word@127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  get docs(): Doc[] {
    return [...this.indexes.values()].flatMap(({ docs }) => [...docs.values()])
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const { pathname } = new URL(request.url ?? '/', 'http://search.invalid')
    this.seen.push(`${request.method} ${pathname}`)
    if (this.override?.(request, response)) return
    const credentials = Buffer.from('castellan:s3cret-word').toString('base64')
    const [status, body] =
      request.headers.authorization === `Basic ${credentials}`
        ? this.answer(request.method ?? '', decodeURIComponent(pathname.slice(1)), text)
        : [401, { error: { type: 'security_exception' } }]
    response.writeHead(Number(status), { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  private answer(method: string, path: string, text: string): [number, object] {
    if (path === '') return [200, { name: 'scripted', version: this.version }]
    if (path === '_bulk') return [200, this.bulk(text)]
    const [name = '', call] = path.split('/')
    if (call === '_search') return [200, this.search(name, JSON.parse(text))]
    const known = this.indexes.has(name)
    if (method === 'HEAD') return [known ? 200 : 404, {}]
    if (known) return [400, { error: { type: 'resource_already_exists_exception' } }]
    const { aliases = {}, mappings } = JSON.parse(text) as { aliases?: object; mappings: unknown }
    this.indexes.set(name, { docs: new Map(), aliases: Object.keys(aliases), mappings })
    return [200, { acknowledged: true }]
  }

  private bulk(text: string): object {
    const lines = text.trimEnd().split('\n')
    const items: object[] = []
    for (let at = 0; at + 1 < lines.length; at += 2) {
      const { index } = JSON.parse(lines[at] ?? '') as { index: { _index: string; _id: string } }
      const isRejected = this.rejected.has(index._id)
      if (!isRejected) this.indexes.get(index._index)?.docs.set(index._id, JSON.parse(lines[at + 1] ?? '') as Doc)
      const error = isRejected ? { error: { type: 'mapper_parsing_exception' } } : {}
      items.push({ index: { _id: index._id, status: isRejected ? 400 : 201, ...error } })
    }
    return { errors: this.rejected.size > 0, items }
  }

  private search(
    name: string,
    asked: {
      from: number
      size: number
      query: { bool: { filter: Condition[] } }
      sort: Record<string, { order: string }>[]
    },
  ): object {
    const found = [...this.indexes]
      .filter(([index, { aliases }]) => index === name || aliases.includes(name))
      .flatMap(([, { docs }]) => [...docs])
      .filter(([, doc]) => asked.query.bool.filter.every((condition) => fits(doc, condition)))
    found.sort(([, one], [, other]) => {
      for (const sort of asked.sort)
        for (const [field, { order }] of Object.entries(sort)) {
          const [a, b] = [one[field], other[field]] as [number, number]
          if (a !== b) return (a < b ? -1 : 1) * (order === 'desc' ? -1 : 1)
        }
      return 0
    })
    const hits = found.slice(asked.from, asked.from + asked.size).map(([_id, _source]) => ({ _id, _source }))
    return { hits: { total: { value: found.length, relation: 'eq' }, hits } }
  }
}

function fits(doc: Doc, condition: Condition): boolean {
  const [kind = '', fields = {}] = Object.entries(condition)[0] ?? []
  const [name = '', wanted] = Object.entries(fields)[0] ?? []
  const value = doc[name.replace('.keyword', '')]
  const { value: pattern, gte, lte } = Object(wanted) as { value: string; gte?: number; lte?: number }
  if (kind === 'term') return value === wanted
  if (kind === 'prefix') return String(value).startsWith(pattern)
  if (kind === 'range') return Number(value) >= (gte ?? 0) && Number(value) <= (lte ?? Number.POSITIVE_INFINITY)
  const text = pattern.slice(1, -1).replace(/\\(.)/g, '$1')
  return String(value).toLowerCase().includes(text.toLowerCase())
}
