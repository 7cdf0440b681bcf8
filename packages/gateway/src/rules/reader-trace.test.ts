import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decideDangerous } from '../testing-shells.ts'
import { replay } from './reader-trace.ts'

const folder = join(import.meta.dirname, 'traces')

describe('a recorded session', () => {
  test.each(readdirSync(folder))('%s has the recorded effects, and runs no forbidden command', async (file) => {
    const trace = readFileSync(join(folder, file), 'utf8')
    // `vitest -u` updates the traces; review the changes before committing them.
    await expect(replay(trace, decideDangerous)).toMatchFileSnapshot(join(folder, file))
    expect(trace).toMatch(/^-> (?:unseen$|completed .*"risk":5)/m)
  })
})
