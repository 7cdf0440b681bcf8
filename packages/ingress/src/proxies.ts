import { BlockList, isIP, isIPv4 } from 'node:net'

const kind = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
/** The IPv4 address in an IPv4-mapped IPv6 address. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The address in `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:443`. */
function addressIn(claimed: string): string | undefined {
  const [, bracketed, bare] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([^:\s]+):\d+)\s*$/.exec(claimed) ?? []
  const address = plain(bracketed ?? bare ?? claimed.trim())
  return isIP(address) === 0 ? undefined : address
}

/** Whether an address or listener name is this machine itself, unreachable for others. */
export function isLoopback(host: string): boolean {
  const address = plain(host)
  return address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** Trusted proxies: addresses, and networks such as `10.0.0.0/8`. */
export class TrustedProxies {
  readonly isEmpty: boolean
  readonly #list = new BlockList()

  /** @throws Error that names an invalid entry */
  constructor(words: readonly string[]) {
    this.isEmpty = words.length === 0
    for (const word of words) {
      const [address = '', bits, ...rest] = word.split('/')
      const most = isIP(address) === 6 ? 128 : 32
      if (!isIP(address) || rest.length > 0 || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= most)))
        throw new Error(
          `CASTELLAN_TRUSTED_PROXIES holds "${word}", which is no address. Give addresses of proxies, or networks such as 10.0.0.0/8, separated by commas.`,
        )
      if (bits === undefined) this.#list.addAddress(address, kind(address))
      else this.#list.addSubnet(address, Number(bits), kind(address))
    }
  }

  /** @param text addresses and networks, separated by commas @throws Error that names an invalid entry */
  static named(text = ''): TrustedProxies {
    const words = text.split(',').map((word) => word.trim())
    return new TrustedProxies(words.filter(Boolean))
  }

  has(address: string): boolean {
    const known = plain(address)
    return isIP(known) !== 0 && this.#list.check(known, kind(known))
  }

  /**
   * The client of a connection: the last address in `forwarded` that is not a trusted proxy. A proxy that names no
   * address is the client itself: limits and rules compare addresses, and every other text would be a new client.
   */
  clientOf(direct: string, forwarded: string): string {
    let client = direct
    for (const claimed of forwarded.split(',').reverse()) {
      const address = addressIn(claimed)
      if (!this.has(client) || address === undefined) break
      client = address
    }
    return client
  }
}
