import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { cellText, type ImportTable, parseCell, readFile, rowError, tableOf } from './import.ts'
import { createImport } from './import-task.ts'

vi.stubGlobal('document', { cookie: '' })
vi.stubGlobal('location', { hash: '' })
afterEach(() => vi.restoreAllMocks())

const name = { label: 'Name', field: 'name', secret: false, width: 100 }
const table = (): ImportTable => ({
  columns: [name],
  strangers: false,
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

describe('reading a file', () => {
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
  it('says what kind it is by how its name ends, whatever else the name tells', async () => {
    const fetched = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response('{"title":[],"data":[]}', { status: 200 }))
    for (const name of ['no csv.XLSX', 'users.xlsx.CSV']) await readFile('/api/x/', new File(['x'], name))
    const types = fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('content-type'))
    expect(types).toEqual(['text/xlsx', 'text/csv'])
  })
  it('survives an answer without rows', () => {
    expect(tableOf({ title: [], data: {} as never }).rows).toEqual([])
  })
  it('shows objects by name, lists joined', () => {
    expect(cellText([{ name: 'n' }, { value: 1, label: 'One' }])).toBe('n, One')
    expect(cellText([{ name: 'ssh', port: '22' }])).toBe('ssh/22')
    expect(cellText({ a: 1 })).toBe('{"a":1}')
  })
  it('takes a corrected cell as JSON when it is', () => {
    expect([parseCell('[1]'), parseCell('plain'), parseCell('true')]).toEqual([[1], 'plain', true])
  })
})

describe('the import', () => {
  it('sends only pending rows, keeps what was refused, and sends that again when it is continued', async () => {
    const fetched = answering(400, 201)
    const task = createImport('/api/x/', 'create', table(), 0)
    expect(await task.start()).toBe(1)
    expect(task.phase()).toBe('done')
    expect(task.counts).toEqual({ ok: 2, error: 1, pending: 0 })
    expect(task.rows[0]?.state).toEqual({ text: 'Name: taken', fields: ['name'] })
    task.edit(0, name, 'z')
    expect(task.counts).toEqual({ ok: 2, error: 0, pending: 1 })
    expect(await task.start()).toBe(0)
    expect(fetched).toHaveBeenCalledTimes(3)
    expect(JSON.parse(String(fetched.mock.calls[2]?.[1]?.body))).toEqual({ name: 'z' })
  })
  it('stops between rows and goes on where it stopped', async () => {
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
      rows: [{ index: 0, values: { id: '7' }, state: 'pending' }],
    }
    await createImport('/api/x/?a=1', 'update', rows, 0).start()
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/x/7/?a=1')
    expect(fetched.mock.calls[0]?.[1]?.method).toBe('PATCH')
  })
  it('takes a corrected secret as the text it is', () => {
    const secret = { label: 'Password', field: 'password', secret: true, width: 100 }
    const task = createImport('/api/x/', 'create', table(), 0)
    task.edit(0, secret, '123456')
    expect(task.rows[0]?.values.password).toBe('123456')
  })
  it('falls back to the sentence of an error without fields', () => {
    expect(rowError(new ApiError(403, { detail: 'no' }, 'no'), [])).toEqual({ text: 'no', fields: [] })
  })
})
