import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { cellText, type ImportTable, parseCell, progress, rowError, run, tableOf } from './import.ts'

vi.stubGlobal('document', { cookie: '' })
vi.stubGlobal('location', { hash: '' })
afterEach(() => vi.restoreAllMocks())

const table = (): ImportTable => ({
  columns: [{ label: 'Name', field: 'name', secret: false, width: 100 }],
  rows: [
    { index: 0, values: { name: 'a' }, state: 'pending' },
    { index: 1, values: { name: 'b' }, state: 'pending' },
    { index: 2, values: { name: 'c' }, state: 'ok' },
  ],
})

describe('reading a file', () => {
  it('drops empty columns and clamps widths', async () => {
    const { columns } = await tableOf({
      title: [
        ['*Name', 'name'],
        ['Empty', 'empty'],
      ],
      data: [{ name: 'x'.repeat(50), empty: '' }],
    })
    expect(columns).toEqual([{ label: 'Name', field: 'name', secret: false, width: 180 }])
  })
  it('survives an answer without rows', async () => {
    expect((await tableOf({ title: [], data: {} as never })).rows).toEqual([])
  })
  it('shows objects by name, lists joined', () => {
    expect(cellText([{ name: 'n' }, { value: 1, label: 'One' }])).toBe('n, One')
    expect(cellText({ a: 1 })).toBe('{"a":1}')
  })
  it('takes a corrected cell as JSON when it is', () => {
    expect([parseCell('[1]'), parseCell('plain'), parseCell('true')]).toEqual([[1], 'plain', true])
  })
})

describe('the run', () => {
  it('sends only pending rows, tells each outcome, and goes on after a refusal', async () => {
    const answers = [new Response('{"name":["taken"]}', { status: 400 }), new Response('{}', { status: 201 })]
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answers.shift() as Response)
    const told: unknown[] = []
    await run(
      '/api/x/',
      'create',
      table(),
      (index, state) => told.push([index, state]),
      () => false,
    )
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(told).toEqual([
      [0, { error: 'Name: taken' }],
      [1, 'ok'],
    ])
  })
  it('stops between rows', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}', { status: 201 }))
    const told: number[] = []
    await run(
      '/api/x/',
      'create',
      table(),
      (index) => told.push(index),
      () => told.length > 0,
    )
    expect(told).toEqual([0])
  })
  it('updates by PATCH of the row', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))
    await run(
      '/api/x/?a=1',
      'update',
      { columns: [], rows: [{ index: 0, values: { id: '7' }, state: 'pending' }] },
      () => {},
      () => false,
    )
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/x/7/?a=1')
    expect(fetched.mock.calls[0]?.[1]?.method).toBe('PATCH')
  })
  it('counts what is no longer pending', () => {
    expect(progress(table().rows)).toBe(33)
    expect(progress([])).toBe(0)
  })
  it('falls back to the sentence of an error without fields', () => {
    expect(rowError(new ApiError(403, { detail: 'no' }, 'no'), [])).toBe('no')
  })
})
