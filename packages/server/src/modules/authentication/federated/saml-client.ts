/** This installation as a SAML service provider. */
import type { SAML, SamlConfig } from '@node-saml/node-saml'
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { siteUrl } from '../../settings/index.ts'
import { saml2 } from '../backends/provider-settings.ts'
import { type SamlProvider, samlProvider } from './saml-metadata.ts'

/** The name of this installation: its address, as providers know it. */
export const entityIdOf = (ctx: Context): string => `${siteUrl(ctx)}/core/auth/saml2/login/`

/** Key and certificate of this installation; both empty where none are set. */
export function ownKeys(ctx: Context): { key: string; certificate: string } {
  const { SAML2_SP_KEY_CONTENT: key, SAML2_SP_CERT_CONTENT: certificate } = saml2.of(ctx)
  const opened = (secret: typeof key) => (secret ? ctx.services.vault.open(secret).trim() : '')
  return { key: opened(key), certificate: opened(certificate) }
}

interface Addresses {
  readonly callbackUrl: string
  /** Identifier of the request for a sign-in that the client is made for. */
  readonly requestId?: string
}

function advancedSecurity(ctx: Context): Readonly<Record<string, unknown>> {
  const advanced: unknown = saml2.of(ctx).SAML2_SP_ADVANCED_SETTINGS
  const found = isObject(advanced) ? own(advanced, 'security') : undefined
  return isObject(found) ? found : {}
}

/**
 * Options of the advanced settings, named as in other products. A response or assertion without a signature is refused
 * whatever they say.
 */
function securityOf(ctx: Context): Partial<SamlConfig> {
  const security = advancedSecurity(ctx)
  const isOn = (name: string) => own(security, name) === true
  return {
    wantAssertionsSigned: isOn('wantAssertionsSigned'),
    wantAuthnResponseSigned: isOn('wantMessagesSigned'),
    disableRequestedAuthnContext: own(security, 'requestedAuthnContext') !== true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
  }
}

export interface SamlClient {
  readonly saml: SAML
  readonly provider: SamlProvider
  /** Whether messages may be signed and encrypted by algorithms that are not sound any more. */
  readonly allowsOldAlgorithms: boolean
}

/** @throws Error when the settings do not describe a provider */
export async function samlClient(ctx: Context, { callbackUrl, requestId }: Addresses): Promise<SamlClient> {
  const [{ SAML: Client, ValidateInResponseTo }, provider] = await Promise.all([
    import('@node-saml/node-saml'),
    samlProvider(ctx),
  ])
  const { key, certificate } = ownKeys(ctx)
  const isRequest = requestId !== undefined
  const saml = new Client({
    ...securityOf(ctx),
    idpCert: [...provider.certificates],
    idpIssuer: provider.entityId,
    entryPoint: provider.signInUrl,
    // What is posted is not compressed.
    skipRequestCompression: isRequest && provider.isPosted,
    logoutUrl: provider.signOutUrl ?? provider.signInUrl,
    logoutCallbackUrl: callbackUrl.replace(/callback\/$/, 'logout/'),
    issuer: entityIdOf(ctx),
    audience: entityIdOf(ctx),
    callbackUrl,
    identifierFormat: null,
    acceptedClockSkewMs: 30_000,
    // The state and the identifier of the request are kept for the browser and compared there.
    validateInResponseTo: ValidateInResponseTo.never,
    ...(requestId && { generateUniqueId: () => requestId }),
    ...(key && { privateKey: key, decryptionPvk: key }),
    ...(certificate && { publicCert: certificate }),
  })
  const allowsOldAlgorithms = own(advancedSecurity(ctx), 'rejectDeprecatedAlgorithm') === false
  return { saml, provider, allowsOldAlgorithms }
}
