import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { cellNotation, cellText, type ImportTable, readFile, rowError, tableOf } from './import.ts'
import { createImport } from './import-task.ts'

vi.stubGlobal('document', { cookie: '' })
vi.stubGlobal('location', { hash: '' })
afterEach(() => vi.restoreAllMocks())

const name = { label: 'Name', field: 'name', secret: false, width: 100 }
const table = (): ImportTable => ({
  columns: [name],
  strangers: false,
  fields: { users: { type: 'list', label: 'Users' }, date_made: { type: 'datetime', read_only: true } },
  rows: [
    { index: 0, values: { name: 'a' }, state: 'pending' },
    { index: 1, values: { name: 'b' }, state: 'pending' },
    { index: 2, values: { name: 'c' }, state: 'ok' },
  ],
})
const answering = (...statuses: number[]) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const status = statuses.shift() ?? 201
    return new Response(status < 400 ? '{}' : '{"name":["taken"]}', { status })
  })

describe('parsing a file', () => {
  it('drops empty columns and clamps widths', () => {
    const { columns } = tableOf({
      title: [
        ['*Name', 'name'],
        ['Empty', 'empty'],
      ],
      data: [{ name: 'x'.repeat(50), empty: '' }],
    })
    expect(columns).toEqual([{ label: 'Name', field: 'name', secret: false, width: 180 }])
  })
  it('derives the type from the extension, whatever else the name contains', async () => {
    const fetched = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response('{"title":[],"data":[]}', { status: 200 }))
    for (const name of ['no csv.XLSX', 'users.xlsx.CSV']) await readFile('/api/x/', new File(['x'], name))
    const types = fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('content-type'))
    expect(types).toEqual(['text/xlsx', 'text/csv'])
  })
  it('tolerates a response without rows', () => {
    expect(tableOf({ title: [], data: {} as never }).rows).toEqual([])
  })
  it('shows objects by name, and joins lists', () => {
    expect(cellText([{ name: 'n' }, { value: 1, label: 'One' }])).toBe('n, One')
    expect(cellText([{ name: 'ssh', port: '22' }])).toBe('ssh/22')
    expect(cellText({ a: 1 })).toBe('{"a":1}')
  })
  it('is edited in the notation of files, a list as JSON if commas would be ambiguous', () => {
    const linux = { pk: 1, name: 'Linux' }
    expect([cellText(linux), cellNotation(linux), cellNotation({ name: 'ssh', port: '22' })]).toEqual([
      'Linux',
      'Linux(1)',
      'ssh/22',
    ])
    expect(cellNotation([linux, { pk: 'x', name: 'Web' }])).toBe('Linux(1), Web(x)')
    expect(cellNotation([{ pk: 1, name: 'a, b' }])).toBe('["a, b(1)"]')
    expect([cellNotation({ a: 1 }), cellNotation(null), cellNotation(true)]).toEqual(['{"a":1}', '', 'true'])
  })
})

describe('the import', () => {
  it('sends only pending rows, keeps failed ones, and sends those again on continue', async () => {
    const fetched = answering(400, 201)
    const task = createImport('/api/x/', 'create', table(), 0)
    expect(await task.start()).toBe(1)
    expect(task.phase()).toBe('done')
    expect(task.counts).toEqual({ ok: 2, error: 1, pending: 0, failed: 1 })
    expect(task.rows[0]?.state).toEqual({ text: 'Name: taken', fields: ['name'] })
    task.edit(0, name, 'z')
    // Corrected is not accepted: the row still counts as failed.
    expect(task.counts).toEqual({ ok: 2, error: 0, pending: 1, failed: 1 })
    fetched.mockImplementation(async (url) =>
      String(url).includes('render') ? new Response('{"title":[],"data":[{"name":"Z"}]}') : new Response('{}'),
    )
    expect(await task.start()).toBe(0)
    expect(task.counts.failed).toBe(0)
    const [, , read, sent] = fetched.mock.calls
    expect(read?.[0]).toBe('/api/x/render-to-json/')
    expect(await new Response(read?.[1]?.body).text()).toBe('"name"\n"z"\n')
    expect(JSON.parse(String(sent?.[1]?.body))).toEqual({ name: 'Z' })
  })
  it('omits a cleared cell, as an empty cell of a file', async () => {
    const fetched = answering(201, 201)
    const task = createImport('/api/x/', 'create', table(), 0)
    task.edit(0, name, ' ')
    await task.start()
    expect(JSON.parse(String(fetched.mock.calls[0]?.[1]?.body))).toEqual({})
  })
  it('adds a column for a field with an error that is missing in the file', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      async () => new Response('{"users":["required"],"date_made":["no"],"why_not":["odd"]}', { status: 400 }),
    )
    const task = createImport('/api/x/', 'create', table(), 0)
    await task.start()
    expect(task.columns().map(({ field }) => field)).toEqual(['name', 'users'])
    expect(task.rows[0]?.state).toMatchObject({ text: 'Users: required; Date made: no; Why not: odd' })
  })
  it('stops between rows and continues there', async () => {
    const fetched = answering()
    const task = createImport('/api/x/', 'create', table(), 0)
    const unsubscribe = task.subscribe(() => task.counts.pending === 1 && task.stop())
    await task.start()
    expect([task.phase(), task.progress(), fetched.mock.calls.length]).toEqual(['stopped', 67, 1])
    unsubscribe()
    await task.start()
    expect([task.phase(), task.progress()]).toEqual(['done', 100])
  })
  it('updates by PATCH of the row', async () => {
    const fetched = answering(200)
    const rows: ImportTable = {
      columns: [],
      strangers: false,
      fields: {},
      rows: [{ index: 0, values: { id: '7' }, state: 'pending' }],
    }
    await createImport('/api/x/?a=1', 'update', rows, 0).start()
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/x/7/?a=1')
    expect(fetched.mock.calls[0]?.[1]?.method).toBe('PATCH')
  })
  it('takes a corrected secret as plain text', async () => {
    const secret = { label: 'Password', field: 'password', secret: true, width: 100 }
    const fetched = answering()
    const task = createImport('/api/x/', 'create', { ...table(), columns: [name, secret] }, 0)
    task.edit(0, secret, '123456')
    await task.start()
    expect(JSON.parse(String(fetched.mock.calls[0]?.[1]?.body))).toEqual({ name: 'a', password: '123456' })
  })
  it('falls back to the message of an error without fields', () => {
    expect(rowError(new ApiError(403, { detail: 'no' }, 'no'), table())).toEqual({ text: 'no', fields: [] })
  })
})
