import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../runtime.mjs'
import type { VitestReport } from './summary.ts'

export interface VitestRun {
  /** Undefined when Vitest did not get so far as to write it. */
  report: VitestReport | undefined
  /** Vitest's exit code; never 0 without a report. */
  code: number
  /** What it wrote, where that is not shown at once. */
  output: string
}

export interface VitestOptions {
  /** Whether the output is shown at once. */
  isShown: boolean
  /** Whether another project runs beside it, which must be woken in time. */
  yields?: boolean
  /** More words of the command line: files, or `--changed`. */
  words?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Where Vitest finds its configuration. */
  folder?: string
}

/** Runs a project of Vitest, or some of its files. */
export async function runVitest(
  project: string,
  { isShown, yields = false, words = [], env = process.env, folder: cwd = root }: VitestOptions,
): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-report-'))
  const file = join(folder, 'report.json')
  const colors = process.stdout.isTTY && !isShown ? { FORCE_COLOR: '1' } : {}
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      ...words,
    ],
    { cwd, stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'], env: { ...env, ...colors } },
  )
  if (yields && vitest.pid) setPriority(vitest.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  for (const stream of [vitest.stdout, vitest.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number>((settle) => vitest.once('close', (ended) => settle(ended ?? 1)))
  let report: VitestReport | undefined
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    // Without a report the run counts as failed by its exit code.
  }
  rmSync(folder, { recursive: true })
  return { report, code: report ? code : code || 1, output }
}
