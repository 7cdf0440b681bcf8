import { SystemFailure } from '../account-system.ts'

/** The few forms of DER that CredSSP is made of. */

export const tag = { integer: 0x02, bitString: 0x03, octetString: 0x04, sequence: 0x30, field: 0xa0 } as const

export function der(kind: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([kind, ...size]), content])
}

export interface Element {
  kind: number
  content: Buffer
}

/** Length of the whole element at the beginning; undefined while its head is not there. @throws SystemFailure when it is none */
export function elementLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined
  const first = bytes[1] ?? 0
  if (first < 0x80) return 2 + first
  const size = first & 0x7f
  if (size === 0 || size > 3) throw new SystemFailure('bad_answer', 'the answer is no DER')
  return bytes.length < 2 + size ? undefined : 2 + size + bytes.readUIntBE(2, size)
}

/** The elements one after another. @throws SystemFailure when they are cut */
export function elements(bytes: Buffer): Element[] {
  const found: Element[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const length = elementLength(rest)
    if (length === undefined || length > rest.length) throw new SystemFailure('bad_answer', 'the answer is cut')
    const sizes = (rest[1] ?? 0) < 0x80 ? 0 : (rest[1] ?? 0) & 0x7f
    found.push({ kind: rest[0] ?? 0, content: rest.subarray(2 + sizes, length) })
    rest = rest.subarray(length)
  }
  return found
}
