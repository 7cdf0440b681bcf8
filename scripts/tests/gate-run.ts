import { availableParallelism } from 'node:os'
import { type Gate, openRepository, type Repository } from '../gates/gate.ts'
import { gates } from '../gates/index.ts'
import { root } from '../runtime.mjs'
import { add, emptySummary, type TestSummary } from './summary.ts'

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

/** Runs every gate, as many at a time as there are processors. */
export async function runGates(): Promise<TestSummary> {
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
