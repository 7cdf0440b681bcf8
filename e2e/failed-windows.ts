/** Prints what the browser shows when a test fails. */
import { shownInWindows } from '@castellan/testing/browser'
import { beforeEach } from 'vitest'

beforeEach(({ onTestFailed }) => {
  onTestFailed(async ({ task }) => {
    const shown = await shownInWindows()
    if (shown) process.stderr.write(`\n${task.name}: the browser shows\n${shown}\n`)
  })
})
