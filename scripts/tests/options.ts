import { execFileSync } from 'node:child_process'
import { seedVariable } from '../../packages/testing/src/sample.ts'
import { root } from '../runtime.mjs'

/** What the words behind `npm test --` ask for. */
export interface RunOptions {
  /** Parts of the run; none means all. */
  parts: readonly string[]
  /** Nothing is left to a sample, and what runs without optional parts is run so, too. */
  all: boolean
  /** Only what changes since this commit can touch; an empty text means changes that are not committed. */
  changed: string | undefined
}

/** @throws Error with what is wrong in the words */
export function optionsOf(words: readonly string[], known: readonly string[]): RunOptions {
  const parts = words.filter((word) => !word.startsWith('--'))
  const flags = words.filter((word) => word.startsWith('--'))
  const changed = flags.find((flag) => /^--changed(=|$)/.test(flag))
  const unknown = [
    ...parts.filter((name) => !known.includes(name)),
    ...flags.filter((flag) => flag !== '--all' && flag !== changed),
  ]
  if (unknown.length > 0)
    throw new Error(
      `There is no part ${unknown.join(', ')}; there are ${known.join(', ')}, --all and --changed[=COMMIT].`,
    )
  return { parts, all: flags.includes('--all'), changed: changed?.slice('--changed='.length) }
}

/** The seed of a run: the one that is asked for, or the commit's hash, so that a commit is always tested alike. */
export function seedOf(env: NodeJS.ProcessEnv = process.env): string {
  if (env[seedVariable]) return env[seedVariable]
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  } catch {
    // An archive of the sources has no commit; neither has a machine without git.
    return 'no-commit'
  }
}
