import { randomUUID } from 'node:crypto'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type SearchServer, startSearchServer } from '@castellan/testing/search-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportCommands } from '../../../testing/commands.ts'
import { fetchAs, gatewayWith, startSession } from '../../../testing/recordings.ts'
import { ScriptedSearchServer, searchServers } from '../../../testing/search-server.ts'
import { directRun, startServer, type TestServer } from '../../../testing/server.ts'
import { storeCommands } from './store-commands.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const url = '/api/v1/terminal/command-storages/'
const list = '/api/v1/terminal/commands/'
const create = (name: string, host: string, INDEX_BY_DATE: boolean) =>
  server.admin.request<AnyRow>('POST', `${url}?type=es`, {
    name,
    type: 'es',
    meta: { HOSTS: [host], INDEX: name, INDEX_BY_DATE },
  })
const send = () => storeCommands.run(server.context(), {}, directRun())
const inputsOf = (rows: AnyRow[]) => rows.map(({ input }) => String(input)).sort()
const commands = (query: string, client = server.admin) => client.request<AnyRow[]>('GET', `${list}?${query}`)
const newName = () => `es-${randomUUID().slice(0, 8)}`
const indexesOf = (name: string, daily: boolean) => [daily ? `${name}-${new Date().toISOString().slice(0, 10)}` : name]

/** What every search server must do, whether it is scripted or real. */
async function storesAndFinds(host: string, indexes: () => Promise<string[]>, daily: boolean): Promise<void> {
  const name = newName()
  const { id } = await create(name, host, daily)
  expect(await server.admin.request('GET', `${url}${id}/test-connective/`)).toMatchObject({ is_valid: true })
  const gateway = await gatewayWith(server, { command_storage: name })
  const session = await startSession(gateway)
  await reportCommands(gateway, session, ['ls -l', 'rm -rf /', 'cat *?', 'echo hi'])
  await send()
  expect(await server.admin.request('GET', `${url}${id}/`)).toMatchObject({ waiting: 0, problem: '' })
  expect((await indexes()).filter((index) => index.startsWith(name))).toEqual(indexesOf(name, daily))
  const at = `command_storage_id=${id}`
  const rows = await commands(at)
  expect(rows).toHaveLength(4)
  const removal = rows.find(({ input }) => input === 'rm -rf /')
  expect(removal).toMatchObject({ user: 'Ada(ada)', remote_addr: '10.9.9.9', risk_level: { value: 5 }, session })
  expect(inputsOf(await commands(`session_id=${session}`))).toEqual(['cat *?', 'echo hi', 'ls -l', 'rm -rf /'])
  expect(inputsOf(await commands(`${at}&risk_level=5`))).toEqual(['rm -rf /'])
  expect(inputsOf(await commands(`${at}&input=${encodeURIComponent('*?')}`))).toEqual(['cat *?'])
  expect(inputsOf(await commands(`${at}&search=ECHO`))).toEqual(['echo hi'])
  expect(inputsOf(await commands(`${at}&user=Ad&asset=10.0&account=root(root)`))).toHaveLength(4)
  expect(await commands(`${at}&user=Bob`)).toEqual([])
  expect(await commands(`${at}&date_to=2020-01-01T00:00:00Z`)).toEqual([])
  const page = await server.admin.request<AnyRow>('GET', `${list}?${at}&limit=3&offset=2`)
  expect(page).toMatchObject({ count: 4, results: [expect.anything(), expect.anything()] })
  const beyond = await server.admin.request<AnyRow>('GET', `${list}?${at}&limit=3&offset=20000`)
  expect(beyond).toMatchObject({ count: 4, results: [] })
  const tree = await server.admin.request<AnyRow[]>('GET', `${url}tree/?risk_level=5`)
  expect(tree.find((node) => node.id === id)).toMatchObject({ valid: true, name: expect.stringMatching(/\(1\)$/) })
  const file = await fetchAs(server, server.admin, `${list}?${at}&format=csv`)
  expect((await file.text()).split('\n').filter((line) => line.includes('10.0.0.1'))).toHaveLength(4)
  const row = await server.admin.request<AnyRow>('GET', `/api/v1/terminal/sessions/${session}/`)
  expect(row.command_amount).toBe(4)
}

const title = 'stores commands, lists, filters, counts and exports them (daily indexes: %s)'

