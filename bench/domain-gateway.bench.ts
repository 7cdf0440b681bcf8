// A host behind a gateway of its domain: echo latency and bulk downloads, compared with `ssh -J` over the same gateway
// in the same run.
import { join } from 'node:path'
import { makeHost, permit } from '@castellan/testing/granted-host'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { measureEchoes, medianOf, openssh } from './echo.ts'
import { download, makeLargeFile, type ReachableHost, startReachableHost, type Way } from './reachable-host.ts'
import { report } from './results.ts'

const megabytes = 512
const rounds = 5
const cipher = 'Ciphers=aes256-gcm@openssh.com'

/** Puts a second asset with the same sshd into a domain whose only gateway is `gateway`. */
async function throughDomain({ admin, sshd, person }: ReachableHost, gateway: RealSshd): Promise<void> {
  const domain = await admin.collection('assets/domains').create({ name: 'measured' })
  await admin.collection('assets/gateways').create({
    name: 'measured gateway',
    address: gateway.host,
    domain: domain.id,
    protocols: [{ name: 'ssh', port: gateway.port }],
    accounts: [{ name: 'jump', username: gateway.username, secret_type: 'ssh_key', secret: gateway.privateKey }],
  })
  const [user] = await admin.collection('users/users').all({ username: person.username })
  if (!user) throw new Error(`There is no user ${person.username}.`)
  await permit(admin, user, [await makeHost(admin, sshd, 'behind', { domain: domain.id })])
}

/** Both assets have the same address, so they are asked for by their names. All connections use the same cipher. */
const to = ({ through, person, sshd }: ReachableHost, asset: string): Way => ({
  ...through,
  words: [...through.words, '-o', cipher],
  login: `${person.username}@${sshd.username}@${asset}`,
})

/** What `ssh -J` does, with a key of its own for the gateway. */
function jump({ direct }: ReachableHost, gateway: RealSshd): Way {
  const always = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'IdentitiesOnly=yes']
  const options = [...always, `IdentityFile=${gateway.privateKeyFile}`, cipher].map((option) => `-o ${option}`)
  const proxy = `ssh ${options.join(' ')} -p ${gateway.port} -l ${gateway.username} -W [%h]:%p ${gateway.host}`
  return { ...direct, words: [...direct.words, '-o', `ProxyCommand=${proxy}`] }
}

async function speed(way: Way, file: string): Promise<number> {
  const began = performance.now()
  await download('sftp', way, file, cipher)
  return megabytes / ((performance.now() - began) / 1000)
}

const gateway = await startSshd({ config: [cipher] })
try {
  await using site = await startReachableHost([cipher])
  await throughDomain(site, gateway)
  const ways = { jump: jump(site, gateway), domain: to(site, 'behind'), without: to(site, `${site.asset.name}`) }
  const terminals = {
    jump: await openssh(ways.jump),
    domain: await openssh(ways.domain),
    without: await openssh(ways.without),
  }
  const echoes = await measureEchoes(terminals, 'jump')

  const file = join(site.sshd.home, 'bulk')
  makeLargeFile(file, megabytes)
  const samples: { jump: number; domain: number; without: number }[] = []
  // The first runs have cold caches.
  for (const way of Object.values(ways)) await speed(way, file)
  for (let round = 0; round < rounds; round++)
    samples.push({
      jump: await speed(ways.jump, file),
      domain: await speed(ways.domain, file),
      without: await speed(ways.without, file),
    })
  const middle = (of: (sample: (typeof samples)[number]) => number) => medianOf(samples, of).toFixed(0)
  console.log(
    `sftp: ${middle((s) => s.jump)} MB/s with ssh -J, ${middle((s) => s.domain)} MB/s through the domain, ` +
      `${middle((s) => s.without)} MB/s without a gateway of a domain`,
  )
  report([
    {
      what: 'added to an echo beside ssh -J, 99th percentile',
      value: medianOf(echoes, ({ domain, jump: beside }) => domain.slow - beside.slow),
      unit: 'ms',
      limit: { most: 1 },
    },
    {
      what: 'added to an echo by the gateway of the domain, 99th percentile',
      value: medianOf(echoes, ({ domain, without }) => domain.slow - without.slow),
      unit: 'ms',
      limit: { most: 1 },
    },
    {
      what: 'sftp: throughput of ssh -J',
      value: medianOf(samples, ({ domain, jump: beside }) => domain / beside),
      unit: '×',
      limit: { least: 0.8 },
    },
  ])
} finally {
  await gateway.stop()
}
