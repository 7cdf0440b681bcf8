import { describe, expect, it } from 'vitest'
import { newRowId } from './row-id.ts'

describe('the id of a new row', () => {
  it('is a UUID of version 4, unique and ordered by time of creation', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at++) {
      for (let some = 0; some < 200; some++) ids.push(newRowId())
      await new Promise((settle) => setTimeout(settle, 2))
    }
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const moments = ids.map((id) => id.slice(0, 13))
    expect(moments).toEqual(moments.toSorted())
  })
})
