// Echo latency of a keystroke through the gateway, in OpenSSH and in the web terminal, compared with direct OpenSSH.
import { spawn } from 'node:child_process'
import { signIn } from '@castellan/testing/client'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { type ReachableHost, startReachableHost, type Way } from './reachable-host.ts'
import { percentile, type Result, report } from './results.ts'

/** Required number of quiet rounds, and maximum number of rounds. */
const rounds = 10
const triedRounds = 60
const keystrokes = 200
/** If the 99th percentile of direct OpenSSH exceeds this, other load used the processors. Milliseconds. */
const quiet = 3
/** Pause between two keystrokes; users do not type faster. Milliseconds. */
const rest = 3

/** A terminal in which a key can be pressed and its echo awaited. */
interface Terminal {
  /** Milliseconds until the echo. */
  press(key: string): Promise<number>
  close(): void
}

/** Creates one from a write function and an output callback. */
async function ready(
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
  const quiet = shows('ready-42')
  write('echo ready-$((40+2)); cat > /dev/null\r')
  await quiet
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

function openssh(way: Way): Promise<Terminal> {
  const child = spawn('ssh', ['-tt', ...way.words, '-p', `${way.port}`, '-l', way.login, way.host], { env: way.env })
  child.stdin.on('error', () => undefined)
  return ready(
    (text) => child.stdin.write(text),
    (listener) => child.stdout.setEncoding('utf8').on('data', listener),
    () => child.kill(),
  )
}

async function webTerminal({ product, asset, person }: ReachableHost): Promise<Terminal> {
  const client = await signIn(product.url, person.username, person.password)
  const cookie = await signInForCookies(product.url, person.username, person.password)
  const query = await terminalQuery(client, { asset: asset.id, account: 'person' })
  const { socket, type } = openWebTerminal(product.url, query, cookie)
  return ready(
    type,
    (listener) => socket.on('message', (data: Buffer, isBinary) => isBinary && listener(data.toString())),
    () => socket.close(),
  )
}

await using site = await startReachableHost()
const ways = { direct: openssh(site.direct), gateway: openssh(site.through), web: webTerminal(site) }
const terminals = { direct: await ways.direct, gateway: await ways.gateway, web: await ways.web }
const names = ['direct', 'gateway', 'web'] as const
type Round = Record<(typeof names)[number], { middle: number; slow: number }>
const tried: Round[] = []
const isQuiet = (round: Round) => round.direct.slow <= quiet
for (let at = 0; at < triedRounds && tried.filter(isQuiet).length < rounds; at++) tried.push(await oneRound())
for (const name of names) terminals[name].close()

const calm = tried.filter(isQuiet)
if (calm.length < rounds)
  console.log(`The machine was busy: only ${calm.length} of ${tried.length} rounds were quiet, so all of them count.`)
const counted = calm.length < rounds ? tried : calm
const results: Result[] = []
for (const name of names) {
  const median = (of: (round: Round) => number) => percentile(counted.map(of), 0.5)
  const slow = median((round) => round[name].slow)
  console.log(
    `${name.padEnd(8)} median ${median((round) => round[name].middle).toFixed(2)} ms, 99th percentile ${slow.toFixed(2)} ms`,
  )
  if (name === 'direct') continue
  const what = `${name === 'web' ? 'web terminal' : 'OpenSSH'}: added to an echo, 99th percentile`
  const value = median((round) => round[name].slow - round.direct.slow)
  results.push({ what, value, unit: 'ms', limit: { most: 2 } })
}
report(results)

/** Presses keys in all terminals in turn. */
async function oneRound(): Promise<Round> {
  const times = { direct: [] as number[], gateway: [] as number[], web: [] as number[] }
  for (let at = 0; at < keystrokes; at++) {
    const key = String.fromCharCode(97 + (at % 26))
    for (const name of names) {
      times[name].push(await terminals[name].press(key))
      await new Promise((settle) => setTimeout(settle, rest))
    }
  }
  const of = (samples: number[]) => ({ middle: percentile(samples, 0.5), slow: percentile(samples, 0.99) })
  return { direct: of(times.direct), gateway: of(times.gateway), web: of(times.web) }
}
