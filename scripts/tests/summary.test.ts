import { expect, it } from 'vitest'
import { demandingAll, failedFiles, lastLine, summaryOf, timesOf } from './summary.ts'

const file = (status: string, ...tests: [string, string][]) => ({
  name: '/repo/a.test.ts',
  status,
  message: 'SyntaxError\n  at x',
  assertionResults: tests.map(([fullName, state]) => ({ fullName, status: state })),
})

it('counts passed, failed and skipped tests, by name', () => {
  const report = {
    testResults: [file('failed', ['works', 'passed'], ['breaks', 'failed'], ['waits', 'skipped'], ['later', 'todo'])],
  }
  const counts = summaryOf(report, 'unit', '/repo', 1)
  expect(counts.failed).toEqual(['unit › a.test.ts › breaks'])
  expect(counts.skipped).toEqual(['unit › a.test.ts › waits', 'unit › a.test.ts › later'])
  expect(lastLine(counts)).toBe('1 passed, 1 failed, 2 skipped')
})

it('counts a skipped test as failed where nothing may be skipped', () => {
  const report = { testResults: [file('passed', ['works', 'passed'], ['waits', 'skipped'])] }
  const counts = demandingAll(summaryOf(report, 'unit', '/repo', 0))
  expect(counts.failed).toEqual(['skipped: unit › a.test.ts › waits'])
  expect(lastLine(counts)).toBe('1 passed, 1 failed, 0 skipped')
})

it('does not call a run good whose files could not be loaded or that broke outside of tests', () => {
  expect(summaryOf({ testResults: [file('failed')] }, 'unit', '/repo', 1).failed).toEqual([
    'unit › a.test.ts: SyntaxError',
  ])
  expect(summaryOf({ testResults: [file('passed', ['works', 'passed'])] }, 'unit', '/repo', 1).failed).toHaveLength(1)
  expect(summaryOf(undefined, 'unit', '/repo', 1).failed).toHaveLength(1)
})

it('names the files that failed, and says how long each took', () => {
  const report = { testResults: [{ ...file('failed', ['breaks', 'failed']), startTime: 1000, endTime: 3500 }] }
  expect(failedFiles(report, '/repo')).toEqual(['a.test.ts'])
  expect(failedFiles({ testResults: [file('passed', ['works', 'passed'])] }, '/repo')).toEqual([])
  expect(timesOf(report, 'unit', '/repo')).toEqual([['unit › a.test.ts', 2.5]])
})
