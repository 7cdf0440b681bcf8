import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decideDangerous } from '../testing-shells.ts'
import { replay } from './reader-trace.ts'

const folder = join(import.meta.dirname, 'traces')

describe('a recorded session', () => {
  test.each(readdirSync(folder))('%s gives what it gave, and lets nothing forbidden run', (file) => {
    const trace = readFileSync(join(folder, file), 'utf8')
    expect(replay(trace, decideDangerous)).toBe(trace)
    expect(trace).toMatch(/^-> (?:unseen$|completed .*"risk":5)/m)
  })
})
