import { hasSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RealShells } from '../testing-shells.ts'
import { attacks } from './command-attacks.ts'

describe.skipIf(!hasSshd)('a forbidden command is refused', { timeout: 60_000, concurrent: true }, () => {
  let shells: RealShells
  beforeAll(async () => {
    shells = await RealShells.start()
  })
  afterAll(() => shells?.stop())

  test.for(attacks.map((attack, at) => ({ ...attack, at })))('$how', async ({ at, parts }) => {
    const folder = `victim-${at}`
    const { isKept, log } = await shells.attack(
      folder,
      parts.map((part) => (typeof part === 'number' ? part : part.replaceAll('D', folder).replaceAll('␄', '\u0004'))),
    )
    expect({ isKept, log }).toMatchObject({ isKept: true })
    expect(log.map(({ risk }) => risk)).toContain(5)
  })
})
