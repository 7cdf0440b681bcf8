/** The result of a part of the run. Each gate counts as one test. */
export interface TestSummary {
  passed: number
  /** Names of failed tests. */
  failed: string[]
  /** Names of skipped tests with their requirements. */
  skipped: string[]
}

export function emptySummary(): TestSummary {
  return { passed: 0, failed: [], skipped: [] }
}

export function add(total: TestSummary, part: TestSummary): void {
  total.passed += part.passed
  total.failed.push(...part.failed)
  total.skipped.push(...part.skipped)
}

/** What a run came to where nothing may be skipped: a test that was is one that failed. */
export function demandingAll({ passed, failed, skipped }: TestSummary): TestSummary {
  return { passed, failed: [...failed, ...skipped.map((name) => `skipped: ${name}`)], skipped: [] }
}

/** The line the whole run ends with. */
export function lastLine({ passed, failed, skipped }: TestSummary): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`
}

/** The parts of Vitest's JSON report that we use. */
export interface VitestReport {
  testResults: {
    name: string
    status: string
    message?: string
    /** Milliseconds since 1970. */
    startTime?: number
    endTime?: number
    assertionResults: { fullName: string; status: string }[]
  }[]
}

/** How long each file of a report took: its name with the project, and seconds. */
export function timesOf(report: VitestReport | undefined, project: string, root: string): [string, number][] {
  return (report?.testResults ?? []).map(({ name, startTime = 0, endTime = 0 }) => [
    `${project} › ${name.replace(`${root}/`, '')}`,
    (endTime - startTime) / 1000,
  ])
}

/** The files of a report in which something failed, relative to the repository. */
export function failedFiles(report: VitestReport | undefined, root: string): string[] {
  return (report?.testResults ?? [])
    .filter(({ status, assertionResults }) => status === 'failed' || assertionResults.some(isFailed))
    .map(({ name }) => name.replace(`${root}/`, ''))
}

const isFailed = ({ status }: { status: string }) => status === 'failed'

/**
 * Counts a report of Vitest. A file that could not be loaded has no tests to fail, so it counts as one; so does a run
 * that failed although every test passed (an error outside of tests).
 * @param project prefix of every name
 * @param root removed from file names
 * @param code Vitest's exit code
 * @param without files that are counted elsewhere, because they run once more
 */
export function summaryOf(
  report: VitestReport | undefined,
  project: string,
  root: string,
  code: number,
  without: readonly string[] = [],
): TestSummary {
  const counts = emptySummary()
  for (const file of report?.testResults ?? []) {
    const name = file.name.replace(`${root}/`, '')
    if (without.includes(name)) continue
    for (const test of file.assertionResults) {
      const full = `${project} › ${name} › ${test.fullName}`
      if (test.status === 'passed') counts.passed++
      else if (test.status === 'failed') counts.failed.push(full)
      else counts.skipped.push(full)
    }
    if (file.status === 'failed' && !file.assertionResults.some(isFailed)) {
      counts.failed.push(`${project} › ${name}: ${(file.message ?? 'could not be run').split('\n')[0]}`)
    }
  }
  if (code !== 0 && counts.failed.length === 0 && without.length === 0)
    counts.failed.push(`${project}: Vitest ended with code ${code}`)
  return counts
}
