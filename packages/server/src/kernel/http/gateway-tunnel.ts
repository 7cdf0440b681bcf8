import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Tunnel } from './sockets.ts'

/** Paths that the gateway answers behind the server's address. */
export const gatewayPrefix = '/koko/'

/** Hop-by-hop headers (RFC 9110 §7.6.1). */
const perHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function forwarded(request: IncomingMessage): Record<string, string> {
  const secure = 'encrypted' in request.socket
  return { 'x-forwarded-for': request.socket.remoteAddress ?? '', 'x-forwarded-proto': secure ? 'https' : 'http' }
}

/** After the upgrade the two sockets are piped into each other; terminal bytes are not processed here. */
export function gatewayTunnel(port: number, addressOf: (request: IncomingMessage) => string): Tunnel {
  return {
    prefix: gatewayPrefix,
    connect(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const upstream = connect(port, '127.0.0.1')
      const headers: string[] = []
      const own = { ...forwarded(request), 'x-forwarded-for': addressOf(request) }
      for (let at = 0; at < request.rawHeaders.length; at += 2) {
        const name = request.rawHeaders[at] ?? ''
        if (!(name.toLowerCase() in own)) headers.push(`${name}: ${request.rawHeaders[at + 1]}`)
      }
      for (const [name, value] of Object.entries(own)) headers.push(`${name}: ${value}`)
      upstream.once('connect', () => {
        upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
        if (head.length > 0) upstream.write(head)
        if ('setNoDelay' in socket) (socket as Socket).setNoDelay(true)
        upstream.setNoDelay(true)
        upstream.pipe(socket)
        socket.pipe(upstream)
      })
      upstream.on('error', () => {
        if (upstream.connecting || upstream.bytesRead === 0)
          socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
        else socket.destroy()
      })
      socket.on('close', () => upstream.destroy())
      upstream.on('close', () => socket.end())
    },
  }
}

/** Proxies ordinary requests to the gateway, streaming both ways. */
export function proxyToGateway(
  app: FastifyInstance,
  port: number,
  addressOf: (request: IncomingMessage) => string,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${gatewayPrefix}*`, (request, reply) => {
      reply.hijack()
      const raw = request.raw
      const headers = { ...raw.headers, ...forwarded(raw), 'x-forwarded-for': addressOf(raw) }
      const upstream = httpRequest(
        { host: '127.0.0.1', port, method: raw.method, path: raw.url, headers },
        (answer) => {
          const kept = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !perHop.has(name)))
          reply.raw.writeHead(answer.statusCode ?? 502, kept)
          answer.pipe(reply.raw)
          answer.on('error', () => reply.raw.destroy())
        },
      )
      upstream.on('error', () => {
        if (reply.raw.headersSent) reply.raw.destroy()
        else
          reply.raw
            .writeHead(502, { 'content-type': 'application/json' })
            .end(
              JSON.stringify({ detail: 'The connection component does not answer; try again shortly.', code: 'error' }),
            )
      })
      reply.raw.on('close', () => upstream.destroy())
      raw.pipe(upstream)
    })
  })
}
