import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Beside link-local addresses: those of AWS by IPv6, Alibaba Cloud and Azure. */
const ofClouds = new Set(['fd00:ec2::254', '100.100.100.200', '168.63.129.16'])

/** IPv6 addresses that networks translate to an IPv4 address in their last 32 bits (RFC 6052, RFC 7915) or after the prefix (RFC 3056). */
const translated: Readonly<Record<string, number>> = { rfc6052: 12, rfc6145: 12, '6to4': 2 }

/** The address that is reached in the end. */
function reachedBy(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.process(address)
  const at = translated[parsed.range()]
  return at === undefined ? parsed : ipaddr.fromByteArray(parsed.toByteArray().slice(at, at + 4))
}

/**
 * Addresses at which clouds offer a machine its own credentials, mostly link-local ones. The server must not fetch those
 * for somebody who may only enter an address. Other internal addresses are where private clouds and storages are.
 */
export function isForbiddenAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  if (!isIP(bare)) return false
  const reached = reachedBy(bare)
  const range: string = reached.range()
  return range === 'linkLocal' || range === 'unspecified' || ofClouds.has(reached.toString())
}

/** Resolves a name and refuses forbidden addresses: the owner of a domain decides where its names lead. */
export const guardedLookup: LookupFunction = (host, options, done) => {
  resolve(host, options, (error, address, family) => {
    const found = Array.isArray(address) ? address.map((one) => one.address) : [address]
    const isForbidden = !error && found.some((one) => typeof one === 'string' && isForbiddenAddress(one))
    done(isForbidden ? Object.assign(new Error('forbidden'), { code: 'ENOTFOUND' }) : error, address as string, family)
  })
}
