import { describe, expect, it } from 'vitest'
import { emptyWeek, fullWeek, painted, rangesOf, readWeek, timeOf, writeWeek } from './week.ts'

describe('a week of half hours', () => {
  it('labels times from midnight on, and the end of the day 00:00', () => {
    expect([timeOf(0), timeOf(19), timeOf(48)]).toEqual(['00:00', '09:30', '00:00'])
  })
  it('is unchanged after parsing and formatting, with Monday first and Sunday as 0', () => {
    const wire = [
      { id: 1, value: '09:00~12:00、13:30~18:00' },
      ...[2, 3, 4, 5, 6].map((id) => ({ id, value: '' })),
      { id: 0, value: '22:00~00:00' },
    ]
    expect(writeWeek(readWeek(wire))).toEqual(wire)
  })
  it('is an empty list without a selection', () => {
    expect(writeWeek(emptyWeek())).toEqual([])
    expect(writeWeek(fullWeek())[0]).toEqual({ id: 1, value: '00:00~00:00' })
  })
  it('selects a rectangle from any corner', () => {
    const week = painted(emptyWeek(), { day: 1, cell: 5 }, { day: 0, cell: 4 }, true)
    expect(week.map(rangesOf)).toEqual(['02:00~03:00', '02:00~03:00', '', '', '', '', ''])
  })
  it('parses invalid values as empty', () => {
    expect(readWeek(undefined)).toEqual(emptyWeek())
    expect(readWeek('x')).toEqual(emptyWeek())
  })
})
