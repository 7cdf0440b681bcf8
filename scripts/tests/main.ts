// Runs the gates, then Vitest's projects, and ends with one line that counts everything.
import { rmSync } from 'node:fs'
import { howToGet, type Part, partPath } from '../../packages/testing/src/detect.ts'
import { seedVariable } from '../../packages/testing/src/sample.ts'
import { buildConsoleIfNeeded } from '../console-build.mjs'
import { root } from '../runtime.mjs'
import { bareEnvironment } from './bare-path.ts'
import { changedFiles, mayTouchProgram } from './changed.ts'
import { runGates } from './gate-run.ts'
import { optionsOf, seedOf } from './options.ts'
import {
  add,
  demandingAll,
  emptySummary,
  failedFiles,
  lastLine,
  summaryOf,
  type TestSummary,
  timesOf,
} from './summary.ts'
import { runAgain, type ToRepeat, worthRepeating } from './unstable.ts'
import { runVitest, type VitestOptions } from './vitest.ts'

const demanded = process.env.CASTELLAN_DEMAND_PARTS === '1'

interface Project {
  name: string
  /** The part without which a whole project cannot run. */
  needs?: Part
  /** Starts the product, which serves the built console. */
  product?: true
  /** Waits most of the time: runs beside the others, one after the other; its output comes when it has ended. */
  aside?: true
  /** Keeps the processors busy: nothing runs beside it. */
  alone?: true
}

const projects: readonly Project[] = [
  { name: 'unit', aside: true },
  { name: 'server-sqlite' },
  { name: 'protocols', product: true, aside: true },
  { name: 'server-postgresql', needs: 'postgresql' },
  { name: 'browser', product: true, alone: true },
  ...(process.env.CASTELLAN_CONVERSATIONS ? [{ name: 'conversations' }] : []),
]

const parts = ['gates', ...projects.map(({ name }) => name)]
const options = (() => {
  try {
    return optionsOf(process.argv.slice(2), parts)
  } catch (reason) {
    console.error(reason instanceof Error ? reason.message : reason)
    process.exit(1)
  }
})()
const changes = options.changed === undefined ? undefined : changedFiles(options.changed)
const times: [string, number][] = []
const began = Date.now()

/** The words that limit a project to what a change can touch; undefined when that is nothing. */
function limits({ product }: Project): string[] | undefined {
  if (!changes) return []
  // Tests of running programs import nothing of them: a change of a program is a change of all their tests.
  if (product && mayTouchProgram(changes)) return []
  return [options.changed ? `--changed=${options.changed}` : '--changed', '--passWithNoTests']
}

/** @param repeats takes the files that failed, to be run and counted once more; without it they have failed */
async function runProject(project: Project, company: VitestOptions, repeats?: ToRepeat[]): Promise<TestSummary> {
  const { name, needs, product } = project
  const { isShown } = company
  if (isShown) console.log(`\n${name}`)
  if (needs && !partPath(needs)) {
    const whole = `${name}, all of it [needs ${needs}: ${howToGet(needs)}]`
    console.log(`  – ${whole}`)
    return { ...emptySummary(), skipped: [whole] }
  }
  if (product) {
    try {
      buildConsoleIfNeeded(process.execPath)
    } catch (reason) {
      console.log(reason instanceof Error ? reason.message : reason)
      return { ...emptySummary(), failed: ['the console could not be built'] }
    }
  }
  const { report, code, output } = await runVitest(name, { ...company, words: limits(project) })
  if (!isShown) console.log(`\n${name}\n${output}`)
  times.push(...timesOf(report, name, root))
  const failed = failedFiles(report, root)
  const again = repeats && worthRepeating(failed) ? failed : []
  repeats?.push(...again.map((file) => ({ project: name, file })))
  return summaryOf(report, name, root, code, again)
}

/** Two rows of projects side by side, those that work and those that mostly wait, and then those that must be alone. */
async function runProjects(
  chosen: readonly Project[],
  env: NodeJS.ProcessEnv,
  repeats?: ToRepeat[],
): Promise<TestSummary> {
  const total = emptySummary()
  const oneAfterAnother = async (row: readonly Project[], options: VitestOptions) => {
    for (const project of row) add(total, await runProject(project, options, repeats))
  }
  const [aside, others] = [chosen.filter((one) => one.aside), chosen.filter((one) => !one.aside)]
  const isShown = chosen.length === 1
  await Promise.all([
    oneAfterAnother(aside, { isShown, env }),
    oneAfterAnother(
      others.filter(({ alone }) => !alone),
      { isShown: true, yields: aside.length > 0, env },
    ),
  ])
  await oneAfterAnother(
    others.filter(({ alone }) => alone),
    { isShown: true, env },
  )
  return total
}

/** The same suites on a machine that has Node.js and npm and nothing else: what they skip there is skipped by name. */
async function runWithoutParts(chosen: readonly Project[]): Promise<TestSummary> {
  console.log('\nWithout optional parts')
  const bare = bareEnvironment()
  try {
    const { passed, failed } = await runProjects(
      chosen.filter(({ needs }) => !needs),
      bare.env,
    )
    return { passed, failed: failed.map((name) => `without optional parts › ${name}`), skipped: [] }
  } finally {
    rmSync(bare.folder, { recursive: true })
  }
}

const isWanted = (name: string) => options.parts.length === 0 || options.parts.includes(name)
const seed = options.all ? undefined : seedOf()
const { [seedVariable]: _, ...rest } = process.env
const env = seed === undefined ? rest : { ...rest, [seedVariable]: seed }
const chosen = projects.filter(({ name }) => isWanted(name))
const toRepeat = `The samples of this run: ${seedVariable}=${seed}`
if (seed !== undefined) console.log(toRepeat)

const all = emptySummary()
if (isWanted('gates')) add(all, await runGates())
const repeated: ToRepeat[] | undefined = process.env.CASTELLAN_TEST_REPEAT === '1' ? [] : undefined
add(all, await runProjects(chosen, env, repeated))
const unstable = await runAgain(repeated ?? [], env)
add(all, unstable.summary)
const total = demanded ? demandingAll(all) : all
if (options.all) add(total, await runWithoutParts(chosen))

const list = (title: string, names: readonly string[]) => {
  if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}`)
}
const slowest = times.toSorted(([, a], [, b]) => b - a).slice(0, 12)
list(
  `${Math.round((Date.now() - began) / 1000)} s, of which the longest files`,
  slowest.map(([name, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${name}`),
)
list('Skipped', total.skipped)
list('Failed', total.failed)
list('Unstable: failed, and passed when run once more, alone. Mend them before the next piece of work', unstable.passed)
if (seed !== undefined) console.log(`\n${toRepeat}`)
console.log(`\n${lastLine(total)}`)
process.exitCode = total.failed.length > 0 ? 1 : 0
