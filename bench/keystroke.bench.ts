// Echo latency of a keystroke through the gateway, in OpenSSH and in the web terminal, compared with direct OpenSSH.
import { signIn } from '@castellan/testing/client'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { echoTerminal, measureEchoes, medianOf, openssh, type Terminal } from './echo.ts'
import { type ReachableHost, startReachableHost } from './reachable-host.ts'
import { report } from './results.ts'

async function webTerminal({ product, asset, person }: ReachableHost): Promise<Terminal> {
  const client = await signIn(product.url, person.username, person.password)
  const cookie = await signInForCookies(product.url, person.username, person.password)
  const query = await terminalQuery(client, { asset: asset.id, account: 'person' })
  const { socket, type } = openWebTerminal(product.url, query, cookie)
  return echoTerminal(
    type,
    (listener) => socket.on('message', (data: Buffer, isBinary) => isBinary && listener(data.toString())),
    () => socket.close(),
  )
}

await using site = await startReachableHost()
const ways = { direct: openssh(site.direct), gateway: openssh(site.through), web: webTerminal(site) }
const terminals = { direct: await ways.direct, gateway: await ways.gateway, web: await ways.web }
const rounds = await measureEchoes(terminals, 'direct')
report(
  (['gateway', 'web'] as const).map((name) => ({
    what: `${name === 'web' ? 'web terminal' : 'OpenSSH'}: added to an echo, 99th percentile`,
    value: medianOf(rounds, (round) => round[name].slow - round.direct.slow),
    unit: 'ms',
    limit: { most: 2 },
  })),
)
