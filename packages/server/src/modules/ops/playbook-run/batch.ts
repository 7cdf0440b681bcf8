/** Hosts that one run of `ansible-playbook` works on together. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type RunKeys, runKeys } from '@castellan/connectors/commands'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { bytesOf, entryNames, type PlaybookFile } from '../playbook-files.ts'
import { giveProgram, makeRunFolder, type RunFolder, startInSandbox } from './sandbox.ts'

/** What is told of a host while it is worked on. */
export interface PlayedHost {
  /** Its name in the inventory. */
  readonly name: string
  readonly username: string
  /** Whether the worker switches to other accounts of the host where a play becomes them. */
  readonly switches: boolean
  /** Variables that are about this host. */
  readonly variables: Readonly<Record<string, string>>
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

const colors = { ok: 32, changed: 33, failed: 31, unreachable: 31, skipped: 36 } as const
type TaskStatus = keyof typeof colors

/** Characters of what Ansible says about itself, such as errors of syntax. */
const longestWords = 8192
/** Hosts arrive together; a batch begins when nobody is on the way any more, and no earlier than this. Milliseconds. */
const gathering = 150

const lineOf = (text: unknown, prefix = '    ') =>
  typeof text === 'string' && text.trim() !== '' ? `${text.trimEnd().replace(/^/gm, prefix)}\n` : ''

/** The files, keys and settings of a run in its folder. */
async function furnish(folder: RunFolder, files: readonly PlaybookFile[], keys: RunKeys): Promise<void> {
  const project = join(folder.play, 'project')
  for (const file of files) {
    const path = join(project, file.path)
    if (file.is_directory) await mkdir(path, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(path, bytesOf(file), { mode: 0o600 })
    }
  }
  await giveProgram(folder, 'connect.py', 'connect.py')
  await giveProgram(folder, 'castellan.py', 'plugins/castellan.py')
  await giveProgram(folder, 'become.py', 'become/castellan.py')
  await writeFile(join(folder.play, 'key'), keys.client.private, { mode: 0o600 })
  await writeFile(
    join(folder.play, 'ansible.cfg'),
    [
      '[defaults]',
      'stdout_callback = castellan',
      'callback_plugins = /play/plugins',
      'become_plugins = /play/become',
      'inventory = /play/inventory.yml',
      'forks = 20',
      'retry_files_enabled = False',
      'local_tmp = /tmp/ansible',
      'private_key_file = /play/key',
      'host_key_checking = False',
      'interpreter_python = auto_silent',
      '[ssh_connection]',
      'pipelining = True',
      // Only commands are forwarded.
      'transfer_method = piped',
      'ssh_args = -F /dev/null -o ControlMaster=no -o IdentitiesOnly=yes -o UserKnownHostsFile=/dev/null',
      '',
    ].join('\n'),
  )
}

/** Values as YAML that is never read as a template: names of assets and parameters are written by others. */
const unsafe = (values: Readonly<Record<string, string>>, indent = '') =>
  Object.entries(values)
    .map(([name, value]) => `${indent}${JSON.stringify(name)}: !unsafe ${JSON.stringify(value)}\n`)
    .join('')

function inventoryOf(hosts: readonly Joined[], numberOf: (name: string) => string): string {
  const each = hosts.map(({ name, username, switches, variables }) => {
    const values = {
      ...variables,
      ansible_connection: 'ssh',
      ansible_host: numberOf(name),
      ansible_user: username,
      ...(switches ? { ansible_become_method: 'castellan' } : {}),
      ansible_ssh_common_args: `-o ProxyCommand="python3 /play/connect.py /play/hosts/${numberOf(name)}"`,
    }
    return `    ${JSON.stringify(name)}:\n${unsafe(values, '      ')}`
  })
  return `all:\n  hosts:\n${each.join('')}`
}

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
    let words = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (words.length < longestWords) words += text.slice(0, longestWords - words.length)
      })
    const over = once(child, 'close')
    try {
      for await (const line of createInterface({ input: events })) await this.#take(line)
      await over
    } finally {
      stop()
      this.#signal.removeEventListener('abort', stop)
      if (words.trim() !== '') await this.#log(words.trim().replaceAll('\n', '\r\n'))
      this.#settleRest(words.trim().slice(-300))
    }
  }

  async #take(line: string): Promise<void> {
    let event: unknown
    try {
      event = JSON.parse(line)
    } catch {
      return
    }
    if (!isObject(event)) return
    if (isObject(event.ended)) return this.#end(event.ended)
    const host = typeof event.host === 'string' ? this.#hosts.get(event.host) : undefined
    const status = event.status as TaskStatus
    if (!host || !Object.hasOwn(colors, status)) return
    const shown = `${status}: ${String(event.task ?? '')}${event.ignored === true ? ' (ignored)' : ''}`
    const isBad = status === 'failed' || status === 'unreachable'
    const text = `\u001b[${colors[status]}m${shown}\u001b[0m\n${lineOf(event.message)}${lineOf(event.stdout)}${lineOf(event.stderr)}`
    if (isBad && event.ignored !== true) host.failed.push(`${String(event.task ?? '')}: ${String(event.message ?? '')}`)
    await host.write(text)
  }

  #end(ended: Record<string, unknown>): void {
    for (const [name, host] of this.#hosts) {
      const counts = ended[name]
      // No play was about it.
      if (!isObject(counts)) continue
      const isUnreachable = Number(counts.unreachable) > 0
      const isGood = !isUnreachable && Number(counts.failures) === 0
      host.settle({ isGood, isUnreachable, reason: isGood ? '' : host.failed.join('; ').slice(0, 300) })
    }
    this.#settleRest('')
  }

  /** Hosts that nothing was said about. */
  #settleRest(reason: string): void {
    for (const host of this.#hosts.values())
      host.settle({ isGood: false, isUnreachable: false, reason: host.failed.join('; ') || reason })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    this.#stop?.()
    await this.folder[Symbol.asyncDispose]()
  }
}
