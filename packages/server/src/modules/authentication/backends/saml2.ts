import { authBackends } from '@castellan/contract/choices/authentication'
import type { Profile } from '@node-saml/node-saml'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { randomText } from '../../../kernel/security/random.ts'
import type { ProviderAnswer, RedirectBackend } from '../../../kernel/security/sign-in.ts'
import { demandMapped, reversed } from '../federated/attributes.ts'
import { demandMeantForUs, friendlyAttributes } from '../federated/saml-assertion.ts'
import { entityIdOf, samlClient } from '../federated/saml-client.ts'
import { signOutRequest } from '../federated/saml-sign-out.ts'
import { demandSoundResponse } from '../federated/saml-soundness.ts'
import { signInMethods } from '../settings.ts'
import { SignInDenied } from '../sign-in-denied.ts'
import { saml2 } from './provider-settings.ts'

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** The user's session at the provider, which a sign-out names. */
type Subject = Pick<Profile, 'issuer' | 'nameID' | 'nameIDFormat' | 'sessionIndex'>

const isSubject = (value: unknown): value is Subject => isObject(value) && typeof value.nameID === 'string'

/**
 * SAML 2.0: requests by redirect, or posted where the provider takes no others; responses by a posted form. Signed, and
 * encrypted where a key is set.
 */
export const saml: RedirectBackend = {
  name: 'saml2',
  label: authBackends.SAML2,
  loggedAs: 'SAML2',
  kind: 'redirect',
  automatic: true,
  stateParameter: 'RelayState',
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_SAML2,

  async start(ctx, { callbackUrl, state }) {
    // Identifiers in XML begin with a letter or an underscore.
    const requestId = `_${randomText(32)}`
    try {
      const client = await samlClient(ctx, { callbackUrl, requestId })
      if (!client.provider.isPosted)
        return { url: await client.saml.getAuthorizeUrlAsync(state, undefined, {}), kept: requestId }
      const form = (await client.saml.getAuthorizeMessageAsync(state)) as Record<string, string>
      return { url: client.provider.signInUrl, form: { ...form, RelayState: state }, kept: requestId }
    } catch (error) {
      ctx.services.log.warn({ err: error }, 'The settings describe no usable SAML provider')
      throw new SignInDenied('provider_misconfigured', {}, { status: 412, logged: false })
    }
  },

  async authenticate(ctx, { request, callbackUrl, kept }): Promise<ProviderAnswer | undefined> {
    const { SAMLResponse: sent } = objectOf(request.body)
    if (typeof sent !== 'string') return undefined
    const set = saml2.of(ctx)
    try {
      const client = await samlClient(ctx, { callbackUrl })
      await demandSoundResponse(Buffer.from(sent, 'base64').toString('utf8'), {
        recipient: callbackUrl,
        key: client.saml.options.decryptionPvk,
        allowsOld: client.allowsOldAlgorithms,
      })
      const { profile } = await client.saml.validatePostResponseAsync({ SAMLResponse: sent })
      if (!profile) throw new Error('The response names nobody.')
      const assertion = profile.getAssertionXml?.() ?? ''
      demandMeantForUs(assertion, {
        issuer: client.provider.entityId,
        recipient: callbackUrl,
        requestId: kept,
        audience: entityIdOf(ctx),
        now: ctx.now,
      })
      // An attribute is mapped by its name, or else by the name that providers have for people.
      const person = demandMapped(
        { ...friendlyAttributes(assertion), NameID: profile.nameID, ...objectOf(profile.attributes) },
        reversed(set.SAML2_RENAME_ATTRIBUTES),
      )
      const { issuer, nameID, nameIDFormat, sessionIndex } = profile
      const subject: Subject = { issuer, nameID, nameIDFormat, ...(sessionIndex && { sessionIndex }) }
      return {
        source: 'saml2',
        ...person,
        // Names of other formats are given to somebody else, or to nobody twice.
        ...(nameIDFormat === persistent && { identity: { issuer: client.provider.entityId, subject: nameID } }),
        ...(set.AUTH_SAML2_ALWAYS_UPDATE_USER ? {} : { updates: false }),
        atProvider: JSON.stringify(subject),
        providerSession: [nameID, ...(sessionIndex ? [`${nameID} ${sessionIndex}`] : [])],
      }
    } catch (error) {
      ctx.services.log.warn({ err: error }, 'A SAML response was refused')
      return undefined
    }
  },

  async signOut(ctx, { atProvider, returnUrl }) {
    const subject: unknown = atProvider ? JSON.parse(atProvider) : undefined
    if (!saml2.of(ctx).SAML2_LOGOUT_COMPLETELY || !isSubject(subject)) return undefined
    const callbackUrl = new URL('/core/auth/saml2/callback/', returnUrl).href
    return signOutRequest(await samlClient(ctx, { callbackUrl }), subject)
  },
}
