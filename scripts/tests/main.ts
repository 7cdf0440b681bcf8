// Runs the gates, then Vitest's projects, and ends with one line that counts everything.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { howToGet, type Part, partPath } from '../../packages/testing/src/detect.ts'
import { buildConsoleIfNeeded } from '../console-build.mjs'
import { type Gate, openRepository, type Repository } from '../gates/gate.ts'
import { gates } from '../gates/index.ts'
import { root } from '../runtime.mjs'
import { add, demandingAll, emptySummary, lastLine, summaryOf, type TestSummary, type VitestReport } from './summary.ts'

const demanded = process.env.CASTELLAN_DEMAND_PARTS === '1'

interface Project {
  name: string
  /** The part without which a whole project cannot run. */
  needs?: Part
  /** Shows the built console. */
  console?: true
  /** Runs beside the one that follows, because it waits most of the time; its output comes when it has ended. */
  aside?: true
}

const projects: readonly Project[] = [
  { name: 'unit', aside: true },
  { name: 'server-sqlite' },
  { name: 'server-postgresql', needs: 'postgresql' },
  { name: 'e2e', console: true },
  ...(process.env.CASTELLAN_CONVERSATIONS ? [{ name: 'conversations' }] : []),
]

/** A gate that throws has not passed. */
async function problemsOf(gate: Gate, repository: Repository): Promise<string[]> {
  try {
    return await gate.run(repository)
  } catch (reason) {
    return [reason instanceof Error ? `${reason.stack}` : String(reason)]
  }
}

async function runGate(gate: Gate, repository: Repository): Promise<TestSummary> {
  const started = Date.now()
  const problems = await problemsOf(gate, repository)
  const time = `${((Date.now() - started) / 1000).toFixed(1)} s`
  if (problems.length === 0) {
    console.log(`  ✓ ${gate.name}  ${time}`)
    return { ...emptySummary(), passed: 1 }
  }
  console.log(`  ✗ ${gate.name}  ${time}`)
  for (const problem of problems) console.log(problem.replace(/^/gm, '      '))
  return { ...emptySummary(), failed: [`gate › ${gate.name}`] }
}

async function runGates(): Promise<TestSummary> {
  console.log('\nGates')
  const repository = openRepository(root)
  const waiting = gates(repository.files)
  const total = emptySummary()
  const work = async () => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift()) add(total, await runGate(gate, repository))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return total
}

interface Company {
  /** Whether the output is shown at once. */
  isShown: boolean
  /** Whether another project runs beside it, which must be woken in time. */
  yields: boolean
}

/** Runs Vitest. @returns its code, and what it wrote where that is not shown at once */
async function runVitest(
  words: readonly string[],
  { isShown, yields }: Company,
): Promise<{ code: number; output: string }> {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: root,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(isShown ? {} : colors) },
  })
  if (yields && vitest.pid) setPriority(vitest.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  for (const stream of [vitest.stdout, vitest.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number>((settle) => vitest.once('close', (ended) => settle(ended ?? 1)))
  return { code, output }
}

async function runProject({ name, needs, console: needsConsole }: Project, company: Company): Promise<TestSummary> {
  const { isShown } = company
  if (isShown) console.log(`\n${name}`)
  if (needs && !partPath(needs)) {
    const whole = `${name}, all of it [needs ${needs}: ${howToGet(needs)}]`
    console.log(`  – ${whole}`)
    return { ...emptySummary(), skipped: [whole] }
  }
  if (needsConsole) {
    try {
      buildConsoleIfNeeded(process.execPath)
    } catch (reason) {
      console.log(reason instanceof Error ? reason.message : reason)
      return { ...emptySummary(), failed: ['the console could not be built'] }
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'castellan-report-'))
  const file = join(folder, 'report.json')
  const words = ['run', '--project', name, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, output } = await runVitest(words, company)
  if (!isShown) console.log(`\n${name}\n${output}`)
  let report: VitestReport | undefined
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    // Without a report the run counts as failed by its exit code.
  }
  rmSync(folder, { recursive: true })
  return summaryOf(report, name, root, report ? code : code || 1)
}

/** One project after the other, with those that mostly wait beside the next one. */
async function runProjects(chosen: readonly Project[]): Promise<TestSummary> {
  const total = emptySummary()
  const beside: Promise<TestSummary>[] = []
  for (const project of chosen) {
    const isShown = !project.aside || chosen.length === 1
    const running = runProject(project, { isShown, yields: beside.length > 0 })
    if (project.aside) {
      beside.push(running)
      continue
    }
    add(total, await running)
    // The browser's tests are the last that should share the machine.
    for (const ended of await Promise.all(beside.splice(0))) add(total, ended)
  }
  for (const ended of await Promise.all(beside)) add(total, ended)
  return total
}

const wanted = process.argv.slice(2)
const known = ['gates', ...projects.map((project) => project.name)]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  process.exit(1)
}
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

const all = emptySummary()
if (isWanted('gates')) add(all, await runGates())
add(all, await runProjects(projects.filter(({ name }) => isWanted(name))))
const total = demanded ? demandingAll(all) : all

if (total.skipped.length > 0) console.log(`\nSkipped:\n${total.skipped.map((name) => `  ${name}`).join('\n')}`)
if (total.failed.length > 0) console.log(`\nFailed:\n${total.failed.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${lastLine(total)}`)
process.exitCode = total.failed.length > 0 ? 1 : 0
