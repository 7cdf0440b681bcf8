import { spawn } from 'node:child_process'
import type { Way } from './reachable-host.ts'
import { percentile } from './results.ts'

/** Required number of quiet rounds, and maximum number of rounds. */
const rounds = 10
const triedRounds = 60
const keystrokes = 200
/** If the 99th percentile of the reference exceeds this, other load used the processors. Milliseconds. */
const quiet = 3
/** Pause between two keystrokes; users do not type faster. Milliseconds. */
const rest = 3

/** A terminal in which a key can be pressed and its echo awaited. */
export interface Terminal {
  /** Milliseconds until the echo. */
  press(key: string): Promise<number>
  close(): void
}

/** Creates one from a write function and an output callback. */
export async function echoTerminal(
  write: (text: string) => void,
  listen: (listener: (text: string) => void) => void,
  close: () => void,
): Promise<Terminal> {
  let onText: (text: string) => void = () => undefined
  listen((text) => onText(text))
  const shows = (what: string) =>
    new Promise<void>((resolve) => {
      let seen = ''
      onText = (text) => {
        seen += text
        if (seen.includes(what)) resolve()
      }
    })
  await shows('$ ')
  // Only the echo of the target's terminal, without a shell's line editor.
  const ready = shows('ready-42')
  write('echo ready-$((40+2)); cat > /dev/null\r')
  await ready
  return {
    async press(key) {
      const echo = shows(key)
      const began = performance.now()
      write(key)
      await echo
      return performance.now() - began
    },
    close,
  }
}

/** A terminal of OpenSSH's client. */
export function openssh(way: Way): Promise<Terminal> {
  const child = spawn('ssh', ['-tt', ...way.words, '-p', `${way.port}`, '-l', way.login, way.host], { env: way.env })
  child.stdin.on('error', () => undefined)
  return echoTerminal(
    (text) => child.stdin.write(text),
    (listener) => child.stdout.setEncoding('utf8').on('data', listener),
    () => child.kill(),
  )
}

/** Milliseconds of the echoes of one round: the median, and the 99th percentile. */
export type Round<Name extends string> = Record<Name, { middle: number; slow: number }>

/** Presses keys in all terminals in turn. */
async function oneRound<Name extends string>(terminals: Readonly<Record<Name, Terminal>>): Promise<Round<Name>> {
  const all = Object.entries(terminals) as [Name, Terminal][]
  const times = new Map<Name, number[]>(all.map(([name]) => [name, []]))
  for (let at = 0; at < keystrokes; at++) {
    const key = String.fromCharCode(97 + (at % 26))
    for (const [name, terminal] of all) {
      times.get(name)?.push(await terminal.press(key))
      await new Promise((settle) => setTimeout(settle, rest))
    }
  }
  const of = (samples: number[]) => ({ middle: percentile(samples, 0.5), slow: percentile(samples, 0.99) })
  return Object.fromEntries([...times].map(([name, samples]) => [name, of(samples)])) as Round<Name>
}

/**
 * Measures echoes in rounds, and closes the terminals. Only rounds in which the reference was quiet count, if there are
 * enough of them. Prints the medians.
 */
export async function measureEchoes<Name extends string>(
  terminals: Readonly<Record<Name, Terminal>>,
  reference: NoInfer<Name>,
): Promise<Round<Name>[]> {
  const tried: Round<Name>[] = []
  const isQuiet = (round: Round<Name>) => round[reference].slow <= quiet
  for (let at = 0; at < triedRounds && tried.filter(isQuiet).length < rounds; at++)
    tried.push(await oneRound(terminals))
  const names = Object.keys(terminals) as Name[]
  for (const name of names) terminals[name].close()
  const calm = tried.filter(isQuiet)
  if (calm.length < rounds)
    console.log(`The machine was busy: only ${calm.length} of ${tried.length} rounds were quiet, so all of them count.`)
  const counted = calm.length < rounds ? tried : calm
  for (const name of names) {
    const [middle, slow] = [medianOf(counted, (round) => round[name].middle), medianOf(counted, (r) => r[name].slow)]
    console.log(`${name.padEnd(10)} median ${middle.toFixed(2)} ms, 99th percentile ${slow.toFixed(2)} ms`)
  }
  return counted
}

/** The median of a number over all rounds. */
export const medianOf = <Item>(rounds: readonly Item[], of: (round: Item) => number): number =>
  percentile(rounds.map(of), 0.5)
