/** Folders of one run in the temporary folder of the machine. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes what a process that was killed left behind; its programs have ended with it. */
async function removeAbandoned(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (pid > 0 && pid !== process.pid && !isRunning(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

/** A new folder. Its name has the number of this process, so that others can tell whose it is. */
export async function newRunFolder(prefix: string): Promise<string> {
  await removeAbandoned(prefix)
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
}
