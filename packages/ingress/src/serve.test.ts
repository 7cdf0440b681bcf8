import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectByTls } from 'node:tls'
import { errors } from '@castellan/contract/messages/errors'
import { newCertificate } from '@castellan/testing/certificates'
import { describeWith, itWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { acceptFromIngress } from './accept.ts'
import { type DoorOptions, openIngress } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'castellan-door-'))
const socket = join(folder, 'program')
const open: Server[] = []
const program = createServer((asked, answer) => answer.end(`${asked.socket.remoteAddress} ${asked.url}`))

beforeAll(async () => {
  open.push(await acceptFromIngress(socket, program))
})
afterAll(() => {
  for (const server of open) server.close()
  program.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

async function door(options: Partial<DoorOptions> = {}): Promise<number> {
  const server = await openIngress({ host: '127.0.0.1', port: 0, behind: () => [socket], ...options })
  open.push(server)
  return (server.address() as AddressInfo).port
}

function newPair() {
  const { certificate, key, remove } = newCertificate()
  remove()
  return { cert: Buffer.from(certificate), key: Buffer.from(key) }
}

/** One request on a new connection. */
function ask(asking: typeof request, port: number, path: string, more: object = {}) {
  return new Promise<{ status: number | undefined; location: string | undefined; text: string }>((settle, fail) => {
    const asked = asking({ host: '127.0.0.1', port, path, agent: false, ...more }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => settle({ status: answer.statusCode, location: answer.headers.location, text }))
    })
    asked.on('error', fail).end()
  })
}

it('forwards admitted clients to the program with their address', async () => {
  expect(await ask(get, await door(), '/a?b')).toMatchObject({ status: 200, text: '127.0.0.1 /a?b' })
  for (const target of ['/a?', '//a/../%2f?', '/%zz??'])
    expect(await ask(get, await door(), target)).toMatchObject({ status: 200, text: `127.0.0.1 ${target}` })
})

it('takes the next program where one does not accept, and waits for none before it has tried all', async () => {
  const port = await door({ behind: () => ['/nowhere/at-all.sock', socket] })
  expect(await ask(get, port, '/a')).toMatchObject({ status: 200 })
})

it('forwards any method, and rejects bytes that cannot start a request', async () => {
  const port = await door()
  for (const method of ['QUERY', 'M-SEARCH'])
    expect(await ask(request, port, '/a', { method })).toMatchObject({ status: 200 })
  const said = async (text: string) => {
    const guest = connect(port, '127.0.0.1', () => guest.write(text))
    const [answer] = await once(guest, 'data')
    guest.destroy()
    return String(answer).split('\r\n')[0]
  }
  for (const text of ['\u0016\u0003\u0001', ' ', '\r\n', 'GET /\r\n'])
    expect([text, await said(text)]).toEqual([text, 'HTTP/1.1 400 Bad Request'])
})

