import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A clock that the demo and the programs it starts share. */
export interface SharedClock extends Disposable {
  /** Environment of programs that follow it. */
  env: Record<string, string>
  /** Sets it to a moment. Unix milliseconds. */
  moveTo(moment: number): Promise<void>
}

/** Longer than the programs take to notice. Milliseconds. */
const noticed = 40

/** Shifts the clock of this process until it is disposed of, and that of every program started with its `env`. */
export async function sharedClock(): Promise<SharedClock> {
  const realNow = Date.now
  const { setShift } = await import('./clock.ts')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-clock-'))
  const file = join(folder, 'shift')
  writeFileSync(file, '0')
  return {
    env: {
      DEMO_CLOCK_FILE: file,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'clock.ts'))}`,
    },
    async moveTo(moment) {
      const shift = Math.round(moment - realNow())
      writeFileSync(`${file}.new`, `${shift}`)
      renameSync(`${file}.new`, file)
      setShift(shift)
      await new Promise((settle) => setTimeout(settle, noticed))
    },
    [Symbol.dispose]() {
      setShift(0)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
