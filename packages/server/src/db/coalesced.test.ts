import { describe, expect, it } from 'vitest'
import { coalesced } from './coalesced.ts'

describe('coalesced work', () => {
  it('runs once at a time, and calls meanwhile share one run that begins after them', async () => {
    let [runs, together, most] = [0, 0, 0]
    const call = coalesced(async () => {
      most = Math.max(most, ++together)
      await new Promise((resolve) => setImmediate(resolve))
      together--
      return ++runs
    })
    const first = call()
    const meanwhile = Array.from({ length: 100 }, () => call())
    expect(await first).toBe(1)
    expect(new Set(await Promise.all(meanwhile))).toEqual(new Set([2]))
    expect([runs, most]).toEqual([2, 1])
  })

  it('runs again after a failure, which only the calls of that run hear of', async () => {
    let runs = 0
    const call = coalesced(async () => {
      if (++runs === 1) throw new Error('broken')
      return runs
    })
    const [first, second] = await Promise.allSettled([call(), call()])
    expect(first).toMatchObject({ status: 'rejected' })
    expect(second).toEqual({ status: 'fulfilled', value: 2 })
    expect(await call()).toBe(3)
  })
})
