import { afterAll, beforeAll, describe, it, type TestOptions } from 'vitest'
import { beginUse, declareForFile, endUse, howToGet, type Part, partPath } from './detect.ts'

export { allParts, howToGet, type Part, partPath, requirePart } from './detect.ts'

/** Environment variable: a missing part fails the tests instead of skipping them. */
export const demandVariable = 'CASTELLAN_DEMAND_PARTS'

/** Which of these parts are missing here, as the end of a test's name; empty when all are there. */
function missingOf(parts: Part | readonly Part[]): string {
  const missing = [parts].flat().filter((part) => !partPath(part))
  return missing.map((part) => `${part}: ${howToGet(part)}`).join(', ')
}

/** The only place where a test is skipped: under a name with the missing part, and never where all parts are required. */
function skipOrFail(missing: string, name: string, skip: (name: string) => void): void {
  const told = `${name} [needs ${missing}]`
  if (process.env[demandVariable] === '1')
    it(told, () => {
      throw new Error(`Demanded, but not here: ${missing}`)
    })
  else skip(told)
}

/**
 * A group of tests that needs parts which not every machine has. Where one is missing, the group is skipped under a name
 * that says which and how to get it; with CASTELLAN_DEMAND_PARTS=1 it fails.
 */
export function describeWith(parts: Part | readonly Part[], name: string, body: () => void): void
export function describeWith(parts: Part | readonly Part[], name: string, options: TestOptions, body: () => void): void
export function describeWith(
  parts: Part | readonly Part[],
  name: string,
  first: TestOptions | (() => void),
  second?: () => void,
): void {
  const [options, body] = typeof first === 'function' ? [{}, first] : [first, second as () => void]
  const missing = missingOf(parts)
  const needed = [parts].flat()
  if (missing === '')
    describe(name, options, () => {
      beforeAll(() => beginUse(needed))
      afterAll(() => endUse(needed))
      // The body is read on every machine: what it needs a part for belongs in a hook or a test.
      body()
      declareForFile(needed)
    })
  else skipOrFail(missing, name, (told) => describe.skip(told, body))
}

/** One test that needs parts which not every machine has, treated as `describeWith` treats groups. */
export function itWith(parts: Part | readonly Part[], name: string, test: () => Promise<void> | void): void {
  const missing = missingOf(parts)
  const needed = [parts].flat()
  if (missing === '')
    it(name, async () => {
      beginUse(needed)
      try {
        await test()
      } finally {
        endUse(needed)
      }
    })
  else skipOrFail(missing, name, (told) => it.skip(told, test))
}
