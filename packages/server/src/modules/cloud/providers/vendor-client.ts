import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ProviderFailure } from './failures.ts'
import { HttpClient } from './http-client.ts'

/**
 * Who is asked instead of every public provider. For tests: only an address of this machine is taken, so that the
 * variable cannot lead credentials elsewhere. @throws Error for any other
 */
function simulator(): string | undefined {
  const address = process.env.CASTELLAN_TEST_CLOUD_URL
  if (!address) return undefined
  const { hostname, origin } = new URL(address)
  if (isIP(hostname) === 0 || ipaddr.parse(hostname).range() !== 'loopback')
    throw new Error('CASTELLAN_TEST_CLOUD_URL must be an address of this machine, such as http://127.0.0.1:5000.')
  return origin
}

/** HTTPS to a host of a public provider. */
export const vendorClient = (host: string): HttpClient => new HttpClient(`https://${host}`, '', simulator())

/** One client for each host of a provider. */
export class VendorClients {
  readonly #clients = new Map<string, HttpClient>()

  at(host: string): HttpClient {
    const known = this.#clients.get(host) ?? vendorClient(host)
    this.#clients.set(host, known)
    return known
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
  }
}

/** A region that becomes part of a host name, a path or a header. @throws ProviderFailure for anything else */
export function demandRegionName(region: string): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(region) || region.length > 63)
    throw new ProviderFailure('no_region', { region })
  return region
}
