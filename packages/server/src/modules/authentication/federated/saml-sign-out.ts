/** Messages to a SAML provider about sign-outs, by the binding that it takes. */
import type { Profile, SAML } from '@node-saml/node-saml'
import type { ProviderAddress } from '../../../kernel/security/sign-in.ts'
import type { SamlClient } from './saml-client.ts'

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'

/** A message with its signature inside, as the POST binding wants it; unsigned where this installation has no key. */
async function posted(saml: SAML, xml: string, name: 'LogoutRequest' | 'LogoutResponse'): Promise<string> {
  const { privateKey, ...options } = saml.options
  const { signSamlPost } = await import('@node-saml/node-saml/lib/saml-post-signing.js')
  const element = `/*[local-name(.)="${name}" and namespace-uri(.)="${protocol}"]`
  const signed = privateKey ? signSamlPost(xml, element, { ...options, privateKey }) : xml
  return Buffer.from(signed).toString('base64')
}

/** Asks the provider to end its session; undefined if it takes no such requests. */
export async function signOutRequest(
  { saml, provider }: SamlClient,
  subject: Profile,
): Promise<ProviderAddress | undefined> {
  if (!provider.signOutUrl) return undefined
  if (!provider.isSignOutPosted) return { url: await saml.getLogoutUrlAsync(subject, '', {}) }
  const xml = await saml._generateLogoutRequest(subject)
  return { url: provider.signOutUrl, form: { SAMLRequest: await posted(saml, xml, 'LogoutRequest') } }
}

/** Tells the provider that the sessions of its request have ended; undefined if it takes no answers. */
export async function signOutResponse(
  { saml, provider }: SamlClient,
  demand: { readonly profile: Profile; readonly relayState: string },
): Promise<ProviderAddress | undefined> {
  if (!provider.signOutUrl) return undefined
  const { profile, relayState } = demand
  if (!provider.isSignOutPosted) return { url: await saml.getLogoutResponseUrlAsync(profile, relayState, {}, true) }
  const SAMLResponse = await posted(saml, saml._generateLogoutResponse(profile, true), 'LogoutResponse')
  return { url: provider.signOutUrl, form: { SAMLResponse, ...(relayState && { RelayState: relayState }) } }
}
