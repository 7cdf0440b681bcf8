/** Where addresses are, by the city database of the installation. */
import { readFileSync } from 'node:fs'
import { type CityResponse, Reader } from 'mmdb-lib'
import { inAddressGroup } from '../../db/addresses.ts'
import type { Services } from '../module/context.ts'
import { perInstallation } from '../module/per-installation.ts'

const privateNetworks = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
]

/** Stored for addresses that no city is known of. */
const places = { lan: 'LAN', ipv6: 'IPv6', unknown: 'Unknown' } as const
const withoutCity = new Set<string>(Object.values(places))

/** Whether a stored place is a city: one can be elsewhere than in it. */
export const isCity = (place: string): boolean => place !== '' && !withoutCity.has(place)

/** Records of DB-IP and MaxMind; some databases made of them have the name itself. */
type Found = CityResponse & { readonly city?: unknown }

const openedDatabase = perInstallation(({ config, log }: Services) => {
  if (!config.cityDatabase) return undefined
  try {
    return new Reader<Found>(readFileSync(config.cityDatabase))
  } catch (error) {
    log.error({ err: error }, 'CASTELLAN_CITY_DATABASE cannot be read: no city is known')
    return undefined
  }
})

function nameIn(found: Found | null): string | undefined {
  const city: unknown = found?.city
  if (typeof city === 'string') return city
  return found?.city?.names?.en ?? found?.country?.names?.en
}

/**
 * The place of an address as logs store it: the English name of its city, of its country if the city is not known, else
 * `LAN`, `IPv6` or `Unknown`.
 */
export function cityOf(services: Services, ip: string): string {
  if (inAddressGroup(ip, privateNetworks)) return places.lan
  try {
    const name = nameIn(openedDatabase(services)?.get(ip) ?? null)
    if (name) return name.slice(0, 254)
  } catch {
    // Not an address, or one that the database cannot hold.
  }
  return ip.includes(':') ? places.ipv6 : places.unknown
}
