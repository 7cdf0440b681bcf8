import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../runtime.mjs'
import { failedFiles, summaryOf } from './summary.ts'
import { runAgain, worthRepeating } from './unstable.ts'
import { runVitest } from './vitest.ts'

it('a file that failed runs once more, alone, and is unstable only if it passes then', async () => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache-repeated-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = {
    'vitest.config.mjs': "export default { test: { name: 'some', include: ['*.test.ts'] } }",
    'sound.test.ts': "import { it } from 'vitest'\nit('passes', () => {})",
    'broken.test.ts': "import { it } from 'vitest'\nit('fails', () => { throw new Error('always') })",
    'by-chance.test.ts': `import { existsSync, writeFileSync } from 'node:fs'
      import { expect, it } from 'vitest'
      it('fails once', () => {
        const was = existsSync('marker')
        writeFileSync('marker', '')
        expect(was).toBe(true)
      })
      it('passes both times', () => {})`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const env = { ...process.env }
  const first = await runVitest('some', { isShown: false, folder, env })
  const failed = failedFiles(first.report, folder).sort()
  expect(failed).toEqual(['broken.test.ts', 'by-chance.test.ts'])
  expect(summaryOf(first.report, 'some', folder, first.code, failed)).toEqual({ passed: 1, failed: [], skipped: [] })
  const again = await runAgain(
    failed.map((file) => ({ project: 'some', file })),
    env,
    { folder, isShown: false },
  )
  expect(again).toEqual({
    summary: { passed: 2, failed: ['some › broken.test.ts › fails'], skipped: [] },
    passed: ['some › by-chance.test.ts'],
  })
}, 30_000)

it('what fails in many files is a fault, and nothing to try again', () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `${at}.test.ts`)
  expect([worthRepeating(files(1)), worthRepeating(files(6)), worthRepeating(files(7))]).toEqual([true, true, false])
})
