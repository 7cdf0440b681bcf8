/**
 * The line with which the ingress introduces a connection to the program behind it: who it comes from, and whether
 * it was encrypted outside. Only the installation's own user can reach the socket it is said on.
 */
export interface Guest {
  address: string
  secure: boolean
}

const form = /^DOOR\/1 (\S+) (http|https)\r\n/

export const greeting = ({ address, secure }: Guest): Buffer =>
  Buffer.from(`DOOR/1 ${address || 'unknown'} ${secure ? 'https' : 'http'}\r\n`)

/** Longest greeting in bytes: an IPv6 address with a zone fits well. */
export const greetingLimit = 128

/** The guest and what followed the line; undefined when the line is not complete yet, `null` when it is none. */
export function readGreeting(bytes: Buffer): { guest: Guest; rest: Buffer } | null | undefined {
  const text = bytes.subarray(0, greetingLimit).toString('latin1')
  const match = form.exec(text)
  if (!match) return bytes.length >= greetingLimit || text.includes('\n') ? null : undefined
  const [line, address = '', scheme] = match
  return {
    guest: { address: address === 'unknown' ? '' : address, secure: scheme === 'https' },
    rest: bytes.subarray(line.length),
  }
}
