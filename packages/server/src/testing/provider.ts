import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handle = (request: IncomingMessage, answer: ServerResponse, path: string) => void

/** An HTTP server that speaks the part of a provider's API that a test needs. */
export interface PretendProvider {
  url: string
  /** Path and query of the requests, and their authorization. */
  requests: { path: string; authorization: string }[]
  handle: Handle
  close(): Promise<void>
}

export async function startProvider(handle: Handle): Promise<PretendProvider> {
  const provider: PretendProvider = { url: '', requests: [], handle, close: async () => undefined }
  const server = createServer((request, answer) => {
    const path = request.url ?? '/'
    provider.requests.push({ path, authorization: request.headers.authorization ?? '' })
    provider.handle(request, answer, path)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider.close = () =>
    new Promise((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return provider
}

export const json = (answer: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void =>
  void answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export interface PretendNode {
  uid: string
  name: string
  address?: string
  os?: string
}

/** A page of `v1.NodeList`, in the form in which the API of Kubernetes 1.31 answers. */
export const nodeList = (nodes: readonly PretendNode[], next = '') => ({
  kind: 'NodeList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '1', continue: next },
  items: nodes.map(({ uid, name, address, os = 'linux' }) => ({
    metadata: { name, uid, labels: { 'kubernetes.io/os': os } },
    status: {
      addresses: [...(address ? [{ type: 'InternalIP', address }] : []), { type: 'Hostname', address: name }],
    },
  })),
})

/** Answers `GET /api/v1/nodes` with these nodes, some at a time. */
export const servingNodes =
  (nodes: () => readonly PretendNode[], pageSize = 500): Handle =>
  (_request, answer, path) => {
    const from = Number(new URL(path, 'http://x').searchParams.get('continue') ?? 0)
    const all = nodes()
    const until = from + pageSize
    json(answer, nodeList(all.slice(from, until), until < all.length ? String(until) : ''))
  }
