import { SystemFailure } from '../account-system.ts'

/** Kinds of packets. */
const accept = 2
const redirect = 5

const headerLength = 8

/**
 * Watches what a listener sends until it accepts. The client would follow a redirect past the gateway, to whatever
 * address the server names.
 */
export function refuseRedirect(): (chunk: Buffer) => SystemFailure | undefined {
  let isAccepted = false
  let header = Buffer.alloc(0)
  /** Bytes of the current packet that are still to come. */
  let rest = 0
  return (chunk) => {
    let at = 0
    while (!isAccepted && at < chunk.length) {
      const skipped = Math.min(rest, chunk.length - at)
      rest -= skipped
      at += skipped
      const part = chunk.subarray(at, at + headerLength - header.length)
      header = Buffer.concat([header, part])
      at += part.length
      if (header.length < headerLength) return undefined
      if (header[4] === redirect) return new SystemFailure('unsupported', 'the listener leads to another address')
      isAccepted = header[4] === accept
      rest = Math.max(0, header.readUInt16BE(0) - headerLength)
      header = Buffer.alloc(0)
    }
    return undefined
  }
}
