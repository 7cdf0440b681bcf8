import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A machine of a pretended cloud. */
export interface CloudMachine {
  id: string
  name: string
  address: string
  publicAddress: string
  isWindows: boolean
}

/** A request as a provider of the cloud center sent it. */
export interface CloudRequest {
  method: string
  /** The host that it was sent to. */
  host: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  body: string
}

export interface CloudReply {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export const reply = (body: unknown, status = 200, headers: Record<string, string> = {}): CloudReply => ({
  status,
  body,
  headers,
})

/** A public cloud that answers as its vendor documents it, and checks who asks. */
export interface PretendCloud {
  /** `provider` of its accounts. */
  provider: string
  /** Attributes of an account with which everything works. `url` is where the cloud answers. */
  attrs(url: string): Record<string, unknown>
  /** Attributes of which one is wrong. */
  wrong: Record<string, unknown>
  region: string
  /** A region of this form that it does not have. */
  strange: string
  /** The right that lists machines, as the message names it. */
  right: string
  /** Answers a request. */
  answer(request: CloudRequest, machines: readonly CloudMachine[], url: string): CloudReply
  /** Whether a request asks for machines. */
  isList(request: CloudRequest): boolean
  /** Its answers to somebody with too few rights, and to too many requests. */
  forbidden: CloudReply
  throttled: CloudReply
}

/** `count` machines, of which every tenth has Windows. */
export const someMachines = (prefix: string, count: number): CloudMachine[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${prefix}-${String(at).padStart(5, '0')}`,
    name: `${prefix}-web-${at}`,
    address: `10.21.${at >> 8}.${at & 255}`,
    publicAddress: `198.51.100.${at & 255}`,
    isWindows: at % 10 === 3,
  }))

type Fault = (request: CloudRequest, count: number) => CloudReply | 'hang' | 'cut' | undefined

/** A running cloud. */
export interface RunningCloud {
  url: string
  cloud: PretendCloud
  machines: CloudMachine[]
  /** Replaces answers to requests for machines; `count` counts these from 1. */
  fault: Fault | undefined
  requests: CloudRequest[]
  /** Forgets faults and requests. */
  reset(cloud: PretendCloud, machines: CloudMachine[]): void
  close(): Promise<void>
}

function send(answer: ServerResponse, { status, body, headers = {} }: CloudReply): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Starts an HTTP server that is one cloud after the other. */
export async function startCloud(first: PretendCloud): Promise<RunningCloud> {
  let lists = 0
  const running: RunningCloud = {
    url: '',
    cloud: first,
    machines: [],
    fault: undefined,
    requests: [],
    reset(cloud, machines) {
      lists = 0
      Object.assign(running, { cloud, machines, fault: undefined, requests: [] })
    },
    close: async () => undefined,
  }
  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://x')
      const request: CloudRequest = {
        method: incoming.method ?? '',
        host: incoming.headers.host ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers as Record<string, string>,
        body: Buffer.concat(parts).toString('utf8'),
      }
      running.requests.push(request)
      const isList = running.cloud.isList(request)
      if (isList) lists += 1
      const fault = isList ? running.fault?.(request, lists) : undefined
      if (fault === 'hang') return
      if (fault === 'cut') {
        answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' })
        answer.write('{"value": [', () => answer.destroy())
        return
      }
      send(answer, fault ?? running.cloud.answer(request, running.machines, running.url))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  running.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  running.close = () =>
    new Promise((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return running
}
