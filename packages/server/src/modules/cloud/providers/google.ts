import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { oauthToken, tokenSource } from './access-token.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf, textsOf } from './answers.ts'
import { ProviderFailure } from './failures.ts'
import { assertion, type ServiceAccountKey, serviceAccountKey } from './google-key.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { demandRegionName, vendorClient } from './vendor-client.ts'

/** Machines of one page: the most that Compute Engine allows. */
const pageSize = 500
const tokenHost = 'oauth2.googleapis.com'
const scope = 'https://www.googleapis.com/auth/compute.readonly'

const signInCodes: ErrorCodes = {
  unauthorized: /^(invalid_grant|invalid_client|unauthorized_client|invalid_request|invalid_scope)$/,
  forbidden: /^access_denied$/,
  rateLimited: /^rate_limit_exceeded$/,
  outage: /^(internal_failure|temporarily_unavailable)$/,
}

const codes: ErrorCodes = {
  unauthorized: /^(authError|required|ACCESS_TOKEN_EXPIRED)$/,
  forbidden: /^(forbidden|insufficientPermissions|accessNotConfigured|SERVICE_DISABLED)$/,
  rateLimited: /^(rateLimitExceeded|userRateLimitExceeded|quotaExceeded|dailyLimitExceeded|concurrentLimitExceeded)$/,
  noRegion: /^notFound$/,
  outage: /^(backendError|internalError|serviceUnavailable)$/,
}

/** The reason of the first error, which is more exact than the status. */
const codeOf = ({ error }: Entry): string => {
  const { errors, status, code } = objectOf(error)
  return textOf(listOf(errors)[0]?.reason) || textOf(status) || (code ? String(code) : '')
}

/** An instance. `TERMINATED` is Google's word for a machine that is switched off. */
function described(one: Entry): Instance {
  const interfaces = listOf(one.networkInterfaces)
  const features = listOf(one.disks).flatMap(({ guestOsFeatures }) => listOf(guestOsFeatures))
  const access = interfaces.flatMap(({ accessConfigs, ipv6AccessConfigs }) => [
    ...listOf(accessConfigs).map(({ natIP }) => natIP),
    ...listOf(ipv6AccessConfigs).map(({ externalIpv6 }) => externalIpv6),
  ])
  return {
    id: textOf(one.id),
    name: textOf(one.name),
    platform: features.some(({ type }) => type === 'WINDOWS') ? 'windows' : 'linux',
    privateAddresses: textsOf(
      ...interfaces.map(({ networkIP }) => networkIP),
      ...interfaces.map((each) => each.ipv6Address),
    ),
    publicAddresses: textsOf(...access),
  }
}

/** Where a page is: the zones that are left, the first of them being read, and its page. */
interface Position {
  zones: string[]
  page: string
}

/** Compute Engine of Google Cloud: the project of the service account. */
export const google = defineProvider({
  name: 'gcp',
  label: providerNames.gcp,
  group: 'public',
  attributes: { service_account_key: serviceAccountKey() },
  async connect({ service_account_key }) {
    const key = JSON.parse(service_account_key) as ServiceAccountKey
    const identity = vendorClient(tokenHost)
    const compute = vendorClient('compute.googleapis.com')
    const token = tokenSource(async ({ signal }) => {
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: assertion(key, { scope, audience: `https://${tokenHost}/token` }),
      })
      const { body } = await askVendor(
        { client: identity, codes: signInCodes, codeOf: ({ error }) => textOf(error) },
        '/token',
        {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: form.toString(),
          right: scope,
          signal,
        },
      )
      return oauthToken(body)
    })
    const ask = async (
      path: string,
      query: Record<string, string>,
      asked: { right: string; region?: string },
      call: Call,
    ) => {
      const headers = { authorization: `Bearer ${await token(call)}` }
      const all = `/compute/v1/projects/${encodeURIComponent(key.project_id)}/${path}?${new URLSearchParams(query)}`
      const api = { client: compute, codes, codeOf }
      return (await askVendor(api, all, { ...asked, headers, signal: call.signal })).body
    }
    /** The entries of a list, which are left out when there are none. */
    const entriesOf = (body: Entry, kind: string): Entry[] => {
      if (body.kind !== kind) throw new ProviderFailure('bad_answer', { reason: `no ${kind}` })
      const warning = textOf(objectOf(body.warning).code)
      if (warning === 'UNREACHABLE' || warning === 'PARTIAL_SUCCESS')
        throw new ProviderFailure('unreachable', { address: compute.address, reason: warning })
      return body.items === undefined ? [] : demandList(body, 'items')
    }
    const regions = async (call: Call) =>
      entriesOf(
        await ask(
          'regions',
          { maxResults: String(pageSize) },
          { right: 'compute.regions.list (roles/compute.viewer)' },
          call,
        ),
        'compute#regionList',
      ).map(({ name }) => ({ id: textOf(name), name: textOf(name) }))
    const zonesOf = async (region: string, call: Call): Promise<string[]> => {
      const right = 'compute.regions.get (roles/compute.viewer)'
      const { zones } = await ask(`regions/${demandRegionName(region)}`, {}, { right, region }, call)
      return textsOf(zones).map((url) => demandRegionName(url.split('/').at(-1) ?? ''))
    }
    return {
      regions,
      test: async (call) => void (await regions(call)),
      async instances(region, cursor, call) {
        const { zones, page }: Position =
          cursor === undefined ? { zones: await zonesOf(region, call), page: '' } : JSON.parse(cursor)
        const [zone, ...others] = zones
        if (!zone) return { instances: [] }
        const body = await ask(
          `zones/${zone}/instances`,
          { maxResults: String(pageSize), ...(page ? { pageToken: page } : {}) },
          { right: 'compute.instances.list (roles/compute.viewer)', region },
          call,
        )
        const instances = entriesOf(body, 'compute#instanceList').map(described)
        const more = textOf(body.nextPageToken)
        const left: Position = more ? { zones, page: more } : { zones: others, page: '' }
        return { instances, next: left.zones.length > 0 ? JSON.stringify(left) : undefined }
      },
      close() {
        identity.close()
        compute.close()
      },
    }
  },
})
