import { expect, test } from 'vitest'
import { attacks } from '../testing-attacks.ts'
import { describeShells } from '../testing-shell-tests.ts'

describeShells('a forbidden command is not run', { traces: 'attacks', concurrent: true }, (add) => {
  for (const [at, { how, parts }] of attacks.entries())
    add(how, async ({ attack, expect: expected }) => {
      const victim = `victim-${at}`
      const typed = parts.map((part) =>
        typeof part === 'number' ? part : part.replaceAll('D', victim).replaceAll('␄', '\u0004'),
      )
      const { isKept, log, trace } = await attack(victim, typed)
      expected({ isKept, log }).toMatchObject({ isKept: true })
      // Rejected, or discarded because its content was unknown.
      const isStopped = log.some(({ risk }) => risk === 5) || trace.includes('-> unseen')
      expected({ isStopped, log }).toMatchObject({ isStopped: true })
    })
})

test('every attack has a unique name', () => {
  expect(new Set(attacks.map(({ how }) => how)).size).toBe(attacks.length)
})
