/** What is said of a run of Ansible on its descriptor. A playbook can write there as well: nothing in it is believed. */
import { isObject } from '../../../kernel/fields/safe-lookup.ts'

const colors = { ok: 32, changed: 33, failed: 31, unreachable: 31, skipped: 36 } as const
type TaskStatus = keyof typeof colors

/** Characters of one field, as `castellan.py` cuts them. */
const longestText = 16_384
const longestTask = 1024

/** How a task went on a host. */
interface TaskEvent {
  readonly host: string
  readonly task: string
  readonly status: TaskStatus
  readonly isIgnored: boolean
  readonly message: string
  readonly stdout: string
  readonly stderr: string
}

/** An event, or undefined for anything else. */
export function eventIn(line: string): TaskEvent | { readonly ended: Record<string, unknown> } | undefined {
  let event: unknown
  try {
    event = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isObject(event)) return undefined
  if (isObject(event.ended)) return { ended: event.ended }
  const { host, status, ignored } = event
  if (typeof host !== 'string' || typeof status !== 'string' || !Object.hasOwn(colors, status)) return undefined
  const text = (name: string, most = longestText) =>
    typeof event[name] === 'string' ? (event[name] as string).slice(0, most) : ''
  return {
    ...{ host, task: text('task', longestTask), status: status as TaskStatus, isIgnored: ignored === true },
    ...{ message: text('message'), stdout: text('stdout'), stderr: text('stderr') },
  }
}

const indented = (text: string) => (text.trim() === '' ? '' : `${text.trimEnd().replace(/^/gm, '    ')}\n`)

/** An event as the log of its host shows it. */
export function shownEvent({ task, status, isIgnored, message, stdout, stderr }: TaskEvent): string {
  const head = `${status}: ${task}${isIgnored ? ' (ignored)' : ''}`
  return `\u001b[${colors[status]}m${head}\u001b[0m\n${indented(message)}${indented(stdout)}${indented(stderr)}`
}
