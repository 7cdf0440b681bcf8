import type { NtlmSealing } from '../ntlm/sealing.ts'

/** Sealed messages over HTTP (MS-WSMV 2.2.9.1.1.2). */

const boundary = '--Encrypted Boundary'
const protocol = 'application/HTTP-SPNEGO-session-encrypted'
export const encryptedType = `multipart/encrypted;protocol="${protocol}";boundary="Encrypted Boundary"`

export function sealEnvelope(sealing: NtlmSealing, envelope: Buffer): Buffer {
  const { signature, sealed } = sealing.seal(envelope)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(signature.length)
  const head = [
    boundary,
    `\tContent-Type: ${protocol}`,
    `\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${envelope.length}`,
    boundary,
    '\tContent-Type: application/octet-stream',
    '',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(head), length, signature, sealed, Buffer.from(`${boundary}--\r\n`)])
}

/** The envelope in a sealed message; undefined when it is none, or was not sealed by the other side. */
export function openEnvelope(sealing: NtlmSealing, body: Buffer): Buffer | undefined {
  const length = Number(/OriginalContent:[^\r\n]*Length=(\d{1,9})/i.exec(body.toString('latin1', 0, 1024))?.[1])
  const mark = 'Content-Type: application/octet-stream\r\n'
  const at = body.indexOf(mark)
  if (at < 0 || !Number.isInteger(length)) return undefined
  const begin = at + mark.length
  if (begin + 20 + length > body.length || body.readUInt32LE(begin) !== 16) return undefined
  const signature = body.subarray(begin + 4, begin + 20)
  return sealing.open({ signature, sealed: body.subarray(begin + 20, begin + 20 + length) })
}
