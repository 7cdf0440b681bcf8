import { providerNames } from '@castellan/contract/messages/cloud'
import { secret, text } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { oauthToken, tokenSource } from './access-token.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf } from './answers.ts'
import { ProviderFailure } from './failures.ts'
import { type AttributesOf, type Call, type Connection, defineProvider, type Instance } from './provider.ts'
import { demandRegionName, vendorClient } from './vendor-client.ts'

const attributes = {
  client_id: text({ max: 128, required: true }),
  client_secret: secret({ max: 256, required: true }),
  tenant_id: text({ max: 128, required: true }),
  subscription_id: text({ max: 128, required: true }),
}

const signInCodes: ErrorCodes = {
  unauthorized: /^(invalid_client|invalid_request|invalid_grant|invalid_scope|unauthorized_client|invalid_resource)$/,
  forbidden: /^(access_denied|interaction_required)$/,
  rateLimited: /^(too_many_requests|temporarily_throttled)$/,
  outage: /^(temporarily_unavailable|server_error)$/,
}

const codes: ErrorCodes = {
  unauthorized: /^(InvalidAuthenticationToken|AuthenticationFailed|ExpiredAuthenticationToken|InvalidSubscriptionId)/,
  // A subscription without any role of the application is said not to exist.
  forbidden: /^(AuthorizationFailed|LinkedAuthorizationFailed|SubscriptionNotFound|RoleAssignment)/,
  rateLimited: /^(TooManyRequests|SubscriptionRequestsThrottled|ResourceRequestsThrottled|RetryableError)/,
  noRegion: /^(NoRegisteredProviderFound|LocationNotAvailable|InvalidLocation)/,
  outage: /^(InternalServerError|ServerTimeout|ServiceUnavailable|OperationTimedOut|GatewayTimeout)/,
}

/** A cloud of Microsoft: where applications sign in, and where resources are managed. */
interface Cloud {
  login: string
  management: string
}

const propertiesOf = (one: Entry): Entry => objectOf(one.properties)
/** Ids of resources differ in upper and lower case from one answer to the next. */
const idIn = (one: unknown): string => textOf(objectOf(one).id).toLowerCase()

/** Addresses of the machines of one region, which come from lists of their own. */
class Addresses {
  readonly #public = new Map<string, string>()
  readonly #ofMachine = new Map<string, { own: string[]; publicIds: string[] }>()

  addPublic(one: Entry): void {
    const address = textOf(propertiesOf(one).ipAddress)
    if (address) this.#public.set(idIn(one), address)
  }

