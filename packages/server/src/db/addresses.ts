import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Complete addresses only: the library would accept `10.1` and `5` as short forms. */
function address(text: string): Address | undefined {
  return isIP(text) ? ipaddr.process(text) : undefined
}

function network(text: string): [Address, number] | undefined {
  const [base = '', mask = ''] = text.split('/')
  if (!mask || !isIP(base)) return undefined
  try {
    const parsed = ipaddr.parse(base)
    if (/^\d+$/.test(mask)) return ipaddr.parseCIDR(text)
    const length = parsed.kind() === 'ipv4' ? ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask() : null
    return length === null ? undefined : [parsed, length]
  } catch {
    return undefined
  }
}

const compare = (a: Address, b: Address) => Buffer.compare(Buffer.from(a.toByteArray()), Buffer.from(b.toByteArray()))

function range(text: string): [Address, Address] | undefined {
  const [first = '', last = '', ...more] = text.split('-').map((part) => part.trim())
  const [from, to] = [address(first), address(last)]
  if (!from || !to || more.length > 0 || from.kind() !== to.kind()) return undefined
  return compare(from, to) <= 0 ? [from, to] : [to, from]
}

/** Whether a text is a valid item of an address group: `*`, an address, a network without host bits, or `a-b`. */
export function isAddressPattern(text: string): boolean {
  if (text === '*' || address(text) || range(text)) return true
  const net = network(text)
  if (!net) return false
  const [base, length] = net
  const bytes = base.toByteArray()
  return bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, length - index * 8))
    return (byte & (0xff >> bits)) === 0
  })
}

/** Leading octets of an address, which match every address that begins with them. */
const beginning = /^\d{1,3}(\.\d{1,3}){0,2}\.?$/

/**
 * Whether an address is in a group: `*`, equal, in a network, in a range, or with a matching prefix; host names match
 * literally.
 */
export function inAddressGroup(candidate: string, group: readonly string[]): boolean {
  const ip = address(candidate)
  return group.some((pattern) => {
    if (pattern === '*' || pattern === candidate) return true
    if (!ip) return false
    if (beginning.test(pattern)) return candidate.startsWith(pattern.endsWith('.') ? pattern : `${pattern}.`)
    const single = address(pattern)
    if (single) return single.kind() === ip.kind() && compare(single, ip) === 0
    const net = network(pattern)
    if (net) return net[0].kind() === ip.kind() && ip.match(net as never)
    const bounds = range(pattern)
    return (
      bounds !== undefined &&
      bounds[0].kind() === ip.kind() &&
      compare(bounds[0], ip) <= 0 &&
      compare(ip, bounds[1]) <= 0
    )
  })
}
