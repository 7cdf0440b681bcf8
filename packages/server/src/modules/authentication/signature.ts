import { createHmac, timingSafeEqual } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { inAddressGroup } from '../../db/addresses.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import { own } from '../../kernel/fields/safe-lookup.ts'
import type { RequestParts } from '../../kernel/http/route.ts'
import { type Digest, digestAlgorithms } from '../../kernel/http/sent-body.ts'
import type { Context } from '../../kernel/module/context.ts'
import { authenticationFailed, text } from '../../kernel/module/errors.ts'
import { accessKey, accessKeyById } from './access-key.ts'
import { callerById, type KnownUser } from './callers.ts'
import { signatures } from './settings.ts'

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

/** Difference of clocks, and time on the way, that is accepted. Milliseconds. */
const dateTolerance = 300_000
/** A signature is remembered until its date is too old at the latest. Seconds. */
const rememberedFor = (2 * dateTolerance) / 1000

const safeMethods = new Set<string>(['GET', 'HEAD', 'OPTIONS'])

/** @throws 401 for a request that was signed at another time than now: a copy, or one made in advance */
function demandPresent({ headers, received }: RequestParts): void {
  // NaN, for what is no date, is not less either.
  if (!(Math.abs(received - Date.parse(headers.date ?? '')) <= dateTolerance))
    throw authenticationFailed(text(errors.signature_date))
}

/** The digests of a header as RFC 3230 has it, `SHA-256=…,SHA-512=…`; those of unknown algorithms are left out. */
export function digestsIn(header: string): Digest[] {
  return header.split(',').flatMap((one) => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(one) ?? []
    const algorithm = own(digestAlgorithms, name.toLowerCase())
    return algorithm ? [{ algorithm, value }] : []
  })
}

/**
 * @throws 401 unless the body is the one whose digest was signed, where one is listed; persons have to list it. A
 * signature without it says nothing of the body.
 */
function demandDigest(
  ctx: Context,
  { headers, sent }: RequestParts,
  names: readonly string[],
  isPerson: boolean,
): void {
  if (names.includes('digest')) {
    const digests = digestsIn(headers.digest ?? '')
    if (digests.length === 0) throw authenticationFailed(text(errors.digest_invalid))
    sent.demand(digests)
  } else if (isPerson && sent.isSent && signatures.of(ctx).ACCESS_KEY_BODY_DIGEST)
    throw authenticationFailed(text(errors.digest_required))
}

/**
 * @throws 401 for a signature of a person that came before. Calls that change nothing may be repeated; components send
 * their reports again, over connections of their own.
 */
async function demandNew(ctx: Context, { method }: RequestParts, keyId: string, signature: Buffer): Promise<void> {
  if (safeMethods.has(method)) return
  const uses = await ctx.kv.count(`signature:${keyId}:${signature.toString('base64url')}`, rememberedFor)
  if (uses > 1) throw authenticationFailed(text(errors.signature_used))
}

/** The owner of the access key that signed a request. Throws 401 for an invalid signature. */
export async function signer(ctx: Context, request: RequestParts, header: string): Promise<KnownUser | undefined> {
  const { keyid, algorithm = '', headers = '', signature = '' } = signatureParameters(header)
  const id = normalUuid(keyid)
  const names = headers.toLowerCase().split(/\s+/)
  const digest = own(algorithms, algorithm.toLowerCase())
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
  demandPresent(request)
  const owner = await callerById(ctx, key.user_id as string)
  const isPerson = owner?.isServiceAccount === false
  demandDigest(ctx, request, names, isPerson)
  if (isPerson) await demandNew(ctx, request, id, given)
  if (!key.date_last_used || ctx.now - key.date_last_used > 60_000) await stampUse(ctx, id)
  return owner
}

/** The time of last use is stored by the minute, so that most calls write nothing. */
async function stampUse(ctx: Context, id: string): Promise<void> {
  await ctx.services.database.writer
    .updateTable(accessKey.table)
    .set({ date_last_used: ctx.now })
    .where('id', '=', id)
    .execute()
}
