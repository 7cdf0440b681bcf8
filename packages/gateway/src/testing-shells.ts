import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFilter } from '@castellan/contract/command-rules/command-filter'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { programsWait } from '@castellan/testing/waiting-programs'
import ssh2 from 'ssh2'
import { CommandReader } from './rules/command-reader.ts'
import type { ReadCommand } from './rules/continued-line.ts'
import type { Decision } from './rules/reader-events.ts'
import { traceLines } from './rules/reader-trace.ts'

/** Rejects `rm -rf`, `shutdown`, and `rmdir` at the beginning of a line. */
const filter = new CommandFilter([
  {
    id: 'acl',
    name: 'no',
    action: 'reject',
    priority: 50,
    is_active: true,
    command_groups: [
      {
        id: 'g',
        name: 'g',
        ignore_case: true,
        pattern: 'rm\\s+\\-rf|\\bshutdown\\b|^rmdir\\b',
      },
    ],
  },
])

/** Decides as a session does whose rules reject these two. */
export function decideDangerous(command: ReadCommand): Decision {
  const { action, matched = '', suspicion } = filter.decide(command.readings, command)
  const refused = { run: false, risk: 5, notice: 'refused', matched, suspicion } as const
  return action === 'reject' ? refused : { run: true, risk: 0 }
}

/** A real shell behind a command reader. */
export interface Driven {
  log: { text: string; output: string; risk: number }[]
  reader: CommandReader
  /** All events and effects of the reader, line by line. */
  trace: string[]
  type(text: string): void
  picture(): string
  /** Waits until the reader holds no keys and the terminal is quiet. @param pause milliseconds without output */
  settle(pause?: number): Promise<void>
  /**
   * Waits until nothing was written for `pause` milliseconds and every program behind the terminal waits, at most for
   * `most`: on a busy machine silence alone says only that a program has not had its turn.
   */
  quiet(pause: number, most: number): Promise<void>
  until(check: () => boolean): Promise<void>
  /** Ends the shell. */
  end(): void
}

export const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const texts = (driven: Driven): string[] => driven.log.map((entry) => entry.text)

/** In the parts of an attack: waits until what was typed has taken effect, as a person does who looks at the screen. */
export const settled = Symbol('settled')

/** Shells of a real sshd, for testing the command reader. */
export class RealShells {
  private readonly sshd: RealSshd
  private readonly client: ssh2.Client

  private constructor(sshd: RealSshd, client: ssh2.Client) {
    this.sshd = sshd
    this.client = client
  }

  static async start(): Promise<RealShells> {
    const sshd = await startSshd()
    const client = new ssh2.Client()
    await new Promise((resolve, reject) => {
      client.once('ready', () => resolve(undefined)).once('error', reject)
      client.connect({ host: sshd.host, port: sshd.port, username: sshd.username, privateKey: sshd.privateKey })
    })
    return new RealShells(sshd, client)
  }

  /**
   * Types the parts, each when the previous one has taken effect (a number waits instead), in a shell whose home
   * contains the folder `name`. Returns whether the folder still exists, the log, the screen and the trace.
   */
  async attack(
    name: string,
    parts: readonly (string | number | typeof settled)[],
    open: () => Promise<Driven> = () => this.open(),
  ): Promise<{ isKept: boolean; log: Driven['log']; picture: string; trace: string[] }> {
    const victim = join(this.home, name)
    mkdirSync(victim, { recursive: true })
    const it = await open()
    for (const part of parts) {
      if (part === settled) await it.settle()
      else if (typeof part === 'number') await wait(part)
      else it.type(part)
      await it.quiet(120, 1500)
    }
    const isOver = () => it.log.some(({ risk }) => risk === 5) || it.picture().includes('unseen') || !existsSync(victim)
    for (const end = Date.now() + 3000; !isOver() && Date.now() < end; ) await wait(50)
    await it.quiet(300, 1500)
    const picture = it.picture()
    it.end()
    const isKept = existsSync(victim)
    rmSync(victim, { recursive: true, force: true })
    return { isKept, log: it.log, picture, trace: it.trace }
  }

  /** The home folder of every shell. */
  get home(): string {
    return this.sshd.home
  }

  async stop(): Promise<void> {
    this.client.end()
    await this.sshd.stop()
  }

  /**
   * A shell at its prompt, with an empty log.
   * @param delay delay of its output, as over a slow connection; milliseconds
   */
  async open(cols = 80, delay = 0): Promise<Driven> {
    // Programs are recognised by it; sshd takes no other names.
    const mark = randomUUID()
    const env = { LANG: 'C.UTF-8', LC_CASTELLAN: mark }
    const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      this.client.shell({ term: 'xterm-256color', cols, rows: 24 }, { env }, (error, stream) =>
        error ? reject(error) : resolve(stream),
      ),
    )
    const sshd = this.sshd.pid()
    const log: Driven['log'] = []
    const trace = [`size ${cols} 24`]
    let began: number | undefined
    let last = Date.now()
    let isOver = false
    const reader = new CommandReader(
      { cols, rows: 24 },
      {
        guarded: true,
        toTarget: (data) => channel.write(data),
        decide: decideDangerous,
        notice: (text) => reader.output(Buffer.from(`\r\n${text}\r\n`)),
        unseenNotice: () => 'unseen',
        unread: (typed) => `${typed} [unread]`.trim(),
        differing: (typed, shown) => `${typed} [shown: ${shown}]`,
        programNote: () => '[program]',
        begun: () => undefined,
        completed: (command) => log.push(command),
        drained: () => undefined,
        trace(event, effects) {
          began ??= event.at
          trace.push(...traceLines({ ...event, at: Math.round((event.at - began) * 100) / 100 }, effects))
        },
      },
    )
    const hear = (chunk: Buffer) => {
      last = Date.now()
      reader.output(chunk)
    }
    channel.on('data', (chunk: Buffer) => void (delay > 0 ? setTimeout(hear, delay, chunk) : hear(chunk)))
    const driven: Driven = {
      log,
      reader,
      trace,
      type: (text) => void reader.input(Buffer.from(text)),
      picture() {
        reader.screen.flush()
        const buffer = reader.screen.emulator.buffer.active
        return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true)).join(
          '\n',
        )
      },
      async settle(pause = 150) {
        do await driven.quiet(pause, 60_000)
        while (!reader.isIdle)
      },
      async quiet(pause, most) {
        const end = Date.now() + most
        const isQuiet = () => Date.now() - last >= pause && programsWait(`LC_CASTELLAN=${mark}`, sshd)
        do await wait(pause)
        while (!isQuiet() && Date.now() < end)
      },
      async until(check) {
        for (const end = Date.now() + 8000; !check(); await wait(20))
          if (Date.now() > end) throw new Error(`${JSON.stringify(log)}\n${driven.picture()}`)
      },
      end() {
        if (isOver) return
        isOver = true
        reader.close()
        channel.close()
      },
    }
    await driven.until(() => driven.picture().includes('$'))
    driven.type(" PS1='me@here:\\w$ '; export TERM=xterm-256color; bind 'set bell-style audible'\r")
    await driven.until(() => log.length === 1)
    await driven.settle(150 + delay)
    log.length = 0
    return driven
  }
}
