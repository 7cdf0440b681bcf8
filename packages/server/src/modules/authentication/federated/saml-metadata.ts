/** The identity provider of the settings, as its SAML metadata describes it. */
import type { Context } from '../../../kernel/module/context.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { askProvider } from '../../../kernel/security/outgoing-request.ts'
import { saml2 } from '../backends/provider-settings.ts'
import { childOf, childrenOf, readXml, type XmlElement } from './xml.ts'

export interface SamlProvider {
  readonly entityId: string
  /** Where requests are sent. */
  readonly signInUrl: string
  /** Requests are posted: the provider does not take them by redirect. */
  readonly isPosted: boolean
  readonly signOutUrl: string | undefined
  /** Messages about sign-outs are posted: the provider does not take them by redirect. */
  readonly isSignOutPosted: boolean
  /** Signing certificates: PEM bodies in base64. */
  readonly certificates: readonly string[]
}

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata'
const signatures = 'http://www.w3.org/2000/09/xmldsig#'
const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings:'
/** The metadata of an address is fetched again after this time. Milliseconds. */
const fetchedFor = 600_000

const isWebAddress = (address: string) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** @throws Error when the metadata lacks what a sign-in needs */
export function providerIn(xml: string): SamlProvider {
  const root = readXml(xml)
  const entities = root.name === 'EntitiesDescriptor' ? childrenOf(root, metadata, 'EntityDescriptor') : [root]
  const entity = entities.find((one) => childOf(one, metadata, 'IDPSSODescriptor'))
  const role = childOf(entity, metadata, 'IDPSSODescriptor')
  if (!entity || !role) throw new Error('The metadata describes no identity provider.')
  const addressOf = (service: string, binding: string) =>
    childrenOf(role, metadata, service).find(
      ({ attributes }) => attributes.Binding === bindings + binding && isWebAddress(attributes.Location ?? ''),
    )?.attributes.Location
  const keys = childrenOf(role, metadata, 'KeyDescriptor').filter(({ attributes }) => attributes.use !== 'encryption')
  const certificatesOf = (key: XmlElement) =>
    childrenOf(childOf(key, signatures, 'KeyInfo') ?? key, signatures, 'X509Data').flatMap((data) =>
      childrenOf(data, signatures, 'X509Certificate').map(({ text }) => text.replace(/\s+/g, '')),
    )
  const certificates = keys.flatMap(certificatesOf).filter(Boolean)
  const entityId = entity.attributes.entityID
  const redirected = addressOf('SingleSignOnService', 'HTTP-Redirect')
  const signInUrl = redirected ?? addressOf('SingleSignOnService', 'HTTP-POST')
  if (!entityId) throw new Error('The metadata has no entityID.')
  if (!signInUrl)
    throw new Error('The metadata has no SingleSignOnService with the binding HTTP-Redirect or HTTP-POST.')
  if (certificates.length === 0) throw new Error('The metadata has no certificate for signatures.')
  const signOutRedirected = addressOf('SingleLogoutService', 'HTTP-Redirect')
  return {
    entityId,
    signInUrl,
    isPosted: redirected === undefined,
    signOutUrl: signOutRedirected ?? addressOf('SingleLogoutService', 'HTTP-POST'),
    isSignOutPosted: signOutRedirected === undefined,
    certificates,
  }
}

/** Whoever can change the metadata on its way can sign in as anybody. */
function demandSafe(address: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error('SAML metadata is only fetched over HTTPS; enter it as XML instead.')
}

const fetched = perInstallation(() => new Map<string, { until: number; provider: Promise<SamlProvider> }>())

/** The provider of the settings in force. @throws Error when they do not describe one */
export async function samlProvider(ctx: Context): Promise<SamlProvider> {
  const { SAML2_IDP_METADATA_XML: xml, SAML2_IDP_METADATA_URL: address } = saml2.of(ctx)
  if (xml.trim()) return providerIn(xml)
  if (!address) throw new Error('Neither the address nor the XML of the SAML metadata is set.')
  const known = fetched(ctx.services)
  const found = known.get(address)
  if (found && found.until > ctx.now) return found.provider
  demandSafe(address)
  const provider = askProvider(address).then(async (answer) => {
    if (!answer.ok) throw new Error(`The address of the SAML metadata answered with status ${answer.status}.`)
    return providerIn(await answer.text())
  })
  known.clear()
  known.set(address, { until: ctx.now + fetchedFor, provider })
  provider.catch(() => known.delete(address))
  return provider
}
