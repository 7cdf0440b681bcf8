import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Neighboring addresses. */
export interface AddressRange {
  readonly first: string
  readonly last: string
  readonly size: number
  at(index: number): string
}

const toNumber = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

function toAddress(value: bigint, bytes: number): string {
  const parts = Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * (bytes - 1 - index))) & 0xffn))
  return ipaddr.fromByteArray(parts).toString()
}

function between(first: bigint, last: bigint, bytes: number): AddressRange {
  const size = last - first + 1n
  return {
    first: toAddress(first, bytes),
    last: toAddress(last, bytes),
    size: size > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(size),
    at: (index) => toAddress(first + BigInt(index), bytes),
  }
}

const bytesOf = (address: string) => (isIP(address) === 4 ? 4 : 16)

/**
 * The addresses of an address, a network (`10.0.0.0/24`, without its network and broadcast addresses) or a range
 * (`a-b`); undefined for anything else.
 */
export function addressesOf(text: string): AddressRange | undefined {
  const trimmed = text.trim()
  if (isIP(trimmed)) return between(toNumber(trimmed), toNumber(trimmed), bytesOf(trimmed))
  const [left = '', right = '', ...more] = trimmed.split(/\s*[-/]\s*/)
  if (more.length > 0 || !isIP(left)) return undefined
  const bytes = bytesOf(left)
  if (trimmed.includes('-')) {
    if (!isIP(right) || bytesOf(right) !== bytes) return undefined
    const [first, last] = [toNumber(left), toNumber(right)]
    return first <= last ? between(first, last, bytes) : undefined
  }
  if (!/^\d{1,3}$/.test(right) || Number(right) > bytes * 8) return undefined
  const bits = BigInt(bytes * 8 - Number(right))
  const first = (toNumber(left) >> bits) << bits
  const last = first + (1n << bits) - 1n
  const isNetwork = bytes === 4 && bits > 1n
  return isNetwork ? between(first + 1n, last - 1n, bytes) : between(first, last, bytes)
}

/** How many addresses a list of ranges has. */
export const countAddresses = (group: readonly string[]): number =>
  group.reduce((sum, one) => sum + (addressesOf(one)?.size ?? 0), 0)
