import { readFileSync } from 'node:fs'

/**
 * Whether a process runs. One that has ended stays in the table until its parent asks how; the first process of a
 * container, which becomes the parent of orphans, may take long for that.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    // proc_pid_stat(5): the state follows the name, which is in parentheses and may contain some.
    return !/^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
