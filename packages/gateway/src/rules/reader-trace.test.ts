import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { traceFolder } from '../testing-shell-tests.ts'
import { decideDangerous } from '../testing-shells.ts'
import { replay } from './reader-trace.ts'

/** What every session of a folder has in common. */
const common: Record<string, (trace: string) => void> = {
  attacks: (trace) => expect(trace).toMatch(/^-> (?:unseen$|completed .*"risk":5)/m),
  harmless: (trace) => expect(trace).not.toMatch(/^-> (?:unseen$|completed .*"risk":5)/m),
  programs: () => undefined,
  reader: () => undefined,
}

describe('a recorded session', () => {
  test('is in a folder that is known here', () => {
    expect(readdirSync(traceFolder).sort()).toEqual(Object.keys(common))
  })

  for (const [folder, check] of Object.entries(common))
    test.each(readdirSync(join(traceFolder, folder)))(
      `${folder}/%s has the recorded effects, and runs no forbidden command`,
      async (file) => {
        const trace = readFileSync(join(traceFolder, folder, file), 'utf8')
        // `vitest -u` updates the traces; review the changes before committing them.
        await expect(replay(trace, decideDangerous)).toMatchFileSnapshot(join(traceFolder, folder, file))
        check(trace)
      },
    )
})
