import { describe, expect, it } from 'vitest'
import { mayTouchProgram } from './changed.ts'
import { optionsOf, seedOf } from './options.ts'
import { onBothDatabases, postgresFiles, postgresUse, withoutPostgres } from './projects.ts'

const parts = ['gates', 'unit', 'browser']

describe('the words of a run', () => {
  it('name parts, everything, or what a change can touch', () => {
    expect(optionsOf([], parts)).toEqual({ parts: [], all: false, changed: undefined })
    expect(optionsOf(['unit', '--all'], parts)).toEqual({ parts: ['unit'], all: true, changed: undefined })
    expect(optionsOf(['--changed'], parts).changed).toBe('')
    expect(optionsOf(['--changed=main'], parts).changed).toBe('main')
  })

  it.each(['units', '--al', '--changes', '--changed-since=main'])('refuse %s', (word) => {
    expect(() => optionsOf([word], parts)).toThrow(`There is no part ${word}; there are gates, unit, browser`)
  })

  it('repeat a seed, which otherwise is that of the commit', () => {
    expect(seedOf({ CASTELLAN_TEST_SEED: 'asked for' })).toBe('asked for')
    expect(seedOf({})).toBe(seedOf({}))
  })
})

describe('a change', () => {
  it.each([
    [['packages/server/src/modules/users/user.ts'], true],
    [['packages/contract/src/ids.ts', 'docs/api.md'], true],
    [['scripts/supervisor/main.mjs'], true],
    [['packages/server/src/modules/users/users.test.ts', 'packages/testing/src/client.ts', 'e2e/lists.test.ts'], false],
    [['docs/api.md', 'packages/server/src/kernel/README.md', 'scripts/gates/texts.ts'], false],
  ])('of %j touches a running program: %s', (files, touches) => {
    expect(mayTouchProgram(files)).toBe(touches)
  })
})

describe('the files that run on PostgreSQL', () => {
  const always = onBothDatabases.map((folder) => `${folder}a.test.ts`)
  const others = Array.from({ length: 40 }, (_, at) => `modules/users/${at}.test.ts`)
  const never = Object.keys(withoutPostgres)
  const by = (seed?: string) => {
    const { CASTELLAN_TEST_SEED } = process.env
    try {
      if (seed === undefined) delete process.env.CASTELLAN_TEST_SEED
      else process.env.CASTELLAN_TEST_SEED = seed
      return postgresFiles([...always, ...others, ...never])
    } finally {
      if (CASTELLAN_TEST_SEED !== undefined) process.env.CASTELLAN_TEST_SEED = CASTELLAN_TEST_SEED
      else delete process.env.CASTELLAN_TEST_SEED
    }
  }

  it('are those it can decide otherwise, and a fifth of the rest by seed, all of it by a few', () => {
    expect(by()).toEqual([...always, ...others])
    const runs = Array.from({ length: 20 }, (_, at) => by(`commit ${at}`))
    for (const files of runs) {
      expect(files.slice(0, always.length)).toEqual(always)
      expect(files).toHaveLength(always.length + others.length / 5)
    }
    expect(new Set(runs.flat())).toEqual(new Set([...always, ...others]))
  })

  it('are decided for every file', () => {
    expect(postgresUse('kernel/jobs/crash.test.ts')).toBe('always')
    expect(postgresUse('modules/users/users.test.ts')).toBe('sample')
    expect(postgresUse('db/sqlite.test.ts')).toBe('never')
    expect(postgresUse('another/a.test.ts')).toBeUndefined()
  })
})
