import { get } from 'node:http'
import { type Client, confirmed, signIn } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { type Product, startProduct } from '@castellan/testing/product'
import { signInForCookies } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import WebSocket from 'ws'

const patience = { timeout: 30_000, interval: 200 }
const api = '/api/v1/'

describeWith(['postgresql'], 'two servers on one machine', () => {
  let postgres: Postgres
  let product: Product
  let admin: Client
  beforeAll(async () => {
    postgres = await startPostgres()
    product = await startProduct({ env: { DATABASE_URL: postgres.createDatabase(), CASTELLAN_SERVERS: '2' } })
    admin = await signIn(product.url, 'admin', product.adminPassword)
  })
  afterAll(async () => {
    await product?.stop()
    await postgres?.stop()
  })

  /** A request on a connection of its own: the servers take turns. */
  const ask = (path: string, headers: object = admin.proof('GET', path)) =>
    new Promise<{ status: number; body: string }>((settle, fail) => {
      get(new URL(path, product.url), { agent: false, headers: { ...headers } }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          body += part
        })
        answer.on('end', () => settle({ status: answer.statusCode ?? 0, body }))
      }).on('error', fail)
    })
  const askAll = (path: string, headers?: object) => Promise.all(Array.from({ length: 6 }, () => ask(path, headers)))
  const pidsOf = async () => {
    const programs: Record<string, { pid: number | undefined }> = (await product.status()).programs
    return [programs.server?.pid ?? 0, programs['server-2']?.pid ?? 0] as const
  }

  it('know the same users, sessions and settings', async () => {
    const cookie = await signInForCookies(product.url, 'admin', product.adminPassword)
    for (const { status } of await askAll(`${api}users/profile/`, { cookie })) expect(status).toBe(200)
    const sure = await confirmed(admin, product.adminPassword)
    await sure.request('PATCH', `${api}settings/setting/?category=basic`, { SITE_URL: 'https://two.example.com' })
    await vi.waitFor(async () => {
      for (const { body } of await askAll(`${api}settings/setting/?category=basic`))
        expect(body).toContain('two.example')
    }, patience)
  })

  it('count attempts at a password together', async () => {
    await admin
      .collection('users/users')
      .create({ name: 'Ada', username: 'ada', email: 'ada@example.com', password: 'Ada-her-word-1' })
    const attempt = async () => {
      const answer = await fetch(new URL(`${api}authentication/auth/`, product.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ username: 'ada', password: 'wrong' }),
      })
      return answer.text()
    }
    const said: string[] = []
    for (let at = 0; at < 9; at++) said.push(await attempt())
    expect(said.at(-1)).toContain('block')
  })

  it('tell each other what a page waits for', async () => {
    const cookie = await signInForCookies(product.url, 'admin', product.adminPassword)
    const sockets = await Promise.all(
      [0, 1].map(
        () =>
          new Promise<WebSocket>((settle, fail) => {
            const url = product.url.replace('http', 'ws')
            const socket = new WebSocket(`${url}/ws/notifications/site-msg/`, {
              headers: { cookie, origin: product.url },
            })
            socket.once('message', () => settle(socket)).once('error', fail)
          }),
      ),
    )
    const told = sockets.map((socket) => new Promise((settle) => socket.once('message', settle)))
    const [me] = await admin.collection('users/users').all({ username: 'admin' })
    await admin.request('POST', `${api}notifications/site-messages/send/`, {
      ...{ user_ids: [me?.id], subject: 'To both', message: 'Both servers know.' },
    })
    await Promise.all(told)
    for (const socket of sockets) socket.close()
  })

  it('stand in for each other: nobody notices that one of them was killed', async () => {
    for (const at of [0, 1] as const) {
      const before = await pidsOf()
      expect(before.every((pid) => pid > 0)).toBe(true)
      process.kill(before[at], 'SIGKILL')
      // Connections with it are lost; new ones find the other.
      await vi.waitFor(async () => expect((await pidsOf())[at]).not.toBe(before[at]), patience)
      for (const { status } of await askAll(`${api}users/profile/`)) expect(status).toBe(200)
      await product.ready()
    }
  })
})
