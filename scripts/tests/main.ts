// Runs the gates, then Vitest's projects one after the other, and ends with one line that counts everything.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { howToGet, type Part, partPath } from '../../packages/testing/src/detect.ts'
import { buildConsoleIfNeeded } from '../console-build.mjs'
import { type Gate, openRepository, type Repository } from '../gates/gate.ts'
import { gates } from '../gates/index.ts'
import { root } from '../runtime.mjs'
import { add, emptySummary, lastLine, summaryOf, type TestSummary, type VitestReport } from './summary.ts'

const demanded = process.env.CASTELLAN_DEMAND_PARTS === '1'

/** Vitest's projects, with the part without which a whole project cannot run. */
const projects: readonly { name: string; needs?: Part; console?: true }[] = [
  { name: 'unit' },
  { name: 'server-sqlite' },
  { name: 'server-postgresql', needs: 'postgresql' },
  { name: 'e2e', console: true },
  ...(process.env.CASTELLAN_CONVERSATIONS ? [{ name: 'conversations' }] : []),
]

/** A gate that breaks has not passed. */
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

async function runProject({ name, needs, console: needsConsole }: (typeof projects)[number]): Promise<TestSummary> {
  console.log(`\n${name}`)
  if (needs && !partPath(needs)) {
    const whole = `${name}, all of it [needs ${needs}: ${howToGet(needs)}]`
    console.log(`  ${demanded ? '✗' : '–'} ${whole}`)
    return demanded ? { ...emptySummary(), failed: [whole] } : { ...emptySummary(), skipped: [whole] }
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
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: root,
    stdio: 'inherit',
  })
  const code = await new Promise<number>((settle) => vitest.once('close', (ended) => settle(ended ?? 1)))
  let report: VitestReport | undefined
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    // Without a report the run counts as failed by its code.
  }
  rmSync(folder, { recursive: true })
  return summaryOf(report, name, root, report ? code : code || 1)
}

const wanted = process.argv.slice(2)
const known = ['gates', ...projects.map((project) => project.name)]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  process.exit(1)
}
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

const total = emptySummary()
if (isWanted('gates')) add(total, await runGates())
for (const project of projects) if (isWanted(project.name)) add(total, await runProject(project))

if (total.skipped.length > 0) console.log(`\nSkipped:\n${total.skipped.map((name) => `  ${name}`).join('\n')}`)
if (total.failed.length > 0) console.log(`\nFailed:\n${total.failed.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${lastLine(total)}`)
process.exitCode = total.failed.length > 0 ? 1 : 0
