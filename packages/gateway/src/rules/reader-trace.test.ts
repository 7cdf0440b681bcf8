import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decideDangerous } from '../testing-shells.ts'
import { replay } from './reader-trace.ts'

const folder = join(import.meta.dirname, 'traces')

describe('a recorded session', () => {
  test.each(readdirSync(folder))('%s gives what it gave, and lets nothing forbidden run', async (file) => {
    const trace = readFileSync(join(folder, file), 'utf8')
    // `vitest -u` writes what has changed, to be read before it is kept.
    await expect(replay(trace, decideDangerous)).toMatchFileSnapshot(join(folder, file))
    expect(trace).toMatch(/^-> (?:unseen$|completed .*"risk":5)/m)
  })
})
