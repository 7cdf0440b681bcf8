import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayWith, startSession } from '../../../testing/recordings.ts'
import { ScriptedSearchServer } from '../../../testing/search-server.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const url = '/api/v1/terminal/command-storages/'
const list = '/api/v1/terminal/commands/'
const commandsIn = async (query: string) => {
  const rows = await server.admin.request<AnyRow[]>('GET', `${list}?${query}`)
  return rows.map(({ input }) => String(input)).sort()
}
const report = (gateway: Client, session: string, input: string, id = randomUUID()) =>
  gateway.request('POST', list, [
    {
      ...{ id, session, input, output: '', risk_level: 0, org_id: defaultOrgId },
      ...{ user: 'Ada(ada)', asset: 'web-1(10.0.0.1)', account: 'root(root)' },
      timestamp: Math.floor(Date.now() / 1000),
    },
  ])

describe('the commands in the database', () => {
  it('are moved to a storage as a task, day by day, and leave what it rejects', async () => {
    const search = new ScriptedSearchServer('OpenSearch 2')
    const host = await search.start()
    try {
      const name = `es-${randomUUID().slice(0, 8)}`
      const { id } = await server.admin.request<AnyRow>('POST', `${url}?type=es`, {
        name,
        type: 'es',
        meta: { HOSTS: [host], INDEX: name, INDEX_BY_DATE: true },
      })
      const gateway = await gatewayWith(server, { command_storage: 'default' })
      const session = await startSession(gateway, { date_start: new Date(Date.now() - 3_600_000).toISOString() })
      const bad = randomUUID()
      for (const input of ['first', 'second', 'third']) await report(gateway, session, input)
      await report(gateway, session, 'bad', bad)
      const before = await amountOf('default')
      search.rejected.add(bad)
      const run = async () => {
        const { task } = await server.admin.request<{ task: string }>('POST', `${url}${id}/migrate/`)
        const state = async () => {
          const jobs = server.context().rawDb.selectFrom('kernel_job').select('state').where('id', '=', task)
          return (await jobs.executeTakeFirst())?.state
        }
        await expect.poll(state, { timeout: 20_000 }).toMatch(/SUCCESS|FAILURE/)
        return state()
      }
      expect(await run()).toBe('FAILURE')
      expect(await commandsIn(`session_id=${session}`)).toEqual(['bad', 'first', 'second', 'third'])
      expect(await commandsIn(`command_storage_id=${id}&session_id=${session}`)).toEqual(['first', 'second', 'third'])
      expect(await amountOf('default')).toBeLessThanOrEqual(before - 3)
      search.rejected.clear()
      expect(await run()).toBe('SUCCESS')
      expect(await amountOf('default')).toBe(0)
      expect(await commandsIn(`session_id=${session}`)).toEqual(['bad', 'first', 'second', 'third'])
      const [own] = await server.admin.collection('terminal/command-storages').all({ name: 'default' })
      await expect(server.admin.request('POST', `${url}${own?.id}/migrate/`)).rejects.toMatchObject({ status: 400 })
    } finally {
      await search.stop()
    }
  })

  const amountOf = async (name: string) => {
    const tree = await server.admin.request<AnyRow[]>('GET', `${url}tree/`)
    return Number(/\((\d+)\)$/.exec(String(tree.find((node) => String(node.name).startsWith(`${name}(`))?.name))?.[1])
  }
})
