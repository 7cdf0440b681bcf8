import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError } from '@castellan/testing/client'
import { freePort } from '@castellan/testing/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportCommands } from '../../../testing/commands.ts'
import { gatewayWith, startSession } from '../../../testing/recordings.ts'
import { ScriptedSearchServer } from '../../../testing/search-server.ts'
import { directRun, startServer, type TestServer } from '../../../testing/server.ts'
import { storeCommands } from './store-commands.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const url = '/api/v1/terminal/command-storages/'
const list = '/api/v1/terminal/commands/'
const create = (name: string, host: string, more: object = {}) =>
  server.admin.request<AnyRow>('POST', `${url}?type=es`, {
    name,
    type: 'es',
    meta: { HOSTS: [host], INDEX: name, INDEX_BY_DATE: false, ...more },
  })
const stored = (id: unknown) => server.admin.request<AnyRow>('GET', `${url}${id}/`)
const test = (id: unknown) => server.admin.request<AnyRow>('GET', `${url}${id}/test-connective/`)
const send = () => storeCommands.run(server.context(), {}, directRun())

const inputsOf = (rows: AnyRow[]) => rows.map(({ input }) => String(input)).sort()
const commands = (query: string, client = server.admin) => client.request<AnyRow[]>('GET', `${list}?${query}`)

describe('a component that writes to daily indexes by itself', () => {
  it('finds the index of today with the alias by which it is read, and waits for none that is away', async () => {
    const search = new ScriptedSearchServer('Elasticsearch 7')
    const host = await search.start()
    const name = `es-${randomUUID().slice(0, 8)}`
    await create(name, host, { INDEX_BY_DATE: true })
    const gateway = await gatewayWith(server, { command_storage: name })
    search.indexes.clear()
    const config = () => gateway.request<AnyRow>('GET', '/api/v1/terminal/terminals/config/')
    const { INDEX } = Object((await config()).TERMINAL_COMMAND_STORAGE)
    expect(search.indexes.get(INDEX)).toMatchObject({ aliases: [`${name}-alias`] })
    const asked = search.seen.length
    await config()
    expect(search.seen).toHaveLength(asked)
    await search.stop()
    await server.context().services.kv.delete(`terminal:daily-index:${await idOf(name)}`)
    expect((await config()).TERMINAL_COMMAND_STORAGE).toMatchObject({ TYPE: 'es', INDEX })
  })

  const idOf = async (name: string) => (await server.admin.collection('terminal/command-storages').all({ name }))[0]?.id
})

describe('a command storage that is away', () => {
  it('is not saved, nor is an address of which nobody answers', async () => {
    const search = new ScriptedSearchServer('Elasticsearch 8')
    const host = await search.start()
    const name = `es-${randomUUID().slice(0, 8)}`
    const { id } = await create(name, host)
    const nobody = `http://127.0.0.1:${await freePort()}`
    for (const attempt of [
      create(`${name}-2`, nobody),
      create(`${name}-3`, host.replace('s3cret-word', 'wrong')),
      server.admin.request('PATCH', `${url}${id}/`, { meta: { HOSTS: [nobody] } }),
    ])
      await expect(attempt).rejects.toMatchObject({ status: 400, body: { code: 'invalid_elasticsearch' } })
    for (const HOSTS of [[], [7], 'x', null])
      await expect(server.admin.request('PATCH', `${url}${id}/`, { meta: { HOSTS } })).rejects.toMatchObject({
        status: 400,
      })
    await search.stop()
    expect(await stored(id)).toMatchObject({ meta: { HOSTS: [expect.stringContaining(new URL(host).host)] } })
    // What does not change how it is reached is saved while it is away.
    await server.admin.request('PATCH', `${url}${id}/`, { comment: 'away' })
  })

  it('loses nothing, says why, and gets each command once when it is back', async () => {
    const search = new ScriptedSearchServer('OpenSearch 2')
    const host = await search.start()
    const name = `es-${randomUUID().slice(0, 8)}`
    const { id } = await create(name, host)
    await search.stop()
    const gateway = await gatewayWith(server, { command_storage: name })
    const session = await startSession(gateway)
    const twice = { id: randomUUID() }
    await reportCommands(gateway, session, ['one'])
    await reportCommands(gateway, session, ['again'], twice)
    await reportCommands(gateway, session, ['again'], twice)
    await send()
    expect(await stored(id)).toMatchObject({ waiting: 2, problem: expect.stringContaining('cannot be reached') })
    expect(await test(id)).toMatchObject({ is_valid: false, msg: expect.stringContaining('cannot be reached') })
    await expect(commands(`command_storage_id=${id}`)).rejects.toMatchObject({
      status: 400,
      body: { code: 'storage_invalid' },
    })
    expect(await commands(`session_id=${session}`)).toEqual([])
    const tree = await server.admin.request<AnyRow[]>('GET', `${url}tree/`)
    expect(tree.find((node) => node.id === id)).toMatchObject({ valid: false })
    await server.admin.request('PATCH', `/api/v1/terminal/terminals/${(await terminalOf(name)).id}/`, {
      command_storage: 'default',
    })
    await expect(server.admin.request('DELETE', `${url}${id}/`)).rejects.toMatchObject({ status: 400 })
    const back = new ScriptedSearchServer('OpenSearch 2')
    await back.start(Number(new URL(host).port))
    try {
      await send()
      expect(await stored(id)).toMatchObject({ waiting: 0, problem: '' })
      await reportCommands(gateway, session, ['late'])
      expect(inputsOf(await commands(`session_id=${session}`))).toEqual(['again', 'late', 'one'])
      const [first] = (await server.admin.request<AnyRow>('GET', `${list}?session_id=${session}&limit=2&offset=2`))
        .results as AnyRow[]
      expect(first).toBeDefined()
      await server.admin.request('DELETE', `${url}${id}/`)
    } finally {
      await back.stop()
    }
  })

  const terminalOf = async (storage: string) => {
    const rows = await server.admin.collection('terminal/terminals').all()
    return rows.find((row) => row.command_storage === storage) as AnyRow
  }
})

