import { createHmac, timingSafeEqual } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { inAddressGroup } from '../../db/addresses.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { RequestParts } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { authenticationFailed, text } from '../../kernel/module/errors.ts'
import { accessKey, accessKeyById } from './access-key.ts'

const algorithms: Record<string, string> = {
  'hmac-sha1': 'sha1',
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
}

/** `name="value"` pairs of an HTTP signature header, names in lower case (draft-cavage-http-signatures §3.1). */
export function signatureParameters(header: string): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [, name, value] of header.matchAll(/([a-z]+)\s*=\s*"([^"]*)"/gi))
    if (name) parameters[name.toLowerCase()] = value ?? ''
  return parameters
}

/**
 * The signing string of a request; undefined when a listed header was not sent. Clients sign an empty query as none:
 * the target `/path/?` is signed as `/path/`.
 */
function signedText(request: RequestParts, names: readonly string[]): string | undefined {
  const target = /^[^?]*\?$/.test(request.url) ? request.url.slice(0, -1) : request.url
  const lines: string[] = []
  for (const name of names) {
    const value = name === '(request-target)' ? `${request.method.toLowerCase()} ${target}` : request.headers[name]
    if (value === undefined) return undefined
    lines.push(`${name}: ${value}`)
  }
  return lines.join('\n')
}

const failed = () => authenticationFailed(text(errors.signature_invalid))

/** The owner of the access key that signed a request. Throws 401 for an invalid signature. */
export async function signedUserId(ctx: Context, request: RequestParts, header: string): Promise<string> {
  const { keyid, algorithm = '', headers = '', signature = '' } = signatureParameters(header)
  const id = normalUuid(keyid)
  const names = headers.toLowerCase().split(/\s+/)
  const digest = algorithms[algorithm.toLowerCase()]
  if (!id || !digest || !names.includes('(request-target)') || !names.includes('date')) throw failed()
  const signed = signedText(request, names)
  if (signed === undefined) throw failed()
  const key = await accessKeyById(ctx, id)
  if (!key?.sealed_secret || !key.is_active) throw failed()
  const secret = ctx.services.vault.open(key.sealed_secret)
  const expected = createHmac(digest, secret).update(signed).digest()
  const given = Buffer.from(signature, 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw failed()
  if (!inAddressGroup(ctx.ip, key.ip_group)) throw authenticationFailed(text(errors.ip_not_allowed, { ip: ctx.ip }))
  if (!key.date_last_used || ctx.now - key.date_last_used > 60_000) await stampUse(ctx, id)
  return key.user_id as string
}

/** The time of last use is stored by the minute, so that most calls write nothing. */
async function stampUse(ctx: Context, id: string): Promise<void> {
  await ctx.services.database.writer
    .updateTable(accessKey.table)
    .set({ date_last_used: ctx.now })
    .where('id', '=', id)
    .execute()
}
