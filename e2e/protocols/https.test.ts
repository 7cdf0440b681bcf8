import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith, requirePart } from '@castellan/testing/parts'
import { type Product, startProduct } from '@castellan/testing/product'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

/** One request that trusts only the given certificate, under the name it was made for. */
function ask(product: Product, certificate: string, method: string, path: string, body?: unknown, token?: string) {
  return new Promise<{
    status: number | undefined
    json: Record<string, unknown>
    headers: IncomingHttpHeaders
  }>((settle, fail) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const asked = request(
      new URL(path, product.url),
      { method, headers, ca: certificate, servername: 'castellan.example' },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.on('end', () =>
          settle({
            status: answer.statusCode,
            headers: answer.headers,
            json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
          }),
        )
      },
    )
    asked.on('error', fail)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

describeWith('openssl', 'HTTPS by a certificate of one’s own', () => {
  let product: Product
  let certificate: string
  const folder = mkdtempSync(join(tmpdir(), 'castellan-tls-'))

  beforeAll(async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const subject = ['-subj', '/CN=castellan.example', '-addext', 'subjectAltName=DNS:castellan.example']
    const words = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      ...subject,
    ]
    execFileSync(requirePart('openssl'), [...words, '-keyout', key, '-out', cert], { stdio: 'pipe' })
    certificate = readFileSync(cert, 'utf8')
    product = await startProduct({ env: { CASTELLAN_TLS_CERT: cert, CASTELLAN_TLS_KEY: key } })
  })
  afterAll(async () => {
    await product?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('serves the API under the name in the certificate', async () => {
    expect(product.url).toMatch(/^https:/)
    expect((await ask(product, certificate, 'GET', '/api/health/')).status).toBe(200)
  })

  it('tells browsers to come by HTTPS alone, on every answer, and keeps cookies to it', async () => {
    for (const path of ['/api/health/', '/core/auth/login/', '/ui/', '/nowhere', '/api/v1/users/profile/']) {
      const { headers } = await ask(product, certificate, 'GET', path)
      expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=15552000'])
      for (const cookie of headers['set-cookie'] ?? [])
        expect([path, cookie]).toEqual([path, expect.stringContaining('Secure')])
    }
  })

  it('has its own gateway registered and alive', async () => {
    const credentials = { username: 'admin', password: product.adminPassword }
    const { json } = await ask(product, certificate, 'POST', '/api/v1/authentication/auth/', credentials)
    await vi.waitFor(async () => {
      const list = await ask(
        product,
        certificate,
        'GET',
        '/api/v1/terminal/terminals/?limit=15',
        undefined,
        String(json.token),
      )
      expect(list.json.results).toContainEqual(
        expect.objectContaining({ name: expect.stringContaining('KoKo'), is_alive: true }),
      )
    }, 30_000)
  })
})
