/** What a SAML provider reads of this installation, and its requests to sign users out. */

import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { defineRoute, type Handling, Reply, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound, text } from '../../../kernel/module/errors.ts'
import { sessionOf } from '../api.ts'
import { saml } from '../backends/saml2.ts'
import { endProviderSessions } from '../provider-session.ts'
import { showRefusal } from './pages.ts'
import { entityIdOf, ownKeys, samlClient } from './saml-client.ts'

const callbackOf = (origin: string) => `${origin}/core/auth/saml2/callback/`

/** The metadata is also read before the provider is entered here. */
async function showMetadata({ ctx, request }: Handling): Promise<unknown> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  const { key, certificate } = ownKeys(ctx)
  const xml = generateServiceProviderMetadata({
    issuer: entityIdOf(ctx),
    callbackUrl: callbackOf(request.origin),
    logoutCallbackUrl: `${request.origin}/core/auth/saml2/logout/`,
    wantAssertionsSigned: true,
    ...(key && certificate && { decryptionCert: certificate, decryptionPvk: key, publicCerts: certificate }),
  })
  return new Reply(200, xml, { 'content-type': 'application/xml; charset=utf-8' })
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

/** Ends the sessions that a request of the provider names. @returns where the browser brings the answer */
async function endForProvider(ctx: Context, request: Handling['request']): Promise<string> {
  const signed = signedParts(request.url)
  if (!signed) throw new Error('The request for a sign-out is not signed.')
  const { saml: client } = await samlClient(ctx, { callbackUrl: callbackOf(request.origin) })
  const { profile } = await client.validateRedirectAsync(signed.parts, signed.query)
  if (!profile?.nameID) throw new Error('The request for a sign-out names nobody.')
  const { nameID, sessionIndex } = profile
  await endProviderSessions(ctx, saml.name, sessionIndex ? `${nameID} ${sessionIndex}` : nameID)
  return client.getLogoutResponseUrlAsync(profile, signed.parts.RelayState ?? '', {}, true)
}

async function logout({ ctx, request }: Handling): Promise<unknown> {
  if (!saml.isEnabled(ctx)) throw notFound(errors.not_found)
  if (!request.query.SAMLRequest) return redirect('/core/auth/logout/')
  try {
    return redirect(await endForProvider(ctx, request))
  } catch (error) {
    ctx.services.log.warn({ err: error }, 'A SAML request for a sign-out was refused')
    return showRefusal(ctx, sessionOf(ctx), text(signInErrors.provider_refused), 400)
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
    method: 'GET',
    path: '/core/auth/saml2/logout/',
    summary: 'Sign-out at or by the SAML provider',
    handle: logout,
  }),
]
