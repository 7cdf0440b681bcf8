import { CommandMachine } from './command-machine.ts'
import type { ReadCommand } from './continued-line.ts'
import type { Decision, ReaderEffect, ReaderEvent } from './reader-events.ts'

/**
 * A recorded session as text, a line for each event with its time, and behind it, marked by an arrow, what came of it:
 *
 *     size 80 24
 *     12.5 keys "ls\r"
 *     -> decide "ls"
 *     12.6 decided {"run":true,"risk":0}
 *     -> send "\r"
 */
export function traceLines(event: ReaderEvent, effects: readonly ReaderEffect[]): string[] {
  return [`${event.at} ${eventText(event)}`.trimEnd(), ...effects.map((effect) => `-> ${effectText(effect)}`)]
}

/** Replays the events of a trace: the result is the same as long as nothing has changed. Decisions are made again. */
export function replay(trace: string, decide: (command: ReadCommand) => Decision): string {
  const [first = '', ...lines] = trace.trimEnd().split('\n')
  const [, cols, rows] = first.split(' ')
  const machine = new CommandMachine({ cols: Number(cols), rows: Number(rows) }, true)
  let asked: ReadCommand | undefined
  const told = lines
    .filter((line) => !line.startsWith('->'))
    .map(eventOf)
    .flatMap((recorded) => {
      const event = recorded.kind === 'decided' && asked ? { ...recorded, decision: decide(asked) } : recorded
      const effects = machine.step(event)
      for (const effect of effects) if (effect.kind === 'decide') asked = effect.command
      return traceLines(event, effects)
    })
  return `${[first, ...told].join('\n')}\n`
}

/** Bytes as characters one by one, so that control characters are readable. */
const quoted = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1'))

function eventText(event: ReaderEvent): string {
  switch (event.kind) {
    case 'keys':
    case 'output':
      return `${event.kind} ${quoted(event.bytes)}`
    case 'decided':
      return `decided ${JSON.stringify(event.decision)}`
    case 'resize':
      return `resize ${JSON.stringify([event.cols, event.rows])}`
    default:
      return event.kind
  }
}

function effectText(effect: ReaderEffect): string {
  switch (effect.kind) {
    case 'send':
      return `send ${quoted(effect.bytes)}`
    case 'decide':
      return `decide ${JSON.stringify(effect.command.text)}`
    case 'begun':
    case 'completed': {
      const { text, shown, unread, risk } = effect.command
      return `${effect.kind} ${JSON.stringify({ text, shown, unread, risk })}`
    }
    case 'notice':
      return `notice ${JSON.stringify(effect.text)}`
    default:
      return effect.kind
  }
}

function eventOf(line: string): ReaderEvent {
  const [, time, kind, rest] = /^(\S+) (\S+) ?(.*)$/u.exec(line) ?? []
  const at = Number(time)
  const data = rest ? (JSON.parse(rest) as unknown) : undefined
  switch (kind) {
    case 'keys':
    case 'output':
      return { kind, at, bytes: Buffer.from(data as string, 'latin1') }
    case 'decided':
      return { kind, at, decision: data as { run: true; risk: number } }
    case 'resize': {
      const [cols, rows] = data as [number, number]
      return { kind, at, cols, rows }
    }
    case 'time':
    case 'close':
      return { kind, at }
    default:
      throw new Error(`no event of a trace: ${line}`)
  }
}
