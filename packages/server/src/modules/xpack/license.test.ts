import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { issueLicense, isUnexpired, type License } from './license.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const detail = () => server.admin.request<Record<string, unknown>>('GET', '/api/v1/xpack/license/detail')

it('a license without a limit returns the largest 32-bit number, one with a limit its own', async () => {
  expect(await detail()).toMatchObject({ asset_count: 2_147_483_647, current_asset_count: 0 })
  for (const [assets, asset_count] of [
    [500, 500],
    [2 ** 40, 2_147_483_647],
    [null, 2_147_483_647],
  ] as const) {
    const form = new FormData()
    const facts = { corporation: 'Example', expires: null, assets, test: false }
    form.set('file', new Blob([issueLicense(server.application.services, facts)]), 'example.lic')
    const path = '/api/v1/xpack/license/import'
    const headers = server.admin.proof('POST', path)
    expect(await (await fetch(server.url + path, { method: 'POST', headers, body: form })).json()).toMatchObject({
      status: true,
    })
    expect(await detail()).toMatchObject({ asset_count })
  }
})

const until = (expires: number | null): License => ({
  id: '0c1f8e0a-0000-4000-8000-000000000001',
  corporation: 'Halden',
  issued: 0,
  expires,
  assets: null,
  test: false,
})

describe('a license', () => {
  it('is valid to the end of its last day, the displayed date', () => {
    const expires = Date.parse('2026-11-21T09:30:00Z')
    expect(isUnexpired(until(expires), Date.parse('2026-11-20T23:59:59Z'))).toBe(true)
    expect(isUnexpired(until(expires), Date.parse('2026-11-21T09:30:01Z'))).toBe(true)
    expect(isUnexpired(until(expires), Date.parse('2026-11-21T23:59:59Z'))).toBe(true)
    expect(isUnexpired(until(expires), Date.parse('2026-11-22T00:00:00Z'))).toBe(false)
    expect(isUnexpired(until(null), Date.parse('2999-01-01'))).toBe(true)
  })
})
