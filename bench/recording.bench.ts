// A terminal that prints 64 MB, recorded to the data folder and to an S3 storage: speed, and memory until it is stored.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { AnyRow } from '@castellan/testing/client'
import { startMoto } from '@castellan/testing/cloud-simulators'
import ssh2 from 'ssh2'
import { memoryOf } from './memory.ts'
import { startReachableHost } from './reachable-host.ts'
import { percentile, report } from './results.ts'

const megabytes = 64
const rounds = 3

await using site = await startReachableHost()
const moto = await startMoto()
const { product, admin } = site
const programs = (await product.status()).programs
const text = randomBytes((megabytes * 1024 * 1024 * 3) / 4).toString('base64')
writeFileSync(join(site.sshd.home, 'text'), text.replace(/.{99}/g, '$&\n'), { mode: 0o644 })

/** Shows the text in a terminal. Megabytes per second. */
async function show(): Promise<number> {
  const connection = new ssh2.Client()
  const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
    connection.on('error', reject)
    connection.once('ready', () =>
      connection.shell({ term: 'xterm-256color' }, (error, opened) => (error ? reject(error) : resolve(opened))),
    )
    const { password } = site.person
    connection.connect({ host: product.sshHost, port: product.sshPort, username: site.through.login, password })
  })
  let shown = ''
  channel.on('data', (data: Buffer) => {
    shown = (shown + data.toString('latin1')).slice(-200)
  })
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await delay(10)
  }
  await until(() => /[$#] $/.test(shown))
  const began = performance.now()
  channel.write(`cat ${join(site.sshd.home, 'text')}; echo end-$((1+1))\r`)
  await until(() => shown.includes('end-2'))
  const speed = megabytes / ((performance.now() - began) / 1000)
  const closed = new Promise((settle) => channel.once('close', settle))
  channel.write('exit\r')
  await closed
  connection.end()
  return speed
}

/** Waits until all recordings are where they belong. */
async function stored(): Promise<void> {
  for (;;) {
    const sessions = await admin.collection<AnyRow>('terminal/sessions').all({ is_finished: true })
    const storages = await admin.collection<AnyRow>('terminal/replay-storages').all()
    if (sessions.every(({ has_replay }) => has_replay) && storages.every(({ waiting }) => waiting === 0)) return
    await delay(300)
  }
}

const pids = [programs.server.pid, programs.worker.pid, programs.gateway.pid].map(Number)
const memory = () => pids.reduce((sum, pid) => sum + memoryOf(pid), 0)
let most = 0
let isDone = false
const watched = (async () => {
  while (!isDone) {
    most = Math.max(most, memory())
    await delay(300)
  }
})()
try {
  await fetch(`${moto.url}/recordings`, { method: 'PUT' })
  const meta = { BUCKET: 'recordings', ACCESS_KEY: 'AKIA', SECRET_KEY: 'secret', ENDPOINT: moto.url }
  await admin.request('POST', '/api/v1/terminal/replay-storages/?type=s3', {
    ...{ name: 's3', type: 's3', meta },
  })
  const [own] = await admin.collection<AnyRow>('terminal/replay-storages').all({ name: 'default' })
  const [component] = await admin.collection<AnyRow>('terminal/terminals').all({ type: 'koko' })
  const use = (name: string) =>
    admin.collection('terminal/terminals').change(String(component?.id), { replay_storage: name })
  const speeds: Record<string, number[]> = { 'data folder': [], S3: [] }
  const memories: Record<string, number[]> = { 'data folder': [], S3: [] }
  for (let round = 0; round <= rounds; round++)
    for (const [what, storage] of [
      ['data folder', String(own?.name)],
      ['S3', 's3'],
    ] as const) {
      await use(storage)
      // The gateway reads its settings every few seconds.
      await delay(12_000)
      most = 0
      const speed = await show()
      await stored()
      // The first round loads code.
      if (round === 0) continue
      speeds[what]?.push(speed)
      memories[what]?.push(most)
    }
  const objects = await (await fetch(`${moto.url}/recordings`)).text()
  const median = (samples: readonly number[] = []) => percentile(samples, 0.5)
  for (const [what, samples] of Object.entries(speeds))
    console.log(`${what}: ${median(samples).toFixed(1)} MB/s, ${median(memories[what]).toFixed(0)} MiB`)
  report([
    {
      what: 'speed with S3, of that with the data folder',
      value: median(speeds.S3) / median(speeds['data folder']),
      unit: '×',
      limit: { least: 0.9 },
    },
    {
      what: 'memory with S3, above that',
      value: median(memories.S3) - median(memories['data folder']),
      unit: 'MiB',
      limit: { most: 50 },
    },
    { what: 'recordings in S3', value: objects.split('<Key>').length - 1, unit: '', limit: { least: rounds + 1 } },
  ])
} finally {
  isDone = true
  await watched
  await moto.stop()
}
