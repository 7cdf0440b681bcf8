import { expect, it } from 'vitest'
import { GroupRead } from './group-read.ts'

it('reads together what is asked for together, and never answers from before the question', async () => {
  const groups: number[][] = []
  let value = 'first'
  const read = new GroupRead(async (keys: readonly number[]) => {
    groups.push([...keys])
    const seen = value
    await new Promise(setImmediate)
    return keys.map((key) => `${key} ${seen}`)
  })
  const early = [1, 2, 3].map((key) => read.get(key))
  await expect.poll(() => groups.length, { interval: 1 }).toBe(1)
  value = 'second'
  const late = [4, 1].map((key) => read.get(key))
  expect(await Promise.all(early)).toEqual(['1 first', '2 first', '3 first'])
  expect(await Promise.all(late)).toEqual(['4 second', '1 second'])
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 1],
  ])
})

it('lets one key that cannot be read fail no other', async () => {
  const read = new GroupRead(async (keys: readonly number[]) => {
    if (keys.includes(2)) throw new Error('unreadable')
    return keys
  })
  const answers = await Promise.allSettled([1, 2, 3].map((key) => read.get(key)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
