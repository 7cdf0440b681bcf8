import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mayBeChanged } from '@castellan/testing/changes'
import { describeWith, type Part } from '@castellan/testing/parts'
import { sample, sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from 'vitest'
import { replay } from './rules/reader-trace.ts'
import { type Driven, decideDangerous, RealShells } from './testing-shells.ts'

/** Sessions that real shells had with the reader, a folder for each file of tests. */
export const traceFolder = join(import.meta.dirname, 'rules/traces')

/** Set to record the traces again. */
const isRecording = Boolean(process.env.CASTELLAN_TEST_RECORD_TRACES)

/** What decides how a real shell is read: where one of these has changed, every test with a real shell runs. */
const decisive =
  /^packages\/(gateway\/(package\.json$|src\/rules\/|src\/testing-|.*reader[^/]*$)|contract\/src\/command-rules\/|testing\/src\/sshd\.ts$)/

/** Of the others, a run with a seed has one in so many. */
const shares = 8

/** What a test may use. */
export interface ShellTest {
  /** Opens a shell, which ends with the test. */
  open: RealShells['open']
  attack: RealShells['attack']
  /** The home folder of the shells. */
  home: string
  expect: ExpectStatic
}

interface Group {
  /** Where the traces are, below `traceFolder`. */
  traces: string
  parts?: readonly Part[]
  concurrent?: boolean
  /** Tests whose session is not recorded, with the reason. */
  untraced?: Readonly<Record<string, string>>
}

/** The name of the trace of a test. */
const traceOf = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z]+/gu, '-')}.trace`

/**
 * Tests with real shells. What they saw is recorded, and `reader-trace.test.ts` replays it with every change; the shells
 * themselves run when something changes how they are read, and always without a seed. Otherwise a sample runs.
 */
export function describeShells(
  name: string,
  { traces, parts = [], concurrent = false, untraced = {} }: Group,
  declare: (add: (name: string, run: (shells: ShellTest) => Promise<void>) => void) => void,
): void {
  const all: { name: string; run: (shells: ShellTest) => Promise<void> }[] = []
  declare((test, run) => void all.push({ name: test, run }))
  const folder = join(traceFolder, traces)

  describe(`${name}: the recorded sessions`, () => {
    test('are those of these tests, one of each', () => {
      const recorded = all.filter((one) => !(one.name in untraced)).map((one) => traceOf(one.name))
      expect(readdirSync(folder).sort()).toEqual(recorded.sort())
      expect(all.map((one) => one.name)).toEqual(expect.arrayContaining(Object.keys(untraced)))
    })
  })

  const isWhole = mayBeChanged(decisive)
  const chosen = sample(all, isWhole ? 1 : shares, (one) => one.name, name)
  const needed: readonly Part[] = ['sshd', 'ssh-keygen', ...parts]
  describeWith(needed, isWhole ? name : sampled(name), { timeout: 30_000, concurrent }, () => {
    let shells: RealShells
    beforeAll(async () => {
      shells = await RealShells.start()
    })
    afterAll(() => shells?.stop())

    for (const one of chosen)
      test(one.name, async ({ expect: expected }) => {
        const opened: Driven[] = []
        const open: RealShells['open'] = async (...how) => {
          const shell = await shells.open(...how)
          opened.push(shell)
          return shell
        }
        const attack: RealShells['attack'] = (folderName, typed) => shells.attack(folderName, typed, open)
        try {
          await one.run({ open, attack, home: shells.home, expect: expected })
        } finally {
          for (const shell of opened) shell.end()
        }
        if (isRecording && !(one.name in untraced)) record(folder, one.name, opened)
      })
  })
}

/** Keeps the session of a test that has passed. */
function record(folder: string, name: string, shells: readonly Driven[]): void {
  const [shell] = shells
  if (!shell || shells.length > 1) throw new Error(`${name} has ${shells.length} sessions: a trace is one`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, traceOf(name)), replay(shell.trace.join('\n'), decideDangerous))
}
