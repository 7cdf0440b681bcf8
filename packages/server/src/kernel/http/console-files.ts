import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, normalize, sep } from 'node:path'
import { pageElementId, pagePlaceholder } from '@castellan/contract/signin-page'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * Content security policy of our pages: same origin only, no inline script. Inline styles are allowed because the
 * component library sets them.
 */
export const pagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; font-src 'self' data:; worker-src 'self' blob:; frame-src 'self'; frame-ancestors 'self'; base-uri 'self'; form-action 'self'; object-src 'none'"

export function pageHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', pagePolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-cache')
}

/** A built page with data for its script embedded; `<` is escaped, so that no text can close the element. */
export function pageWith(dir: string, file: string, page: unknown): string {
  const html = readFileSync(join(dir, file), 'utf8')
  const json = JSON.stringify(page).replaceAll('<', '\\u003c')
  return html.replace(pagePlaceholder, () => `<script type="application/json" id="${pageElementId}">${json}</script>`)
}

/**
 * Serves the built console, pre-compressed; files with a hash in their name are cached forever. Assets are below
 * `/static/`, so that the sign-in pages and the web terminal work even when another console is mounted at `/ui/`.
 */
export function serveConsole(app: FastifyInstance, dir: string): void {
  const sendFile = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const file = normalize(join(dir, name))
    if (!file.startsWith(dir + sep) || !existsSync(file) || !statSync(file).isFile()) return reply.callNotFound()
    const type = types[extname(file)] ?? 'application/octet-stream'
    if (type.startsWith('text/html')) pageHeaders(reply)
    else
      reply.header(
        'cache-control',
        name.startsWith('static/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    reply.header('content-type', type).header('vary', 'accept-encoding')
    const accepted = String(request.headers['accept-encoding'] ?? '')
    if (accepted.includes('br') && existsSync(`${file}.br`))
      return reply.header('content-encoding', 'br').send(createReadStream(`${file}.br`))
    return reply.send(createReadStream(file))
  }
  app.get('/ui/', (request, reply) => sendFile(request, reply, 'index.html'))
  app.get('/ui/*', (request, reply) => {
    const name = (request.params as { '*': string })['*']
    return sendFile(request, reply, extname(name) ? name : 'index.html')
  })
  app.get('/luna/*', (request, reply) => sendFile(request, reply, 'terminal.html'))
  app.get('/static/*', (request, reply) =>
    sendFile(request, reply, `static/${(request.params as { '*': string })['*']}`),
  )
  app.get('/favicon.ico', (request, reply) => sendFile(request, reply, 'favicon.ico'))
}
