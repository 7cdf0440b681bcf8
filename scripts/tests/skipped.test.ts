import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../runtime.mjs'
import { summaryOf } from './summary.ts'

/** Runs tests on a machine without rsync, as another Vitest sees it. */
async function runWithoutRsync(env: Record<string, string>) {
  const folder = mkdtempSync(join(root, 'node_modules/.cache-skipped-'))
  const report = join(folder, 'report.json')
  try {
    writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { include: ['*.test.ts'] } }\n")
    writeFileSync(
      join(folder, 'parts.test.ts'),
      `import { describeWith, itWith } from '@castellan/testing/parts'
      import { it } from 'vitest'
      describeWith('rsync', 'copies', { timeout: 1000 }, () => { it('of a file', () => {}) })
      itWith(['rsync'], 'a copy', () => {})
      itWith('linux', 'what is here', () => {})
      describeWith([], 'what needs nothing', () => { it('is run', () => {}) })`,
    )
    const words = ['run', '--root', folder, '--reporter=json', `--outputFile.json=${report}`]
    const code = await new Promise<number>((settle) =>
      execFile(
        process.execPath,
        [join(root, 'node_modules/vitest/vitest.mjs'), ...words],
        { env: { ...env, PATH: folder } },
        (reason) => settle(typeof reason?.code === 'number' ? reason.code : 0),
      ),
    )
    return summaryOf(JSON.parse(readFileSync(report, 'utf8')), 'unit', folder, code)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('a test whose part is missing is skipped by name, and fails where parts are demanded', async () => {
  const needs = '[needs rsync: apt-get install rsync]'
  const [lenient, demanding] = await Promise.all([
    runWithoutRsync({}),
    runWithoutRsync({ CASTELLAN_DEMAND_PARTS: '1' }),
  ])
  expect(lenient).toEqual({
    passed: 2,
    failed: [],
    skipped: [`unit › parts.test.ts › copies ${needs} of a file`, `unit › parts.test.ts › a copy ${needs}`],
  })
  expect(demanding).toEqual({
    passed: 2,
    failed: [`unit › parts.test.ts › copies ${needs}`, `unit › parts.test.ts › a copy ${needs}`],
    skipped: [],
  })
})
