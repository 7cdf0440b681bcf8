/** Prints what the browser shows when a test fails, and lets no other test go on from there. */
import { shownInWindows } from '@castellan/testing/browser'
import { loadWindowsAgain } from '@castellan/testing/console-visit'
import { beforeEach } from 'vitest'

beforeEach(({ onTestFailed }) => {
  onTestFailed(async ({ task }) => {
    loadWindowsAgain()
    const shown = await shownInWindows()
    if (shown) process.stderr.write(`\n${task.name}: the browser shows\n${shown}\n`)
  })
})
