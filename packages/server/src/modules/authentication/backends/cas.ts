import { authBackends } from '@castellan/contract/choices/authentication'
import type { Context } from '../../../kernel/module/context.ts'
import { askProvider } from '../../../kernel/security/outgoing-request.ts'
import type { ProviderAnswer, RedirectBackend } from '../../../kernel/security/sign-in.ts'
import { demandMapped, reversed } from '../federated/attributes.ts'
import { childOf, readXml } from '../federated/xml.ts'
import { signInMethods } from '../settings.ts'
import { cas as settings } from './provider-settings.ts'

const namespace = 'http://www.yale.edu/tp/cas'
/** Of requests for a sign-out, which CAS took over from SAML. */
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
/** Characters of such a request. */
const longestRequest = 65_536

/** The address of the server with a path below it. */
const at = (ctx: Context, path: string, query: Readonly<Record<string, string>>): string =>
  `${settings.of(ctx).CAS_SERVER_URL.replace(/\/+$/, '')}/${path}?${new URLSearchParams(query)}`

/** Where the server sends the browser back; the same for the sign-in and for the check of the ticket. */
function serviceOf(ctx: Context, callbackUrl: string, state: string): string {
  const root = settings.settings.CAS_ROOT_PROXIED_AS
  // The default is an example, which never is the address of an installation.
  const site = root.isStored(ctx) ? settings.of(ctx).CAS_ROOT_PROXIED_AS : undefined
  const url = site ? `${site.replace(/\/+$/, '')}${new URL(callbackUrl).pathname}` : callbackUrl
  return `${url}?${new URLSearchParams({ state })}`
}

/** Names and values of a validated ticket; undefined for a refused one. */
function readAnswer(version: number, text: string): Record<string, string> | undefined {
  if (version === 1) {
    const [verdict, name] = text.split('\n')
    return verdict === 'yes' && name ? { 'cas:user': name.trim() } : undefined
  }
  const root = readXml(text)
  const success = root.name === 'serviceResponse' ? childOf(root, namespace, 'authenticationSuccess') : undefined
  const name = childOf(success, namespace, 'user')?.text.trim()
  if (!success || !name) return undefined
  const attributes = childOf(success, namespace, 'attributes')?.children ?? []
  const values = attributes.map(({ name: attribute, text: value }) => [attribute, value.trim()] as const)
  return {
    ...Object.fromEntries(
      values.flatMap(([key, value]) => [
        [key, value],
        [`cas:${key}`, value],
      ]),
    ),
    'cas:user': name,
  }
}

/** CAS 1 to 3: the server is asked what a ticket is worth. */
export const cas: RedirectBackend = {
  name: 'cas',
  label: authBackends.CAS,
  loggedAs: 'CAS',
  kind: 'redirect',
  automatic: true,
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_CAS,

  start: async (ctx, { callbackUrl, state }) => ({
    url: at(ctx, 'login', { service: serviceOf(ctx, callbackUrl, state) }),
  }),

  async authenticate(ctx, { request, callbackUrl, state }): Promise<ProviderAnswer | undefined> {
    const { ticket } = request.query
    if (!ticket) return undefined
    const set = settings.of(ctx)
    const path = set.CAS_VERSION === 1 ? 'validate' : set.CAS_VERSION === 2 ? 'serviceValidate' : 'p3/serviceValidate'
    try {
      const answer = await askProvider(at(ctx, path, { ticket, service: serviceOf(ctx, callbackUrl, state) }))
      if (!answer.ok) throw new Error(`The CAS server answered with status ${answer.status}.`)
      const found = readAnswer(set.CAS_VERSION, await answer.text())
      const renaming = { ...reversed(set.CAS_RENAME_ATTRIBUTES), username: set.CAS_USERNAME_ATTRIBUTE }
      if (!found) throw new Error('The CAS server does not accept the ticket.')
      const { username, attributes } = demandMapped(found, renaming)
      const principal = found['cas:user'] ?? ''
      return {
        source: 'cas',
        username,
        // The principal is who signed in; an attribute that is the name here can be given to somebody else.
        ...(principal.toLowerCase() !== username.toLowerCase() && {
          identity: { issuer: settings.of(ctx).CAS_SERVER_URL.replace(/\/+$/, ''), subject: principal.toLowerCase() },
        }),
        providerSession: [ticket],
        ...(set.CAS_APPLY_ATTRIBUTES_TO_USER && { attributes, updates: false as const }),
        ...(!set.CAS_CREATE_USER && { creates: false as const }),
      }
    } catch (error) {
      ctx.services.log.warn({ err: error }, 'The CAS server did not confirm a sign-in')
      return undefined
    }
  },

  // The ticket proves that the server sent it: nobody else knows it, apart from the browser that it signed in.
  endedBy({ logoutRequest: sent }) {
    if (sent === undefined) return undefined
    if (sent.length > longestRequest) throw new Error('The request for a sign-out is too long.')
    const ticket = childOf(readXml(sent), protocol, 'SessionIndex')?.text.trim()
    if (!ticket) throw new Error('The request for a sign-out names no ticket.')
    return ticket
  },

  signOut: async (ctx, { returnUrl }) =>
    settings.of(ctx).CAS_LOGOUT_COMPLETELY ? { url: at(ctx, 'logout', { service: returnUrl }) } : undefined,
}
