import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Link-local addresses, at which clouds offer a machine its own credentials. The server must not fetch those for
 * somebody who may only enter an address. Other internal addresses are where private clouds and storages are.
 */
export function isForbiddenAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  if (!isIP(bare)) return false
  const parsed = ipaddr.process(bare)
  const range: string = parsed.range()
  return range === 'linkLocal' || range === 'unspecified' || parsed.toString() === 'fd00:ec2::254'
}

/** Resolves a name and refuses forbidden addresses: the owner of a domain decides where its names lead. */
export const guardedLookup: LookupFunction = (host, options, done) => {
  resolve(host, options, (error, address, family) => {
    const found = Array.isArray(address) ? address.map((one) => one.address) : [address]
    const isForbidden = !error && found.some((one) => typeof one === 'string' && isForbiddenAddress(one))
    done(isForbidden ? Object.assign(new Error('forbidden'), { code: 'ENOTFOUND' }) : error, address as string, family)
  })
}
