import { createHash } from 'node:crypto'

/**
 * Environment variable: the seed that chooses what a run takes of everything that multiplies. `npm test` sets it to the
 * hash of the commit. Without it nothing is left out: in `npm run test:all`, and when a file is run by hand.
 */
export const seedVariable = 'CASTELLAN_TEST_SEED'

/** The seed of this run; undefined when everything runs. */
export const seedOfThisRun = (): string | undefined => process.env[seedVariable] || undefined

const numberOf = (text: string) => Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 12), 16)

/**
 * One of `shares` equal shares of a list, in the order of the list. The shares of all seeds together are the list, and a
 * seed always chooses the same one.
 * @param keyOf what an item is known by: decides in which share it is
 * @param about shifts the choice, so that lists with other names do not all take the same share of one seed
 */
export function sample<T>(
  items: readonly T[],
  shares: number,
  keyOf: (item: T) => string,
  about = '',
  seed: string | undefined = seedOfThisRun(),
): T[] {
  if (seed === undefined) return [...items]
  const chosen = (numberOf(seed) + numberOf(about)) % shares
  const byHash = items.map((item, at) => ({ at, hash: numberOf(keyOf(item)) })).sort((a, b) => a.hash - b.hash)
  const taken = new Set(
    byHash.filter((_, at) => at % shares === chosen % Math.max(1, items.length)).map(({ at }) => at),
  )
  return items.filter((_, at) => taken.has(at))
}

/** The name of a test that looks at a sample, with the seed that repeats it. */
export function sampled(name: string, seed: string | undefined = seedOfThisRun()): string {
  return seed === undefined ? name : `${name} [${seedVariable}=${seed}]`
}
