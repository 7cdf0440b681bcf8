import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errors } from '@castellan/contract/messages/errors'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { acceptFromDoor } from './accept.ts'
import { type DoorOptions, openFrontDoor } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'castellan-door-'))
const socket = join(folder, 'program')
const open: Server[] = []
const program = createServer((asked, answer) => answer.end(`${asked.socket.remoteAddress} ${asked.url}`))

beforeAll(async () => {
  open.push(await acceptFromDoor(socket, program))
})
afterAll(() => {
  for (const server of open) server.close()
  program.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

async function door(options: Partial<DoorOptions> = {}): Promise<number> {
  const server = await openFrontDoor({ host: '127.0.0.1', port: 0, behind: () => socket, ...options })
  open.push(server)
  return (server.address() as AddressInfo).port
}

/** One request on a connection of its own. */
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

it('joins whoever may come with the program behind, and tells it who that is', async () => {
  expect(await ask(get, await door(), '/a?b')).toMatchObject({ status: 200, text: '127.0.0.1 /a?b' })
  for (const target of ['/a?', '//a/../%2f?', '/%zz??'])
    expect(await ask(get, await door(), target)).toMatchObject({ status: 200, text: `127.0.0.1 ${target}` })
})

it('leaves any method to the program behind, and refuses at once what no request begins with', async () => {
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

it('serves others while many hold connections on which they say nothing', async () => {
  const port = await door()
  const guests = Array.from({ length: 500 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  await Promise.all(guests.map((guest) => once(guest, 'connect')))
  expect(await ask(get, port, '/a')).toMatchObject({ status: 200 })
  for (const guest of guests) guest.destroy()
})

it('answers in the clear only those it admits, and names who it refused', async () => {
  const port = await door({ admits: (address) => address !== '127.0.0.1' })
  const refused = await ask(request, port, '/', { method: 'POST' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('127.0.0.1 is none of them')
})

it('speaks HTTPS, and shows a browser that came in the clear the way', async () => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x']
  execFileSync('openssl', [...words, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const port = await door({ tls: { cert: readFileSync(cert), key: readFileSync(key) }, admits: () => false })
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

it('waits half a minute for the first line, whether somebody says nothing or a letter now and then', async () => {
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

describe('a front door whose program does not come back', () => {
  let closed: Server
  let url = ''
  beforeAll(async () => {
    closed = await openFrontDoor({ host: '127.0.0.1', port: 0, behind: () => '/nowhere/at-all.sock' })
    url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/ui/`
  })
  afterAll(() => closed.close())

  it('answers a browser with a page in its language that looks again, and a program with an error of the API', async () => {
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
