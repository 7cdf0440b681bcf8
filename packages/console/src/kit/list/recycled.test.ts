import { expect, test } from 'vitest'
import { recycledKeys } from './recycled.ts'

const keys = (ids: string, before: ReadonlyMap<string, number> = new Map()) => recycledKeys([...ids], before)

test('a new page reuses the elements in order', () => {
  const first = keys('abc')
  expect([...first.values()]).toEqual([0, 1, 2])
  expect([...keys('def', first)]).toEqual([
    ['d', 0],
    ['e', 1],
    ['f', 2],
  ])
})

test('a row that stays keeps its element, and a new row reuses a freed one', () => {
  expect([...keys('xab', keys('abc'))]).toEqual([
    ['x', 2],
    ['a', 0],
    ['b', 1],
  ])
})

test('additional rows get new elements, and no two rows share one', () => {
  expect([...keys('zabcy', keys('abc')).values()]).toEqual([3, 0, 1, 2, 4])
  expect(new Set(keys('pqrst', keys('abc')).values()).size).toBe(5)
})
