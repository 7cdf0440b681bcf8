import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf } from './answers.ts'
import { caCertificate, endpoint } from './endpoint.ts'
import { HttpClient } from './http-client.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { pageByOffset } from './offset-pages.ts'
import { type Call, defineProvider, demandOnlyRegion, type Instance, onlyRegion } from './provider.ts'

const pageSize = 200

/** The reason of the first message of a failed call. */
const codes: ErrorCodes = {
  unauthorized: /^(AUTHENTICATION_REQUIRED|INVALID_CREDENTIALS)$/,
  forbidden: /^ACCESS_DENIED$/,
  rateLimited: /^(RATE_LIMIT_EXCEEDED|TOO_MANY_REQUESTS)$/,
  outage: /^(INTERNAL_ERROR|SERVICE_UNAVAILABLE)$/,
}
const codeOf = ({ state, message_list }: Entry): string =>
  state === 'ERROR' ? textOf(listOf(message_list)[0]?.reason) || 'ERROR' : ''

/** A virtual machine of the API v3. Its addresses are those that Prism knows. */
function described(one: Entry): Instance {
  const { name, resources } = objectOf(one.status)
  const { nic_list, guest_os_id } = objectOf(resources)
  const addresses = listOf(nic_list)
    .flatMap(({ ip_endpoint_list }) => listOf(ip_endpoint_list))
    .map(({ ip }) => textOf(ip))
  return {
    id: textOf(objectOf(one.metadata).uuid),
    name: textOf(name),
    platform: /windows/i.test(textOf(guest_os_id)) ? 'windows' : 'linux',
    privateAddresses: addresses,
    publicAddresses: addresses,
  }
}

/** Virtual machines of Nutanix Prism, by the API v3. The key pair is the name and the password of a user. */
export const nutanix = defineProvider({
  name: 'nutanix',
  label: providerNames.nutanix,
  group: 'private',
  attributes: { ...keyPairAttributes, api_endpoint: endpoint(), ca_cert: caCertificate() },
  async connect({ api_endpoint, ca_cert, ...pair }) {
    const { id, secret } = keyPairOf(pair)
    const client = new HttpClient(api_endpoint, ca_cert)
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const read = async (offset: number, length: number, { signal }: Call) => {
      const { body } = await askVendor({ client, codes, codeOf }, '/api/nutanix/v3/vms/list', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'vm', offset, length, sort_attribute: 'vm_name', sort_order: 'ASCENDING' }),
        right: 'View_Virtual_Machine (Prism Viewer)',
        signal,
      })
      return {
        instances: demandList(body, 'entities').map(described),
        total: Number(objectOf(body.metadata).total_matches ?? 0),
      }
    }
    return {
      test: async (call) => void (await read(0, 1, call)),
      regions: async () => [onlyRegion],
      async instances(region, cursor, call) {
        demandOnlyRegion(region)
        return pageByOffset(cursor, (offset) => read(offset, pageSize, call))
      },
      close: () => client.close(),
    }
  },
})
