import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServerApi } from '../server-client/api.ts'
import { ServerHttp } from '../server-client/http.ts'
import { Approvals } from './approvals.ts'

const id = '01a215c2-fece-4d6c-96a9-8e1c1e0ed678'
const folder = mkdtempSync(join(tmpdir(), 'castellan-approvals-'))
let state = { status: 'open', state: 'pending', processor: '' }
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(state))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

it('notices a decision that was announced before its wait began', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const approvals = new Approvals(new ServerApi(new ServerHttp(origin)), folder, () => true)
  await approvals.open()
  // The reviewer is faster than the answer that tells this gateway of the ticket.
  state = { status: 'closed', state: 'approved', processor: 'decides' }
  approvals.lookAgain()
  const link = (method: string) => ({ method, url: `${origin}/api/v1/acls/review/${id}/` })
  const ticket = {
    ...{ check_ticket_api: link('GET'), close_ticket_api: link('DELETE') },
    ...{ ticket_detail_page_url: '', assignees: ['decides'] },
  }
  const outcome = await approvals.decision(ticket as never, new Promise(() => {}))
  expect(outcome).toEqual({ kind: 'approved', name: 'decides' })
}, 10_000)
