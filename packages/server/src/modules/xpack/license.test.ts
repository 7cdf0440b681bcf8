import { startServer, type TestServer } from '@castellan/testing/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueLicense } from './license.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const told = () => server.admin.request<Record<string, unknown>>('GET', '/api/v1/xpack/license/detail')

it('a licence without a limit tells the largest number of 32 bits, one with a limit its own', async () => {
  expect(await told()).toMatchObject({ asset_count: 2_147_483_647, current_asset_count: 0 })
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
    expect(await told()).toMatchObject({ asset_count })
  }
})
