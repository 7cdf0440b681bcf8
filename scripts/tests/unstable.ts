import { root } from '../runtime.mjs'
import { add, emptySummary, summaryOf, type TestSummary } from './summary.ts'
import { runVitest } from './vitest.ts'

export interface ToRepeat {
  project: string
  /** Relative to the repository. */
  file: string
}

/** More than a few files do not fail by chance. */
const most = 6
export const worthRepeating = (failed: readonly string[]) => failed.length <= most

/**
 * Runs files that failed once more, each alone. One that passes now is unstable: it fails without a fault of the product,
 * or the product has one that shows only at times.
 * @returns the results of this second run, and the names of the files that passed in it
 */
export async function runAgain(
  files: readonly ToRepeat[],
  env: NodeJS.ProcessEnv,
  { folder = root, isShown = true } = {},
): Promise<{ summary: TestSummary; passed: string[] }> {
  const summary = emptySummary()
  const passed: string[] = []
  for (const { project, file } of files) {
    if (isShown) console.log(`\nOnce more, alone: ${project} › ${file}`)
    const { report, code } = await runVitest(project, { isShown, words: [file], env, folder })
    const counts = summaryOf(report, project, folder, code)
    add(summary, counts)
    if (counts.failed.length === 0) passed.push(`${project} › ${file}`)
  }
  return { summary, passed }
}
