import { createHash, type X509Certificate } from 'node:crypto'
import { SystemFailure } from '../account-system.ts'
import { der, elements, tag } from './der.ts'

/** A message of CredSSP (MS-CSSP 2.2.1). */
export interface TsRequest {
  version: number
  token?: Buffer | undefined
  publicKey?: Buffer | undefined
  errorCode?: number | undefined
  nonce?: Buffer | undefined
}

const field = (number: number, content: Buffer) => der(tag.field + number, content)

export function encodeTsRequest({ version, token, publicKey, errorCode, nonce }: TsRequest): Buffer {
  const error = Buffer.alloc(5)
  error.writeUInt32BE(errorCode ?? 0, 1)
  return der(
    tag.sequence,
    field(0, der(tag.integer, Buffer.from([version]))),
    token ? field(1, der(tag.sequence, der(tag.sequence, field(0, der(tag.octetString, token))))) : Buffer.alloc(0),
    publicKey ? field(3, der(tag.octetString, publicKey)) : Buffer.alloc(0),
    errorCode === undefined ? Buffer.alloc(0) : field(4, der(tag.integer, error)),
    nonce ? field(5, der(tag.octetString, nonce)) : Buffer.alloc(0),
  )
}

const only = (bytes: Buffer | undefined): Buffer => {
  const [first] = elements(bytes ?? Buffer.alloc(0))
  if (!first) throw new SystemFailure('bad_answer', 'the answer is cut')
  return first.content
}

/** @throws SystemFailure when it is none */
export function decodeTsRequest(bytes: Buffer): TsRequest {
  const fields = new Map(elements(only(bytes)).map(({ kind, content }) => [kind - tag.field, content]))
  const optional = (number: number) => (fields.has(number) ? only(fields.get(number)) : undefined)
  const tokens = optional(1)
  const error = optional(4)
  const version = only(fields.get(0))
  return {
    version: version.readUIntBE(0, Math.min(version.length, 4)),
    token: tokens && only(only(only(tokens))),
    publicKey: optional(3),
    errorCode: error && Number(BigInt.asUintN(32, BigInt(`0x${error.toString('hex') || '0'}`))),
    nonce: optional(5),
  }
}

/** The key of a certificate as its bit string: what both sides prove to have seen. */
export function publicKeyOf(certificate: X509Certificate): Buffer {
  const info = elements(only(certificate.publicKey.export({ type: 'spki', format: 'der' })))
  // The first byte counts the unused bits of the last one.
  return (info.find(({ kind }) => kind === tag.bitString)?.content ?? Buffer.alloc(1)).subarray(1)
}

/** From version 5 on, both sides send a digest with the direction instead of the key. */
export const bindingOf = (
  direction: 'Client-To-Server' | 'Server-To-Client',
  nonce: Buffer,
  publicKey: Buffer,
): Buffer => createHash('sha256').update(`CredSSP ${direction} Binding Hash\0`).update(nonce).update(publicKey).digest()
