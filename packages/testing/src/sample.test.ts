import { afterEach, describe, expect, it, vi } from 'vitest'
import { sample, sampled, seedVariable } from './sample.ts'

const items = Array.from({ length: 23 }, (_, at) => `case ${at}`)
const seeds = Array.from({ length: 30 }, (_, at) => `commit ${at}`)
const key = (item: string) => item

afterEach(() => vi.unstubAllEnvs())

describe('a sample', () => {
  it.each([2, 3, 4, 5])('of 1 in %i takes as much by every seed, and everything by a few', (shares) => {
    const taken = seeds.map((seed) => sample(items, shares, key, 'numbers', seed))
    for (const some of taken) {
      expect(some.length).toBeGreaterThanOrEqual(Math.floor(items.length / shares))
      expect(some.length).toBeLessThanOrEqual(Math.ceil(items.length / shares))
      expect(some).toEqual(items.filter((item) => some.includes(item)))
    }
    expect(new Set(taken.flat())).toEqual(new Set(items))
    expect(new Set(taken.map((some) => some.join())).size).toBe(shares)
  })

  it('is the same whenever a commit is tested again, whatever the order of the list', () => {
    const first = sample(items, 4, key, '', 'a commit')
    expect(sample(items, 4, key, '', 'a commit')).toEqual(first)
    expect(new Set(sample([...items].reverse(), 4, key, '', 'a commit'))).toEqual(new Set(first))
  })

  it('takes other shares of other lists by one seed', () => {
    const shares = ['one list', 'a second', 'a third', 'a fourth'].map((about) =>
      sample(items, 5, key, about, 'a commit').join(),
    )
    expect(new Set(shares).size).toBeGreaterThan(1)
  })

  it('of fewer items than shares is never empty', () => {
    for (const seed of seeds) expect(sample(['only one'], 4, key, '', seed)).toEqual(['only one'])
  })

  it('without a seed is everything, under the plain name', () => {
    vi.stubEnv(seedVariable, '')
    expect(sample(items, 5, key)).toEqual(items)
    expect(sampled('works')).toBe('works')
    expect(sampled('works', 'abc')).toBe('works [CASTELLAN_TEST_SEED=abc]')
  })
})
