import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attacks } from '../testing-attacks.ts'
import { decideDangerous, RealShells } from '../testing-shells.ts'
import { replay } from './reader-trace.ts'

/** Set to record the traces in `traces/` again. */
const record = process.env.CASTELLAN_RECORD_TRACES
const folder = join(import.meta.dirname, 'traces')

describeWith(['sshd', 'ssh-keygen'], 'a forbidden command is not run', { timeout: 60_000, concurrent: true }, () => {
  let shells: RealShells
  beforeAll(async () => {
    shells = await RealShells.start()
  })
  afterAll(() => shells?.stop())

  test.for(attacks.map((attack, at) => ({ ...attack, at })))(
    '$how',
    async ({ how, at, parts }, { expect: expected }) => {
      const victim = `victim-${at}`
      const typed = parts.map((part) =>
        typeof part === 'number' ? part : part.replaceAll('D', victim).replaceAll('␄', '\u0004'),
      )
      const { isKept, log, trace } = await shells.attack(victim, typed)
      expected({ isKept, log }).toMatchObject({ isKept: true })
      // Rejected, or discarded because its content was unknown.
      const isStopped = log.some(({ risk }) => risk === 5) || trace.includes('-> unseen')
      expected({ isStopped, log }).toMatchObject({ isStopped: true })
      if (!record) return
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        join(folder, `${how.toLowerCase().replaceAll(/[^a-z]+/gu, '-')}.trace`),
        replay(trace.join('\n'), decideDangerous),
      )
    },
  )

  test('every attack has a unique name', () => {
    expect(new Set(attacks.map(({ how }) => how)).size).toBe(attacks.length)
  })
})
