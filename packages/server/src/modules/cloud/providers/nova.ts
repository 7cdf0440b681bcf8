import ipaddr from 'ipaddr.js'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { demandList, type Entry, listOf, textOf } from './answers.ts'
import type { Instance, InstancePage } from './provider.ts'

const isPublic = (address: string) => ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast'

type IsWindows = (server: Entry) => boolean

/** A server as OpenStack's Nova describes it, and Huawei Cloud after it. Its addresses are grouped by network. */
function described(server: Entry, isWindows: IsWindows): Instance {
  const addresses = Object.values(objectOf(server.addresses))
    .flatMap(listOf)
    .sort((one, other) => Number(one.version) - Number(other.version))
  const ofType = (...types: unknown[]) =>
    addresses.filter((one) => types.includes(one['OS-EXT-IPS:type'])).map(({ addr }) => textOf(addr))
  const fixed = ofType('fixed', undefined)
  return {
    id: textOf(server.id),
    name: textOf(server.name),
    platform: isWindows(server) ? 'windows' : 'linux',
    privateAddresses: fixed,
    // Networks of some clouds give servers public addresses of their own.
    publicAddresses: [...ofType('floating'), ...fixed.filter(isPublic)],
    isTerminated: server.status === 'DELETED' || server.status === 'SOFT_DELETED',
  }
}

/** The query of the page after a machine. */
export const serversQuery = (pageSize: number, cursor: string | undefined): Record<string, string> => ({
  limit: String(pageSize),
  ...(cursor ? { marker: cursor } : {}),
})

/** Whether the metadata of a server names Windows. */
export const isNamedWindows: IsWindows = ({ metadata }) => /windows/i.test(textOf(objectOf(metadata).os_type))

/** A page of servers. The next one begins after the last of them. @throws ProviderFailure */
export function serversPage(body: Entry, pageSize: number, isWindows: IsWindows = isNamedWindows): InstancePage {
  const servers = demandList(body, 'servers')
  const isFull = servers.length >= pageSize || listOf(body.servers_links).some(({ rel }) => rel === 'next')
  const last = textOf(servers.at(-1)?.id)
  return { instances: servers.map((one) => described(one, isWindows)), next: isFull && last !== '' ? last : undefined }
}
