/** Items of an IP group: `*`, an address, CIDR network or range, of IPv4 and IPv6. Pure. */

/** An IPv4 or IPv6 address as a number and its bit length; undefined if invalid. */
function addressBits(text: string): { bits: 32 | 128; value: bigint } | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const parts = text.split('.').map(Number)
    if (parts.some((part) => part > 255)) return undefined
    return { bits: 32, value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) }
  }
  if (!text.includes(':') || !/^[\da-f:.]+$/i.test(text)) return undefined
  const last = text.slice(text.lastIndexOf(':') + 1)
  const embedded = last.includes('.') ? addressBits(last) : undefined
  if (last.includes('.') && embedded?.bits !== 32) return undefined
  const plain = embedded
    ? `${text.slice(0, text.lastIndexOf(':') + 1)}${(embedded.value >> 16n).toString(16)}:${(embedded.value & 0xffffn).toString(16)}`
    : text
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const words = halves.map((half) => (half === '' ? [] : half.split(':')))
  const known = words.flat()
  const missing = 8 - known.length
  if (known.some((word) => !/^[\da-f]{1,4}$/i.test(word))) return undefined
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const all =
    halves.length === 1 ? known : [...(words[0] ?? []), ...Array<string>(missing).fill('0'), ...(words[1] ?? [])]
  return { bits: 128, value: all.reduce((sum, word) => (sum << 16n) | BigInt(`0x${word}`), 0n) }
}

/** Whether an item is valid in an IP group. */
export function isAddressItem(text: string): boolean {
  if (text === '*') return true
  const [from = '', to, ...more] = text.split('-').map((part) => part.trim())
  if (more.length > 0) return false
  if (to !== undefined) {
    const [low, high] = [addressBits(from), addressBits(to)]
    return low !== undefined && high !== undefined && low.bits === high.bits && low.value <= high.value
  }
  const [address = '', prefix, ...rest] = text.split('/')
  const found = addressBits(address)
  if (!found || rest.length > 0) return false
  if (prefix === undefined) return true
  // The server accepts networks only: host bits must be zero.
  const hostBits = found.bits - Number(prefix)
  return /^\d{1,3}$/.test(prefix) && hostBits >= 0 && (found.value & ((1n << BigInt(hostBits)) - 1n)) === 0n
}
