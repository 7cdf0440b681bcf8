// Memory of the gateway with 500 open terminals, half of them over SSH, half in the browser's protocol.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signIn } from '@castellan/testing/client'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import ssh2 from 'ssh2'
import { pidOf, startReachableHost } from './reachable-host.ts'
import { percentile, report } from './results.ts'

const count = 500
/** Connections opened concurrently. */
const atOnce = 8
const settleSeconds = 10

interface Terminal {
  type(text: string): void
  /** Output since the last input. */
  shown(): string
}

await using site = await startReachableHost()
const { product, person } = site
const client = await signIn(product.url, person.username, person.password)
const cookie = await signInForCookies(product.url, person.username, person.password)
const keyFile = join(product.dataDir, 'bench-key')
execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
await client.request('PATCH', '/api/v1/users/profile/', { public_key: readFileSync(`${keyFile}.pub`, 'utf8') })
const privateKey = readFileSync(keyFile)

const until = async (what: string, holds: () => boolean) => {
  const end = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`timeout: ${what}`)
    await new Promise((settle) => setTimeout(settle, 20))
  }
}

async function inBrowser(): Promise<Terminal> {
  const query = await terminalQuery(client, { asset: site.asset.id, account: 'person' })
  const terminal = openWebTerminal(product.url, query, cookie)
  return {
    type(text) {
      terminal.text = ''
      terminal.type(text)
    },
    shown: () => terminal.text,
  }
}

async function inSsh(): Promise<Terminal> {
  const connection = new ssh2.Client()
  const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
    // Later errors, when the product stops, are ignored.
    connection.on('error', reject)
    connection.once('ready', () =>
      connection.shell({ term: 'xterm-256color', cols: 100, rows: 30 }, (error, opened) =>
        error ? reject(error) : resolve(opened),
      ),
    )
    connection.connect({ host: product.sshHost, port: product.sshPort, username: site.through.login, privateKey })
  })
  let shown = ''
  channel.on('data', (data: Buffer) => {
    shown += data.toString()
  })
  return {
    type(text) {
      shown = ''
      channel.write(text)
    },
    shown: () => shown,
  }
}

const gateway = await pidOf(product, 'gateway')
/** Private memory of the gateway. Megabytes. */
const memory = () => {
  const rollup = readFileSync(`/proc/${gateway}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) / 1024
}

const terminals: Terminal[] = []
async function openMany(until_: number): Promise<void> {
  while (terminals.length < until_) {
    const batch = Array.from({ length: Math.min(atOnce, until_ - terminals.length) }, (_, at) =>
      at % 2 ? inSsh() : inBrowser(),
    )
    const opened = await Promise.all(batch)
    await Promise.all(opened.map((terminal) => until('a prompt', () => terminal.shown().includes('$ '))))
    // A screen full of text, with scrollback.
    for (const terminal of opened) terminal.type('seq -f "%040g" 1 200\r')
    await Promise.all(opened.map((one) => until('the text', () => one.shown().includes('00200\r\n'))))
    terminals.push(...opened)
    if (terminals.length % 100 < atOnce) console.log(`${terminals.length} open, ${memory().toFixed(0)} MB`)
  }
}

// The first ones load code and warm up shared data.
await openMany(atOnce)
await new Promise((settle) => setTimeout(settle, settleSeconds * 1000))
const before = memory()
await openMany(count + atOnce)
await new Promise((settle) => setTimeout(settle, settleSeconds * 1000))
const after = memory()
console.log(`gateway: ${before.toFixed(0)} MB with ${atOnce} terminals, ${after.toFixed(0)} MB with ${count} more`)

const echoes: number[] = []
for (const terminal of terminals) {
  const began = performance.now()
  terminal.type('echo still-$((40+2))\r')
  await until('an answer', () => terminal.shown().includes('still-42'))
  echoes.push(performance.now() - began)
}
console.log(`all ${terminals.length} of them respond, half of them within ${percentile(echoes, 0.5).toFixed(0)} ms`)
report([
  {
    what: `memory of each of ${count} open terminals`,
    value: (after - before) / count,
    unit: 'MB',
    limit: { most: 1 },
  },
])
