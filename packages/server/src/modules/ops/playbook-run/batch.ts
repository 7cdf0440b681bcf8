/** Hosts that one run of `ansible-playbook` works on together. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runKeys } from '@castellan/connectors/commands'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { beginningOf, boundedLines, SaidTooMuch } from '../../../kernel/untrusted/bounded-lines.ts'
import { entryNames, type PlaybookFile } from '../playbook-file.ts'
import { eventIn, shownEvent } from './events.ts'
import { furnish, type InventoryHost, inventoryOf, unsafe } from './furnish.ts'
import { makeRunFolder, type RunFolder, startInSandbox } from './sandbox.ts'

/** A host while it is worked on. */
export interface PlayedHost extends InventoryHost {
  /** Takes output; a promise makes the writer wait. */
  write(text: string): Promise<void> | undefined
}

/** How a playbook ended on one host. */
export interface PlayedEnd {
  readonly isGood: boolean
  /** Why, if it is not good: words of Ansible. */
  readonly reason: string
  readonly isUnreachable: boolean
}

interface Joined extends PlayedHost {
  settle(end: PlayedEnd): void
  readonly failed: string[]
  lost: boolean
}

/** Characters of what Ansible says about itself, such as errors of syntax. */
const longestWords = 8192
/** What a run may say of its hosts; each field of an event is cut by the plugin, and what else writes there is bounded. */
const eventBounds = { line: 512 * 1024, total: 256 * 1_048_576, longer: 'fail' } as const
/** Statuses of a run that came to its end, whatever happened on its hosts. */
const endedStatuses: readonly (number | null)[] = [0, 2, 4, 6, 8]
/** Tasks that failed, and characters of each, of which a host tells. */
const mostReasons = 10
const longestReason = 300
/** Hosts arrive together; a batch begins when nobody is on the way any more, and no earlier than this. Milliseconds. */
const gathering = 150

/** One run of Ansible: hosts join it, and each learns how it ended there. */
export class Batch implements AsyncDisposable {
  readonly keys = runKeys()
  readonly folder: RunFolder
  readonly #signal: AbortSignal
  readonly #vars: Readonly<Record<string, string>>
  readonly #entry: string
  readonly #log: (line: string) => Promise<void>
  readonly #hosts = new Map<string, Joined>()
  readonly #numbers = new Map<string, string>()
  #arriving = 0
  #began = false
  #timer: NodeJS.Timeout | undefined

  private constructor(
    folder: RunFolder,
    entry: string,
    vars: Readonly<Record<string, string>>,
    signal: AbortSignal,
    log: (line: string) => Promise<void>,
  ) {
    this.folder = folder
    this.#entry = entry
    this.#vars = vars
    this.#signal = signal
    this.#log = log
  }

  /** @param vars values of parameters, secret ones too */
  static async make(
    files: readonly PlaybookFile[],
    vars: Readonly<Record<string, string>>,
    signal: AbortSignal,
    log: (line: string) => Promise<void>,
  ): Promise<Batch> {
    const folder = await makeRunFolder()
    try {
      const entry = entryNames.find((name) => files.some(({ path }) => path === name)) ?? entryNames[0]
      const batch = new Batch(folder, entry, vars, signal, log)
      await furnish(folder, files, batch.keys)
      return batch
    } catch (error) {
      await folder[Symbol.asyncDispose]()
      throw error
    }
  }

  get hasBegun(): boolean {
    return this.#began
  }

  /** Somebody is on the way: the batch waits. Returns what they call when they are there or never will be. */
  announce(): () => void {
    this.#arriving++
    clearTimeout(this.#timer)
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      this.#arriving--
      this.#beginSoon()
    }
  }

  /** Names of assets are long, and anything may be in them: files and connections have numbers. */
  socketOf(name: string): string {
    return join(this.folder.play, 'hosts', this.#numberOf(name))
  }

  #numberOf(name: string): string {
    const known = this.#numbers.get(name) ?? `h${this.#numbers.size + 1}`
    this.#numbers.set(name, known)
    return known
  }

