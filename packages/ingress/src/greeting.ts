/**
 * The first line that the ingress sends to a program for each connection: client address, and whether the connection
 * was encrypted. Only the installation's own user can access the socket.
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

/** The client and the bytes after the line; undefined if the line is incomplete, `null` if it is invalid. */
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
