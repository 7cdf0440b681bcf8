import { describe, it } from 'vitest'
import { howToGet, type Part, partPath } from './detect.ts'

export { allParts, howToGet, type Part, partPath, requirePart } from './detect.ts'

/** Environment variable: a missing part fails the tests instead of skipping them. */
export const demandVariable = 'CASTELLAN_DEMAND_PARTS'

/**
 * A group of tests that needs parts npm does not install. If one is missing, the group is skipped, and its name tells
 * how to install it; with CASTELLAN_DEMAND_PARTS=1 it fails.
 */
export function describeWith(parts: Part | readonly Part[], name: string, body: () => void): void {
  const missing = [parts].flat().filter((part) => !partPath(part))
  if (missing.length === 0) {
    describe(name, body)
    return
  }
  const need = missing.map((part) => `${part}: ${howToGet(part)}`).join(', ')
  if (process.env[demandVariable] === '1') {
    it(`${name} [needs ${need}]`, () => {
      throw new Error(`Demanded, but not installed: ${need}`)
    })
  } else {
    describe.skip(`${name} [needs ${need}]`, body)
  }
}