  /** Works on a host. @param lost aborted when its connection is lost or it is to end */
  join(host: PlayedHost, lost: AbortSignal): Promise<PlayedEnd> {
    return new Promise((settle) => {
      const joined: Joined = { ...host, settle, failed: [], lost: false }
      this.#hosts.set(host.name, joined)
      const onLost = () => {
        joined.lost = true
        const reason = String((lost.reason as Error | undefined)?.message ?? '')
        settle({ isGood: false, reason, isUnreachable: true })
        if ([...this.#hosts.values()].every((one) => one.lost)) this.#stop?.()
      }
      if (lost.aborted) onLost()
      lost.addEventListener('abort', onLost, { once: true })
      this.#beginSoon()
    })
  }

  #beginSoon(): void {
    clearTimeout(this.#timer)
    if (this.#began || this.#arriving > 0 || this.#hosts.size === 0) return
    this.#timer = setTimeout(() => {
      if (this.#arriving > 0) return
      this.#began = true
      this.#play().catch((error: unknown) => this.#settleRest(error instanceof Error ? error.message : String(error)))
    }, gathering)
  }

  #stop: (() => void) | undefined
  /** What was said of the end of each host. */
  readonly #ends = new Map<string, PlayedEnd>()

  async #play(): Promise<void> {
    const hosts = [...this.#hosts.values()]
    await writeFile(
      join(this.folder.play, 'inventory.yml'),
      inventoryOf(hosts, (name) => this.#numberOf(name)),
      { mode: 0o600 },
    )
    // Secret values are in the folder of the run alone, which nobody else may enter and which ends with it.
    await writeFile(join(this.folder.play, 'vars.yml'), unsafe(this.#vars) || '{}\n', { mode: 0o600 })
    await this.folder.hand()
    const { child, events } = startInSandbox(this.folder, [
      ...['env', 'ANSIBLE_CONFIG=/play/ansible.cfg', 'ansible-playbook'],
      ...['-e', '@/play/vars.yml', `/play/project/${this.#entry}`],
    ])
    const stop = () => void child.kill('SIGKILL')
    this.#stop = stop
    if (this.#signal.aborted) stop()
    this.#signal.addEventListener('abort', stop, { once: true })
    const words = beginningOf([child.stdout, child.stderr], longestWords)
    const over = once(child, 'close')
    // It is waited for below; an error of the stream may come first.
    over.catch(() => undefined)
    let reason = ''
    try {
      for await (const line of boundedLines(events, eventBounds)) await this.#take(line)
      const [status] = (await over) as [number | null]
      // What was said of the end counts only of a run that came to its end.
      if (endedStatuses.includes(status)) for (const [name, end] of this.#ends) this.#hosts.get(name)?.settle(end)
    } catch (error) {
      if (!(error instanceof SaidTooMuch)) throw error
      reason = `the playbook was ended: ${error.message} to the log of its events`
    } finally {
      stop()
      this.#signal.removeEventListener('abort', stop)
      for (const said of [words().trim(), reason]) if (said !== '') await this.#log(said.replaceAll('\n', '\r\n'))
      this.#settleRest(reason || words().trim().slice(-300))
    }
  }

  async #take(line: string): Promise<void> {
    const event = eventIn(line)
    if (!event) return
    if ('ended' in event) return this.#end(event.ended)
    const host = this.#hosts.get(event.host)
    if (!host) return
    const isBad = event.status === 'failed' || event.status === 'unreachable'
    if (isBad && !event.isIgnored && host.failed.length < mostReasons)
      host.failed.push(`${event.task}: ${event.message}`.slice(0, longestReason))
    await host.write(shownEvent(event))
  }

  #end(ended: Record<string, unknown>): void {
    for (const [name, host] of this.#hosts) {
      const counts = ended[name]
      // No play was about it.
      if (!isObject(counts)) continue
      const isUnreachable = Number(counts.unreachable) > 0
      const isGood = !isUnreachable && Number(counts.failures) === 0
      this.#ends.set(name, { isGood, isUnreachable, reason: isGood ? '' : host.failed.join('; ').slice(0, 300) })
    }
  }

  /** Hosts that nothing was said about. */
  #settleRest(reason: string): void {
    for (const host of this.#hosts.values())
      host.settle({ isGood: false, isUnreachable: false, reason: host.failed.join('; ').slice(0, 300) || reason })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    this.#stop?.()
    await this.folder[Symbol.asyncDispose]()
  }
}
