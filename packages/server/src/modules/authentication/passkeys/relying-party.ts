import { isIP } from 'node:net'
import { errors } from '@castellan/contract/messages/errors'
import type { RequestParts } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text } from '../../../kernel/module/errors.ts'
import { basic } from '../../settings/index.ts'
import { passkeys } from '../settings.ts'

/** Who asks for a key, as browsers and authenticators see it. */
export interface RelyingParty {
  /** The domain that the keys belong to. */
  readonly id: string
  readonly name: string
  /** The only origin from which an answer is accepted. */
  readonly origin: string
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
const isLoopback = (host: string) => host === 'localhost' || host.startsWith('127.') || host === '[::1]'
const isAddress = (host: string) => host.startsWith('[') || isIP(host) > 0

/**
 * The domain of passkeys for a request: the matching one of `FIDO_SERVER_ID`, or without any the host of the site's URL
 * if that is set, or the host of the request. Undefined where browsers could not use it.
 */
export function relyingPartyOf(ctx: Context, request: RequestParts): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(request.origin)
  const settings = passkeys.of(ctx)
  const named = settings.FIDO_SERVER_ID.split(',').flatMap((one) => one.trim().toLowerCase() || [])
  const site = new URL(basic.of(ctx).SITE_URL).hostname
  const domains = named.length > 0 ? named : isLoopback(site) || isAddress(site) ? [hostname] : [site]
  const id = isLoopback(hostname) ? hostname : domains.find((domain) => isWithin(hostname, domain))
  // Browsers offer WebAuthn only to names, and only by HTTPS; the machine itself is the exception.
  if (id === undefined || isAddress(id) || (protocol !== 'https:' && id !== 'localhost')) return undefined
  return { id, name: settings.FIDO_SERVER_NAME, origin }
}

/**
 * The party that options name. At an address where no passkey works it is `localhost`, as in v3: the browser refuses it
 * there, and no answer is accepted.
 */
export const offeredParty = (ctx: Context, request: RequestParts): Pick<RelyingParty, 'id' | 'name'> =>
  relyingPartyOf(ctx, request) ?? { id: 'localhost', name: passkeys.of(ctx).FIDO_SERVER_NAME }

/** @throws 400 that says by which address passkeys work */
export function demandRelyingParty(ctx: Context, request: RequestParts): RelyingParty {
  const party = relyingPartyOf(ctx, request)
  if (!party) throw failureAs(400, 'error', text(errors.passkey_address))
  return party
}