it('serves others while many idle connections are open', async () => {
  const port = await door()
  const guests = Array.from({ length: 500 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  await Promise.all(guests.map((guest) => once(guest, 'connect')))
  expect(await ask(get, port, '/a')).toMatchObject({ status: 200 })
  for (const guest of guests) guest.destroy()
})

it('accepts plain HTTP only from admitted clients, and reports rejected ones', async () => {
  const port = await door({ admits: (address) => address !== '127.0.0.1' })
  const refused = await ask(request, port, '/', { method: 'POST' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('127.0.0.1 is none of them')
})

itWith('openssl', 'serves HTTPS, and redirects browsers from plain HTTP', async () => {
  const port = await door({ tls: newPair(), admits: () => false })
  expect(await ask(requestByTls as typeof request, port, '/a', { rejectUnauthorized: false })).toMatchObject({
    status: 200,
    text: '127.0.0.1 /a',
  })
  const host = `castellan.example:${port}`
  expect(await ask(request, port, '/core/?x=1', { headers: { host } })).toMatchObject({
    status: 308,
    location: `https://${host}/core/?x=1`,
  })
  expect(await ask(request, port, '/', { method: 'POST' })).toMatchObject({ status: 400, location: undefined })
})

describeWith('openssl', 'HTTPS under attack', () => {
  let port: number
  let tls: ReturnType<typeof newPair>
  beforeAll(async () => {
    tls = newPair()
    port = await door({ tls })
  })
  const lax = { rejectUnauthorized: false, ciphers: 'DEFAULT@SECLEVEL=0' }
  const serves = async (more: object = {}) =>
    expect(await ask(requestByTls as typeof request, port, '/a', { ...lax, ...more })).toMatchObject({ status: 200 })
  const outcome = (options: object) =>
    new Promise<string>((settle) => {
      const guest = connectByTls({ host: '127.0.0.1', port, ...lax, ...options }, () => {
        settle(guest.getProtocol() ?? 'none')
        guest.destroy()
      })
      guest.on('error', () => settle('refused'))
    })
  /** The response to bytes, until the connection ends. */
  const answered = (bytes: string | Buffer) =>
    new Promise<string>((settle) => {
      let text = ''
      const guest = connect(port, '127.0.0.1', () => guest.write(bytes))
      guest.on('data', (part) => {
        text += part.toString('latin1')
      })
      guest.on('error', () => undefined).on('close', () => settle(text))
    })

  it('accepts TLS 1.2 and 1.3 only, with HTTP/1.1', async () => {
    for (const version of ['TLSv1', 'TLSv1.1'])
      expect([version, await outcome({ minVersion: version, maxVersion: version })]).toEqual([version, 'refused'])
    for (const version of ['TLSv1.2', 'TLSv1.3'])
      expect([version, await outcome({ minVersion: version, maxVersion: version })]).toEqual([version, version])
    expect(await outcome({ ALPNProtocols: ['h2'] })).toBe('refused')
    // Without forward secrecy, without authenticated encryption, without either.
    for (const ciphers of ['kRSA', 'ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA384', 'AES128-SHA', 'aNULL:eNULL'])
      expect([ciphers, await outcome({ ciphers: `${ciphers}@SECLEVEL=0`, maxVersion: 'TLSv1.2' })]).toEqual([
        ciphers,
        'refused',
      ])
    await serves()
  })

  it('rejects renegotiation on an open connection', async () => {
    const guest = connectByTls({ host: '127.0.0.1', port, ...lax, maxVersion: 'TLSv1.2' })
    await once(guest, 'secureConnect')
    const said = await new Promise((settle) => {
      guest.on('error', (error) => settle(error.message)).on('close', () => settle('closed'))
      guest.renegotiate({ rejectUnauthorized: false }, (error) => settle(error?.message ?? 'renegotiated'))
    })
    expect(said).not.toBe('renegotiated')
    guest.destroy()
    await serves()
  })

  it('accepts any host name, and rejects an invalid handshake', async () => {
    for (const servername of ['x', 'a'.repeat(63), 'xn--80ak6aa92e.com', '_', '..'])
      expect([servername, await outcome({ servername })]).toEqual([servername, 'TLSv1.3'])
    const huge = Buffer.concat([Buffer.from([0x16, 3, 1, 0xff, 0xff]), Buffer.alloc(65_535, 0x41)])
    for (const bytes of [huge, Buffer.from('\x16garbage\r\n\r\n', 'latin1')])
      expect(await answered(bytes)).not.toMatch(/HTTP/)
    await serves()
  })

  it('redirects only to valid hosts, and rejects invalid requests at once', async () => {
    const asked = (host: string, path = '/') => answered(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
    for (const host of ['example.org', 'example.org:8443', '[::1]:80', '10.0.0.1'])
      expect(await asked(host)).toContain(`location: https://${host}/\r\n`)
    const wrong = ['a/b', 'user@evil', 'a?b', 'a#b', 'a b', '"', '<x>', 'a:b', '', 'a\tb', '[x]', 'é', '.a']
    for (const host of wrong)
      expect([host, (await asked(host)).split('\r\n')[0]]).toEqual([host, 'HTTP/1.1 400 Bad Request'])
    for (const path of ['//evil.example', '/\\evil.example', '/?next=//x'])
      expect(await asked('example.org', path)).toContain(`location: https://example.org${path}\r\n`)
    for (const bytes of ['\u0000', '\r\n', ' GET / HTTP/1.1'])
      expect([bytes, (await answered(bytes)).split('\r\n')[0]]).toEqual([bytes, 'HTTP/1.1 400 Bad Request'])
    const plain = await asked('example.org')
    expect(plain.toLowerCase()).not.toContain('strict-transport-security')
  })

  it('closes a handshake after half a minute, however slowly its bytes arrive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const slow = await door({ tls })
      const guests = Array.from({ length: 3 }, () =>
        connect(slow, '127.0.0.1')
          .on('error', () => undefined)
          .resume(),
      )
      await Promise.all(guests.map((guest) => once(guest, 'connect')))
      const done = connectByTls({ host: '127.0.0.1', port: slow, ...lax })
      await once(done, 'secureConnect')
      for (const byte of [0x16, 3, 1, 2]) {
        for (const guest of guests) guest.write(Buffer.from([byte]))
        await new Promise((settle) => setImmediate(settle))
        await vi.advanceTimersByTimeAsync(7000)
      }
      expect(guests.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
      const gone = guests.map((guest) => once(guest, 'close'))
      // After the handshake, the timeout of the first line applies.
      done.write('GET /a HTTP/1.1\r\nhost: x\r\n\r\n')
      expect(String((await once(done, 'data'))[0])).toContain('200 OK')
      await vi.advanceTimersByTimeAsync(3000)
      await Promise.all(gone)
      done.destroy()
    } finally {
      vi.useRealTimers()
    }
  })
})

it('closes a connection without a first line after half a minute, whether silent or slow', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const port = await door()
    const guests = ['', 'G', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'].map((first) => {
      const guest = connect(port, '127.0.0.1', () => guest.write(first))
      return guest.on('error', () => undefined).resume()
    })
    const [silent, slow, quick] = guests as [(typeof guests)[0], (typeof guests)[0], (typeof guests)[0]]
    await once(quick, 'data')
    await vi.advanceTimersByTimeAsync(29_000)
    slow.write('E')
    await new Promise((settle) => setImmediate(settle))
    expect(guests.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
    const gone = [once(silent, 'close'), once(slow, 'close')]
    await vi.advanceTimersByTimeAsync(2000)
    await Promise.all(gone)
    expect(quick.destroyed).toBe(false)
    quick.destroy()
  } finally {
    vi.useRealTimers()
  }
})

describe('an ingress whose program does not restart', () => {
  let closed: Server
  let url = ''
  beforeAll(async () => {
    closed = await openIngress({ host: '127.0.0.1', port: 0, behind: () => ['/nowhere/at-all.sock'] })
    url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/ui/`
  })
  afterAll(() => closed.close())

  it('responds to browsers with a reloading page in their language, and to clients with an API error', async () => {
    const html = { accept: 'text/html,*/*;q=0.8' }
    const [page, chosen, told, taiwan] = await Promise.all([
      fetch(url, { headers: { ...html, 'accept-language': 'ja,en;q=0.5' } }),
      fetch(url, { headers: { ...html, 'accept-language': 'ja', cookie: 'a=1; django_language=en' } }),
      fetch(url, { headers: { accept: 'application/json', 'accept-language': 'zh-CN' } }),
      fetch(url, { headers: { accept: 'application/json', 'accept-language': 'zh-TW' } }),
    ])
    for (const answer of [page, chosen, told, taiwan]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    expect([page, chosen, told, taiwan].map(({ headers }) => headers.get('content-language'))).toEqual([
      ...['ja', 'en', 'zh-hans', 'zh-hant'],
    ])
    const text = await page.text()
    expect(text).toContain(errors.program_restarting.ja)
    expect(text).toMatch(/<html lang="ja">.*http-equiv="refresh"/)
    expect(await chosen.text()).toContain(errors.program_restarting.en)
    expect(await told.json()).toEqual({ code: 'service_unavailable', detail: errors.program_restarting.zh })
  }, 20_000)
})