describe.each(Object.keys(searchServers) as (keyof typeof searchServers)[])('a scripted %s', (kind) => {
  it.each([false, true])(title, async (daily) => {
    const search = new ScriptedSearchServer(kind)
    const host = await search.start()
    try {
      await storesAndFinds(host, async () => [...search.indexes.keys()], daily)
    } finally {
      await search.stop()
    }
  })
})

describeWith('opensearch', 'a real OpenSearch 2', () => {
  let search: SearchServer
  beforeAll(async () => {
    search = await startSearchServer()
  })
  afterAll(() => search?.stop())

  it.each([false, true])(title, (daily) => storesAndFinds(search.host, search.indexes, daily))

  it('finds the end of the longest command, and texts of all scripts', async () => {
    const name = newName()
    const { id } = await create(name, search.host, false)
    const gateway = await gatewayWith(server, { command_storage: name })
    const session = await startSession(gateway)
    const long = `${'𠮷'.repeat(2000)} hidden at the end`
    await reportCommands(gateway, session, [long, 'echo 日本語 "C:\\Temp"'])
    await send()
    expect(await server.admin.request('GET', `${url}${id}/`)).toMatchObject({ waiting: 0, problem: '' })
    const at = `command_storage_id=${id}&input=`
    expect(await commands(`${at}hidden`)).toHaveLength(1)
    for (const text of ['本語', 'C:\\temp', '"'])
      expect(inputsOf(await commands(at + encodeURIComponent(text))), text).toHaveLength(1)
  })

  it('keeps one document of a command that is sent twice, and waits for what it rejects', async () => {
    const name = newName()
    // An index that somebody has made, with another type for a field.
    const keyword = { type: 'keyword' }
    const properties = { id: keyword, session: keyword, org_id: keyword, output: { type: 'ip' } }
    await search.call('PUT', `/${name}`, { mappings: { properties } })
    const { id } = await create(name, search.host, false)
    const gateway = await gatewayWith(server, { command_storage: name })
    const session = await startSession(gateway)
    const twice = { id: randomUUID(), output: '10.0.0.1' }
    await reportCommands(gateway, session, ['good'], twice)
    await send()
    await reportCommands(gateway, session, ['good'], twice)
    await reportCommands(gateway, session, ['bad'])
    await send()
    expect(await server.admin.request('GET', `${url}${id}/`)).toMatchObject({
      waiting: 1,
      problem: expect.stringContaining('mapper_parsing_exception'),
    })
    expect(inputsOf(await commands(`session_id=${session}`))).toEqual(['good'])
  })

  it('shows an administrator of another organization nothing', async () => {
    const name = newName()
    const { id } = await create(name, search.host, true)
    const gateway = await gatewayWith(server, { command_storage: name })
    const session = await startSession(gateway)
    await reportCommands(gateway, session, ['secret-of-default'])
    await send()
    const elsewhere = await server.organization('Elsewhere')
    const roles = { system: [roleIds.user], org: [roleIds.orgAuditor], orgId: elsewhere }
    const theirs = await server.as(await server.person('Eve', roles), elsewhere)
    expect(await commands(`command_storage_id=${id}`)).toHaveLength(1)
    expect(await commands(`command_storage_id=${id}`, theirs)).toEqual([])
    expect(await commands(`session_id=${session}`, theirs)).toEqual([])
  })

  it('gets the commands of the database, day by day', async () => {
    const name = newName()
    const { id } = await create(name, search.host, true)
    const gateway = await gatewayWith(server, { command_storage: 'default' })
    const session = await startSession(gateway, { date_start: new Date(Date.now() - 3 * 86_400_000).toISOString() })
    const days = [1, 0].map((ago) => Math.floor(Date.now() / 1000) - ago * 86_400)
    for (const timestamp of days) await reportCommands(gateway, session, [`at ${timestamp}`], { timestamp })
    const { task } = await server.admin.request<{ task: string }>('POST', `${url}${id}/migrate/`)
    const state = async () => {
      const jobs = server.context().rawDb.selectFrom('kernel_job').select('state').where('id', '=', task)
      return (await jobs.executeTakeFirst())?.state
    }
    await expect.poll(state, { timeout: 20_000 }).toBe('SUCCESS')
    const expected = days.map((timestamp) => `at ${timestamp}`)
    expect(inputsOf(await commands(`command_storage_id=${id}&session_id=${session}`))).toEqual(expected)
    const dates = days.map((seconds) => `${name}-${new Date(seconds * 1000).toISOString().slice(0, 10)}`)
    expect((await search.indexes()).filter((index) => index.startsWith(name))).toEqual(dates)
  })
})