describe('a hostile or broken search server', () => {
  it('neither fills the memory, nor shows commands of another organization, nor breaks the list', async () => {
    const search = new ScriptedSearchServer('Elasticsearch 8')
    const host = await search.start()
    try {
      const name = `es-${randomUUID().slice(0, 8)}`
      const { id } = await create(name, host)
      const answers: [string, RegExp | number][] = [
        ['not JSON', /like a storage of this type/],
        ['[]', /like a storage of this type/],
        ['{"hits":{"hits":7}}', /like a storage of this type/],
        [`{"hits":{"hits":[{"_id":7,"_source":null},{"_source":{"session":"' or 1"}},3]}}`, 0],
        [JSON.stringify({ hits: { total: 1e99, hits: [{ _id: 'a', _source: foreign() }] } }), 0],
        [JSON.stringify({ hits: { total: { value: -4 }, hits: [{ _id: 'a', _source: strange() }] } }), 1],
      ]
      for (const [text, expected] of answers) {
        search.override = (_request, response) => Boolean(response.writeHead(200).end(text))
        const answer = await commands(`command_storage_id=${id}`).catch((error: ApiError) => error)
        if (typeof expected === 'number') expect(answer, text).toHaveLength(expected)
        else {
          expect(answer, text).toBeInstanceOf(ApiError)
          expect((answer as ApiError).status).toBe(400)
          expect(JSON.stringify((answer as ApiError).body)).toMatch(expected)
        }
      }
      search.override = (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 'a')));
        }
        response.on('drain', more)
        more()
        return true
      }
      await expect(commands(`command_storage_id=${id}`)).rejects.toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('larger than expected') },
      })
      search.override = undefined
      const gateway = await gatewayWith(server, { command_storage: name })
      const session = await startSession(gateway)
      const bad = randomUUID()
      search.rejected.add(bad)
      await reportCommands(gateway, session, ['bad'], { id: bad })
      await reportCommands(gateway, session, ['good'])
      await send()
      expect(await stored(id)).toMatchObject({ waiting: 1, problem: expect.stringContaining('mapper_parsing') })
      expect(inputsOf(await commands(`session_id=${session}`))).toEqual(['good'])
    } finally {
      await search.stop()
    }
  })

  const foreign = () => ({ org_id: randomUUID(), session: randomUUID(), input: 'theirs', timestamp: 1 })
  const strange = () => ({
    org_id: defaultOrgId,
    session: randomUUID(),
    input: 'x'.repeat(100_000),
    risk_level: 99,
    timestamp: 9e18,
    user: { nested: true },
  })

  it('shows an administrator of another organization nothing, and its password to nobody but the component', async () => {
    const search = new ScriptedSearchServer('Elasticsearch 7')
    const host = await search.start()
    try {
      const name = `es-${randomUUID().slice(0, 8)}`
      const { id } = await create(name, host)
      const gateway = await gatewayWith(server, { command_storage: name })
      const session = await startSession(gateway)
      await reportCommands(gateway, session, ['secret-of-default'])
      await send()
      const elsewhere = await server.organization('Elsewhere')
      const roles = { system: [roleIds.user], org: [roleIds.orgAuditor], orgId: elsewhere }
      const theirs = await server.as(await server.person('Eve', roles), elsewhere)
      expect(await commands(`command_storage_id=${id}`, theirs)).toEqual([])
      expect(await commands(`session_id=${session}`, theirs)).toEqual([])
      const all = await server.admin.request<AnyRow>('GET', `${url}${id}/`)
      expect(JSON.stringify(all)).not.toContain('s3cret-word')
      const config = await gateway.request<AnyRow>('GET', '/api/v1/terminal/terminals/config/')
      expect(JSON.stringify(config.TERMINAL_COMMAND_STORAGE)).toContain('s3cret-word')
      search.override = (_request, response) =>
        Boolean(response.writeHead(200).end(JSON.stringify({ version: { number: '6.8.0' } })))
      expect(await test(id)).toMatchObject({ is_valid: false, msg: expect.stringContaining('6.8.0') })
    } finally {
      await search.stop()
    }
  })
})
