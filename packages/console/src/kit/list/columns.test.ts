import { describe, expect, it } from 'vitest'
import type { Fields } from '../api/metadata.ts'
import { allColumns, filterFields, shownColumns } from './columns.ts'

const fields: Fields = {
  id: { type: 'string', label: 'ID', filter: true },
  name: { type: 'string', label: 'Name', order: true, filter: true },
  password: { type: 'string', label: 'Password', write_only: true },
  is_active: { type: 'boolean', label: 'Active', filter: true },
  type: { type: 'labeled_choice', label: 'Type', filter: true, choices: [{ value: 'a', label: 'A' }] },
  secret: { type: 'choice', label: 'S', filter: true, choices: [{ value: true, label: 'Yes' }] },
  actions: { type: 'list' },
}
const names = (columns: readonly { name: string }[]) => columns.map((column) => column.name)

describe('columns', () => {
  it('are all readable fields, declared ones first, without write-only and actions fields', () => {
    expect(names(allColumns(fields, { shown: ['name', 'type'] }))).toEqual([
      'name',
      'type',
      'id',
      'is_active',
      'secret',
    ])
  })
  it('can be excluded; virtual ones need a renderer or an entry in extra', () => {
    const columns = allColumns(fields, {
      shown: ['name'],
      exclude: ['id'],
      extra: ['length'],
      cells: { length: { render: () => null } },
    })
    expect(names(columns)).toContain('length')
    expect(names(columns)).not.toContain('id')
  })
  it('tolerate declared columns missing in the metadata', () => {
    const columns = names(allColumns(fields, { shown: ['name', 'system_roles'] }))
    expect(columns).toEqual(['name', 'id', 'is_active', 'type', 'secret'])
  })
  it("are the user's choice plus the fixed ones", () => {
    const all = allColumns(fields, { shown: ['name', 'type'] })
    expect(names(shownColumns(all, { shown: ['name', 'type'], fixed: ['name'] }, ['id']))).toEqual(['name', 'id'])
    expect(names(shownColumns(all, { shown: ['name', 'type'] }))).toEqual(['name', 'type'])
  })
  it('are sortable if the server supports it', () => {
    expect(allColumns(fields, { shown: [] }).filter((column) => column.sortable)).toHaveLength(1)
  })
})

describe('filters of the filter bar', () => {
  const filters = filterFields(fields, [{ field: 'search', label: 'own', editable: true }], ['id'], {
    yes: 'Y',
    no: 'N',
  })
  it('come from metadata and the screen, without excluded ones', () => {
    expect(filters.map((filter) => filter.field)).toEqual(['name', 'is_active', 'type', 'secret', 'search'])
  })
  it('offer yes and no for booleans, and spell boolean choices as the server does', () => {
    expect(filters.find((filter) => filter.field === 'is_active')?.choices).toEqual([
      { value: 'true', label: 'Y' },
      { value: 'false', label: 'N' },
    ])
    expect(filters.find((filter) => filter.field === 'secret')?.choices).toEqual([{ value: 'True', label: 'Yes' }])
  })
  it('can be edited unless closed', () => {
    expect(filters.filter((filter) => filter.editable).map((filter) => filter.field)).toEqual([
      'name',
      'type',
      'search',
    ])
  })
})
