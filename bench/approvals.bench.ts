// From a decision to its effect: how long a command under review waits after its approval, in a terminal of OpenSSH.
import { spawn } from 'node:child_process'
import { type AnyRow, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { startReachableHost, type Way } from './reachable-host.ts'
import { percentile, report } from './results.ts'

const rounds = 20
const password = 'Decides-quickly-1'
const commands = '/api/v1/tickets/apply-command-tickets/'

/** A terminal whose output is waited for. */
function terminalOf(way: Way) {
  const child = spawn('ssh', ['-tt', ...way.words, '-p', `${way.port}`, '-l', way.login, way.host], { env: way.env })
  let seen = ''
  let onText: () => void = () => undefined
  child.stdin.on('error', () => undefined)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text
    onText()
  })
  return {
    /** Sends text; what was shown before does not count any more. */
    type(text: string) {
      seen = ''
      child.stdin.write(text)
    },
    shows: (what: string) =>
      new Promise<void>((settle) => {
        onText = () => seen.includes(what) && settle()
        onText()
      }),
    close: () => child.kill(),
  }
}

await using site = await startReachableHost()
const { admin, product, through } = site
const decider = await makePerson(admin, 'decides', password)
const reviewer = await signIn(product.url, 'decides', password)
const group = await admin
  .collection('acls/command-groups')
  .create({ name: 'reviewed', type: 'command', content: 'reviewed' })
await admin.collection('acls/command-filter-acls').create({
  ...{ name: 'ask', action: 'review', command_groups: [group.id], reviewers: [decider.id] },
  ...{ users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'] },
})

/** The ticket that is open now. */
async function asked(): Promise<AnyRow> {
  for (;;) {
    const rows = await reviewer.request<AnyRow[]>('GET', `${commands}?status=open`)
    const open = rows.find(({ status }) => (status as { value: string }).value === 'open')
    if (open) return open
    await new Promise((settle) => setTimeout(settle, 20))
  }
}

const terminal = terminalOf(through)
const waits: number[] = []
try {
  await terminal.shows('$ ')
  for (let round = 0; round < rounds; round++) {
    terminal.type(`echo reviewed-$((${round}+1000))\r`)
    await terminal.shows('requires approval')
    terminal.type('y')
    const { id } = await asked()
    const effect = terminal.shows(`reviewed-${round + 1000}`)
    const began = performance.now()
    await reviewer.request('PUT', `${commands}${id}/approve/`, {})
    await effect
    waits.push(performance.now() - began)
    await terminal.shows('$ ')
  }
} finally {
  terminal.close()
}
report([
  { what: 'approval to output, median', value: percentile(waits, 0.5), unit: 'ms', limit: { most: 1000 } },
  { what: 'approval to output, longest', value: Math.max(...waits), unit: 'ms', limit: { most: 1000 } },
])
