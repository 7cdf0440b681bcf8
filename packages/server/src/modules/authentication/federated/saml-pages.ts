/** What a SAML provider reads of this installation, and its requests to sign users out. */

import { inflateRawSync } from 'node:zlib'
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import type { Profile } from '@node-saml/node-saml'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling, Reply, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound, text } from '../../../kernel/module/errors.ts'
import type { ProviderAddress } from '../../../kernel/security/sign-in.ts'
import { saml } from '../backends/saml2.ts'
import { formOf } from '../pages.ts'
import { endProviderSessions } from '../provider-session.ts'
import { pageSession, showRefusal } from './pages.ts'
import { demandFreshSignOut } from './saml-assertion.ts'
import { entityIdOf, ownKeys, type SamlClient, samlClient } from './saml-client.ts'
import { signOutResponse } from './saml-sign-out.ts'
import { demandSoundAlgorithms, soundSignatures } from './saml-soundness.ts'
import { sendTo } from './sign-out.ts'
import { readXml } from './xml.ts'

/** Bytes of a request for a sign-out: names and a signature. */
const longestRequest = 64 * 1024

const callbackOf = (origin: string) => `${origin}/core/auth/saml2/callback/`
const logoutUrlOf = (origin: string) => `${origin}/core/auth/saml2/logout/`

/** The library names one binding of the sign-out; both are taken. */
const withBothBindings = (xml: string): string =>
  xml.replace(/<SingleLogoutService Binding="([^"]+:)HTTP-POST"([^>]*)\/>/, (posted, names: string, rest: string) => {
    return `<SingleLogoutService Binding="${names}HTTP-Redirect"${rest}/>${posted}`
  })

/** The metadata is also read before the provider is entered here. */
async function showMetadata({ ctx, request }: Handling): Promise<unknown> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  const { key, certificate } = ownKeys(ctx)
  const xml = generateServiceProviderMetadata({
    issuer: entityIdOf(ctx),
    callbackUrl: callbackOf(request.origin),
    logoutCallbackUrl: logoutUrlOf(request.origin),
    wantAssertionsSigned: true,
    ...(key &&
      certificate && { decryptionCert: certificate, decryptionPvk: key, privateKey: key, publicCerts: certificate }),
  })
  return new Reply(200, withBothBindings(xml), { 'content-type': 'application/xml; charset=utf-8' })
}

const messageParts = ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature']

/**
 * The parts of a signed request, each of which stands once in the address: the signature covers the first of several,
 * and parsers read the last one.
 */
function signedParts(url: string): { parts: Record<string, string>; query: string } | undefined {
  const query = url.split('?')[1] ?? ''
  const tokens = query.split('&').filter((token) => messageParts.includes(token.split('=')[0] ?? ''))
  const parts = Object.fromEntries(new URLSearchParams(tokens.join('&')))
  const isWhole = tokens.length === Object.keys(parts).length && parts.SAMLRequest && parts.Signature && parts.SigAlg
  return isWhole ? { parts, query: tokens.join('&') } : undefined
}

/** A request for a sign-out whose signature was verified. */
interface Demand {
  readonly profile: Profile
  readonly xml: string
  readonly relayState: string
}

/** The signature of a posted request is inside of it, that of a redirect beside it. */
async function verifiedDemand(
  { saml: client, allowsOldAlgorithms }: SamlClient,
  request: Handling['request'],
): Promise<Demand> {
  if (request.method === 'POST') {
    const { SAMLRequest = '', RelayState = '' } = formOf(request)
    const xml = Buffer.from(SAMLRequest, 'base64').toString('utf8')
    const root = readXml(xml)
    if (!allowsOldAlgorithms) demandSoundAlgorithms(root)
    const { profile } = await client.validatePostRequestAsync({ SAMLRequest })
    if (!profile) throw new Error('The request for a sign-out names nobody.')
    return { profile, xml, relayState: RelayState }
  }
  const signed = signedParts(request.url)
  if (!signed) throw new Error('The request for a sign-out is not signed.')
  if (!allowsOldAlgorithms && !soundSignatures.has(signed.parts.SigAlg ?? ''))
    throw new Error(`The algorithm ${signed.parts.SigAlg} is not accepted.`)
  const { profile } = await client.validateRedirectAsync(signed.parts, signed.query)
  if (!profile) throw new Error('The request for a sign-out names nobody.')
  const xml = inflateRawSync(Buffer.from(signed.parts.SAMLRequest ?? '', 'base64'), { maxOutputLength: longestRequest })
  return { profile, xml: xml.toString('utf8'), relayState: signed.parts.RelayState ?? '' }
}

/**
 * Ends the sessions that a request of the provider names.
 * @returns where the browser brings the answer, if the provider takes answers
 */
async function endForProvider(ctx: Context, request: Handling['request']): Promise<ProviderAddress | undefined> {
  const client = await samlClient(ctx, { callbackUrl: callbackOf(request.origin) })
  const demand = await verifiedDemand(client, request)
  const { profile, xml } = demand
  const issuer = client.provider.entityId
  demandFreshSignOut(xml, { issuer, destination: logoutUrlOf(request.origin), now: ctx.now })
  const { nameID, sessionIndex } = profile
  if (!nameID) throw new Error('The request for a sign-out names nobody.')
  await endProviderSessions(ctx, saml.name, sessionIndex ? `${nameID} ${sessionIndex}` : nameID)
  return signOutResponse(client, demand)
}

const isDemand = ({ method, query, body }: Handling['request']): boolean =>
  (method === 'POST' ? objectOf(body) : query).SAMLRequest !== undefined

async function logout({ ctx, request }: Handling): Promise<unknown> {
  if (!saml.isEnabled(ctx)) throw notFound(errors.not_found)
  // The answer to a request of ours: the session had ended before it was sent.
  if (!isDemand(request)) return redirect('/core/auth/logout/')
  const session = pageSession(ctx, request)
  try {
    const answer = await endForProvider(ctx, request)
    return answer ? sendTo(ctx, session, answer, saml) : redirect('/core/auth/login/?admin=1')
  } catch (error) {
    ctx.services.log.warn({ err: error }, 'A SAML request for a sign-out was refused')
    return showRefusal(ctx, session, text(signInErrors.provider_refused), 400)
  }
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const samlRoutes = [
  defineRoute({
    ...page,
    method: 'GET',
    path: '/core/auth/saml2/metadata/',
    summary: 'SAML metadata of this installation',
    handle: showMetadata,
  }),
  defineRoute({
    ...page,
    method: ['GET', 'POST'],
    path: '/core/auth/saml2/logout/',
    summary: 'Sign-out at or by the SAML provider',
    handle: logout,
  }),
]
