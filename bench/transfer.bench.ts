// Bulk downloads over sftp and scp through the gateway compared with direct OpenSSH, with AES-GCM; one, and many at
// once.
import { join } from 'node:path'
import { download, makeLargeFile, pidOf, startReachableHost, type Way } from './reachable-host.ts'
import { percentile, processorTime, type Result, report } from './results.ts'

const megabytes = 512
const rounds = 5
const atOnce = 4
const cipher = 'Ciphers=aes256-gcm@openssh.com'

await using site = await startReachableHost([cipher])
const file = join(site.sshd.home, 'bulk')
makeLargeFile(file, megabytes)

/** Total throughput of concurrent downloads including sign-in. Megabytes per second. */
async function speed(program: 'sftp' | 'scp', way: Way, count: number): Promise<number> {
  const began = performance.now()
  await Promise.all(Array.from({ length: count }, () => download(program, way, file, cipher)))
  return (megabytes * count) / ((performance.now() - began) / 1000)
}

const median = (samples: readonly number[]) => percentile(samples, 0.5)
const gateway = await pidOf(site.product, 'gateway')
const results: Result[] = []
for (const program of ['sftp', 'scp'] as const) {
  // The first runs have cold caches.
  await speed(program, site.direct, 1)
  await speed(program, site.through, 1)
  const samples: { direct: number; one: number; many: number; processor: number }[] = []
  for (let round = 0; round < rounds; round++) {
    // Other load may vary, so only measurements taken one after the other are compared.
    const direct = await speed(program, site.direct, 1)
    const before = processorTime(gateway)
    const one = await speed(program, site.through, 1)
    const processor = (processorTime(gateway) - before) / megabytes
    samples.push({ direct, one, many: await speed(program, site.through, atOnce), processor })
  }
  const middle = (of: (sample: (typeof samples)[number]) => number) => median(samples.map(of))
  console.log(
    `${program}: ${middle((s) => s.direct).toFixed(0)} MB/s direct, ${middle((s) => s.one).toFixed(0)} MB/s through the ` +
      `gateway, ${middle((s) => s.many).toFixed(0)} MB/s with ${atOnce} at once; ` +
      `the gateway's processor: ${middle((s) => s.processor).toFixed(2)} ms per megabyte`,
  )
  results.push(
    { what: `${program}: one, of direct`, value: middle((s) => s.one / s.direct), unit: '×', limit: { least: 0.5 } },
    {
      what: `${program}: ${atOnce} at once in sum, of one`,
      value: middle((s) => s.many / s.one),
      unit: '×',
      limit: { least: 1 },
    },
  )
}
report(results)
