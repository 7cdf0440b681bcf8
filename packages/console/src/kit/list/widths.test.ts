import { describe, expect, it } from 'vitest'
import { allColumns, type Column } from './columns.ts'
import { fitting, sharesOf } from './widths.ts'

const fields = Object.fromEntries(
  ['name', 'email', 'groups', 'source', 'last'].map((name) => [name, { type: 'string', label: name }]),
)
const rules = { shown: ['name', 'email', 'groups', 'source', 'last'], fixed: ['name'], hideFirst: ['groups'] }
const columns = allColumns(fields, rules)
const names = (list: readonly Column[]) => list.map((column) => column.name)

describe('column widths', () => {
  it('leave enough width for names in the narrowest table', () => {
    const { narrowest, share } = sharesOf(columns, { ...rules, selectable: false }, 0)
    const others = [...share.values()].reduce((sum, part) => sum + part, 0)
    expect([...share.keys()]).toEqual(['email', 'groups', 'source', 'last'])
    expect(narrowest * (1 - others)).toBeGreaterThanOrEqual(191)
  })
  it('are the preferred widths where they fit, and grow proportionally', () => {
    const wide = allColumns(fields, { ...rules, cells: { email: { width: 200 }, source: { width: 80 } } })
    const wished = 240 + 200 + 150 + 80 + 150
    const exact = sharesOf(wide, { ...rules, selectable: false }, wished)
    expect((exact.share.get('email') ?? 0) * wished).toBeCloseTo(200)
    expect((exact.share.get('source') ?? 0) * wished).toBeCloseTo(80)
    const double = sharesOf(wide, { ...rules, selectable: false }, 2 * wished)
    expect((double.share.get('source') ?? 0) * 2 * wished).toBeCloseTo(160)
  })
  it('never truncate a header, nor a column of known length', () => {
    const labelled = allColumns(
      { ...fields, source: { type: 'string', label: 'パスワード最終更新日時' } },
      { ...rules, cells: { last: { width: 110 } } },
    )
    const { narrowest, share } = sharesOf(labelled, rules, 0)
    expect((share.get('source') ?? 0) * narrowest).toBeGreaterThanOrEqual(11 * 13 + 16)
    expect((share.get('last') ?? 0) * narrowest).toBeGreaterThanOrEqual(104)
  })
  it('keep all columns that fit', () => {
    expect(fitting(columns, rules, sharesOf(columns, rules).narrowest)).toEqual(columns)
  })
  it('drop hideFirst columns first, then the last ones, but never fixed ones', () => {
    const { narrowest } = sharesOf(columns, rules)
    expect(names(fitting(columns, rules, narrowest - 1))).toEqual(['name', 'email', 'source', 'last'])
    expect(names(fitting(columns, rules, narrowest - 150))).toEqual(['name', 'email', 'source'])
    expect(names(fitting(columns, rules, 0))).toEqual(['name'])
    expect(names(fitting(columns, { ...rules, timeColumn: 'last' }, narrowest - 150))).toEqual([
      'name',
      'email',
      'last',
    ])
  })
})
