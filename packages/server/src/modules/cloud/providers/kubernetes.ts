import { providerNames } from '@castellan/contract/messages/cloud'
import { secret } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { listOf } from './answers.ts'
import { caCertificate, endpoint } from './endpoint.ts'
import { ProviderFailure } from './failures.ts'
import { HttpClient } from './http-client.ts'
import { type Call, defineProvider, demandOnlyRegion, type Instance, onlyRegion } from './provider.ts'

const pageSize = 500
const right = 'nodes: get, list (ClusterRole)'

/** A node of the API (v1.Node). */
function described(node: Record<string, unknown>): Instance {
  const { name, uid, labels } = objectOf(node.metadata)
  const addresses = listOf(objectOf(node.status).addresses)
  const ofType = (type: string) =>
    addresses.filter((one) => one.type === type).map(({ address }) => String(address ?? ''))
  return {
    id: String(uid ?? ''),
    name: String(name ?? ''),
    platform: objectOf(labels)['kubernetes.io/os'] === 'windows' ? 'windows' : 'linux',
    privateAddresses: ofType('InternalIP'),
    publicAddresses: ofType('ExternalIP'),
  }
}

/** The nodes of a cluster. */
export const kubernetes = defineProvider({
  name: 'k8s',
  label: providerNames.k8s,
  group: 'private',
  attributes: {
    api_endpoint: endpoint(),
    token: secret({ max: 8192, required: true }),
    ca_cert: caCertificate(),
  },
  async connect({ api_endpoint, token, ca_cert }) {
    const client = new HttpClient(api_endpoint, ca_cert)
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const page = async (limit: number, cursor: string | undefined, { signal }: Call) => {
      const query = new URLSearchParams({ limit: String(limit), ...(cursor ? { continue: cursor } : {}) })
      const answer = objectOf(await client.json(`/api/v1/nodes?${query}`, right, { headers, signal }))
      if (answer.kind !== 'NodeList') throw new ProviderFailure('bad_answer', { reason: 'no NodeList' })
      const { continue: next } = objectOf(answer.metadata)
      return { instances: listOf(answer.items).map(described), next: next ? String(next) : undefined }
    }
    return {
      test: async (call) => void (await page(1, undefined, call)),
      regions: async () => [onlyRegion],
      async instances(region, cursor, call) {
        demandOnlyRegion(region)
        return page(pageSize, cursor, call)
      },
      close: () => client.close(),
    }
  },
})
