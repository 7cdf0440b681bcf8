import { describe, expect, it } from 'vitest'
import { emptyWeek, fullWeek, painted, rangesOf, readWeek, timeOf, writeWeek } from './week.ts'

describe('a week of half hours', () => {
  it('names times from midnight on, the end of the day 00:00', () => {
    expect([timeOf(0), timeOf(19), timeOf(48)]).toEqual(['00:00', '09:30', '00:00'])
  })
  it('is read and written the same, Monday first and Sunday as 0', () => {
    const wire = [
      { id: 1, value: '09:00~12:00、13:30~18:00' },
      ...[2, 3, 4, 5, 6].map((id) => ({ id, value: '' })),
      { id: 0, value: '22:00~00:00' },
    ]
    expect(writeWeek(readWeek(wire))).toEqual(wire)
  })
  it('is an empty list when nothing is chosen', () => {
    expect(writeWeek(emptyWeek())).toEqual([])
    expect(writeWeek(fullWeek())[0]).toEqual({ id: 1, value: '00:00~00:00' })
  })
  it('paints a rectangle whichever corner came first', () => {
    const week = painted(emptyWeek(), { day: 1, cell: 5 }, { day: 0, cell: 4 }, true)
    expect(week.map(rangesOf)).toEqual(['02:00~03:00', '02:00~03:00', '', '', '', '', ''])
  })
  it('reads anything that is no week as an empty one', () => {
    expect(readWeek(undefined)).toEqual(emptyWeek())
    expect(readWeek('x')).toEqual(emptyWeek())
  })
})
