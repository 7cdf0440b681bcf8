import { type CloudMachine, type CloudReply, reply } from './cloud.ts'

/** A page of `GET servers/detail`: those after the marker. */
export function serversAfter(
  query: URLSearchParams,
  machines: readonly CloudMachine[],
  { most, more }: { most: number; more: (machine: CloudMachine) => object },
): CloudReply {
  const marker = query.get('marker')
  const at = marker ? machines.findIndex(({ id }) => id === marker) : -1
  if (marker && at < 0) return reply({ badRequest: { code: 400, message: `marker [${marker}] not found` } }, 400)
  const size = Math.min(most, Number(query.get('limit') ?? most))
  const page = machines.slice(at + 1, at + 1 + size)
  const hasMore = at + 1 + size < machines.length
  return reply({
    servers: page.map((machine) => ({
      id: machine.id,
      name: machine.name,
      status: 'ACTIVE',
      addresses: {
        'network-of-servers': [
          { addr: machine.address, version: 4, 'OS-EXT-IPS:type': 'fixed' },
          { addr: machine.publicAddress, version: 4, 'OS-EXT-IPS:type': 'floating' },
        ],
      },
      ...more(machine),
    })),
    ...(hasMore ? { servers_links: [{ rel: 'next', href: 'https://elsewhere.example.com/next' }] } : {}),
  })
}