  addInterface(one: Entry): void {
    const { virtualMachine, ipConfigurations, primary } = propertiesOf(one)
    const machine = idIn(virtualMachine)
    if (!machine) return
    const found = listOf(ipConfigurations).map(propertiesOf)
    const own = found.map(({ privateIPAddress }) => textOf(privateIPAddress)).filter(Boolean)
    const publicIds = found.map(({ publicIPAddress }) => idIn(publicIPAddress)).filter(Boolean)
    const known = this.#ofMachine.get(machine) ?? { own: [], publicIds: [] }
    const [first, second] = primary === true ? [{ own, publicIds }, known] : [known, { own, publicIds }]
    this.#ofMachine.set(machine, {
      own: [...new Set([...first.own, ...second.own])],
      publicIds: [...new Set([...first.publicIds, ...second.publicIds])],
    })
  }

  of(machine: string): Pick<Instance, 'privateAddresses' | 'publicAddresses'> {
    const { own, publicIds } = this.#ofMachine.get(machine) ?? { own: [], publicIds: [] }
    return { privateAddresses: own, publicAddresses: publicIds.flatMap((id) => this.#public.get(id) ?? []) }
  }
}

/** The lists that are read for a region, one after the other. */
const lists = [
  { path: 'Microsoft.Network/publicIPAddresses', version: '2023-04-01' },
  { path: 'Microsoft.Network/networkInterfaces', version: '2023-04-01' },
  { path: 'Microsoft.Compute/virtualMachines', version: '2023-03-01' },
] as const

function connection(cloud: Cloud, account: AttributesOf<typeof attributes>): Connection {
  const login = vendorClient(cloud.login)
  const management = vendorClient(cloud.management)
  const subscription = `/subscriptions/${encodeURIComponent(account.subscription_id)}`
  const token = tokenSource(async ({ signal }) => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account.client_id,
      client_secret: account.client_secret,
      scope: `https://${cloud.management}/.default`,
    })
    const { body } = await askVendor(
      { client: login, codes: signInCodes, codeOf: ({ error }) => textOf(error) },
      `/${encodeURIComponent(account.tenant_id)}/oauth2/v2.0/token`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        right: 'client_credentials',
        signal,
      },
    )
    return oauthToken(body)
  })
  const ask = async (path: string, right: string, region: string, call: Call): Promise<Entry> => {
    const headers = { authorization: `Bearer ${await token(call)}` }
    const api = { client: management, codes, codeOf: ({ error }: Entry) => textOf(objectOf(error).code) }
    return (await askVendor(api, path, { headers, right, region, signal: call.signal })).body
  }
  const regions = async (call: Call) => {
    const right = 'Microsoft.Resources/subscriptions/locations/read (Reader)'
    const body = await ask(`${subscription}/locations?api-version=2020-01-01`, right, '', call)
    return demandList(body, 'value')
      .filter(({ metadata }) => objectOf(metadata).regionType !== 'Logical')
      .map((one) => ({ id: textOf(one.name), name: textOf(one.displayName) || textOf(one.name) }))
  }

  /** What has been read of the regions that are being read. */
  const reading = new Map<string, Addresses>()
  const begin = (region: string): Addresses => {
    const addresses = new Addresses()
    reading.set(region, addresses)
    return addresses
  }
  /** The cursor: which list, and the address of its page. */
  const at = (cursor: string | undefined): { list: number; link: string } =>
    cursor === undefined ? { list: 0, link: '' } : JSON.parse(cursor)

  return {
    regions,
    test: async (call) => void (await regions(call)),
    async instances(given, cursor, call) {
      const region = demandRegionName(given)
      const { list, link } = at(cursor)
      const { path, version } = lists[list] ?? lists[0]
      const addresses = cursor === undefined ? begin(region) : reading.get(region)
      if (!addresses) throw new ProviderFailure('bad_answer', { reason: 'no first page' })
      const all = path.startsWith('Microsoft.Compute') ? path.replace('/', `/locations/${region}/`) : path
      const first = `${subscription}/providers/${all}?api-version=${version}`
      const body = await ask(link || first, `${path}/read (Reader)`, region, call)
      const here = demandList(body, 'value').filter(({ location }) => textOf(location).toLowerCase() === region)
      if (list === 0) for (const one of here) addresses.addPublic(one)
      if (list === 1) for (const one of here) addresses.addInterface(one)
      const instances = list < 2 ? [] : here.map((one) => described(one, addresses))
      const more = textOf(body.nextLink)
      if (more) return { instances, next: JSON.stringify({ list, link: more }) }
      if (list < 2) return { instances, next: JSON.stringify({ list: list + 1, link: '' }) }
      reading.delete(region)
      return { instances }
    },
    close() {
      login.close()
      management.close()
    },
  }
}

function described(one: Entry, addresses: Addresses): Instance {
  const { vmId, storageProfile } = propertiesOf(one)
  return {
    id: textOf(vmId),
    name: textOf(one.name),
    platform: objectOf(objectOf(storageProfile).osDisk).osType === 'Windows' ? 'windows' : 'linux',
    ...addresses.of(idIn(one)),
  }
}

/** The cloud of China, which 21Vianet runs: other subscriptions, other regions. */
export const azureChina = defineProvider({
  name: 'azure',
  label: providerNames.azure,
  group: 'public',
  attributes,
  connect: async (account) =>
    connection({ login: 'login.partner.microsoftonline.cn', management: 'management.chinacloudapi.cn' }, account),
})

export const azureInternational = defineProvider({
  name: 'azure_international',
  label: providerNames.azure_international,
  group: 'public',
  attributes,
  connect: async (account) =>
    connection({ login: 'login.microsoftonline.com', management: 'management.azure.com' }, account),
})
