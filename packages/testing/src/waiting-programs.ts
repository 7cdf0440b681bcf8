import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: string
  parent: string
  name: string
  isWaiting: boolean
}

/** What a process is about to do; undefined when it has ended meanwhile. */
function processOf(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const [state = '', parent = ''] = stat.slice(end + 2).split(' ')
    return { pid, parent, name: stat.slice(stat.indexOf('(') + 1, end), isWaiting: !'RD'.includes(state) }
  } catch {
    return undefined
  }
}

function hasVariable(pid: string, variable: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${variable}\0`)
  } catch {
    return false
  }
}

/**
 * Whether everything behind a terminal waits: the programs that were started with this variable (`NAME=value`), and the
 * sshd with this process id that stands between them and us. A program that is computing, or that has something to read
 * and has not yet got a processor, does not wait; one that sleeps does. True on systems without /proc.
 */
export function programsWait(variable: string, sshd: number): boolean {
  let pids: string[]
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name))
  } catch {
    return true
  }
  const all = new Map(pids.flatMap((pid) => processOf(pid) ?? []).map((process) => [process.pid, process]))
  const isBehind = (process: Process | undefined): boolean =>
    process !== undefined && (process.pid === String(sshd) || isBehind(all.get(process.parent)))
  for (const process of all.values()) {
    if (process.isWaiting) continue
    if (process.name.startsWith('sshd') ? isBehind(process) : hasVariable(process.pid, variable)) return false
  }
  return true
}
