import { randomUUID } from 'node:crypto'
import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, textOf, textsOf } from './answers.ts'
import { ProviderFailure } from './failures.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { pageByNumber } from './offset-pages.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { canonicalQuery, signJd } from './signatures.ts'
import { vendorClient } from './vendor-client.ts'

/** Machines of one page: the most that the API allows. */
const pageSize = 100
const host = 'vm.jdcloud-api.com'

/** The vendor documents its regions, and no call that lists them. */
const regionNames: Readonly<Record<string, string>> = {
  'cn-north-1': 'Beijing',
  'cn-east-1': 'Suqian',
  'cn-east-2': 'Shanghai',
  'cn-south-1': 'Guangzhou',
}

/** The states of errors. */
const codes: ErrorCodes = {
  unauthorized: /^UNAUTHENTICATED$/,
  forbidden: /^PERMISSION_DENIED$/,
  rateLimited: /^RESOURCE_EXHAUSTED$/,
  outage: /^(INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED|UNKNOWN)$/,
}

const described = (one: Entry): Instance => ({
  id: textOf(one.instanceId),
  name: textOf(one.instanceName),
  platform: /windows/i.test(textOf(one.osType)) ? 'windows' : 'linux',
  privateAddresses: textsOf(one.privateIpAddress),
  publicAddresses: textsOf(one.elasticIpAddress),
  isTerminated: one.status === 'deleting' || one.status === 'error_create',
})

/** Virtual machines of JD Cloud. */
export const jd = defineProvider({
  name: 'jdcloud',
  label: providerNames.jdcloud,
  group: 'public',
  attributes: keyPairAttributes,
  async connect(attributes) {
    const keys = keyPairOf(attributes)
    const client = vendorClient(host)
    const api = { client, codes, codeOf: ({ error }: Entry) => textOf(objectOf(error).status) }
    const ask = async (region: string, page: number, size: number, { signal }: Call): Promise<Entry> => {
      if (!Object.hasOwn(regionNames, region)) throw new ProviderFailure('no_region', { region })
      const path = `/v1/regions/${region}/instances`
      const query = { pageNumber: String(page), pageSize: String(size) }
      const headers = {
        'content-type': 'application/json',
        host,
        'x-jdcloud-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
        'x-jdcloud-nonce': randomUUID(),
      }
      const authorization = signJd({ method: 'GET', path, query, headers }, keys, region, 'vm')
      const asked = { headers: { ...headers, authorization }, right: 'vm:describeInstances', region, signal }
      return objectOf((await askVendor(api, `${path}?${canonicalQuery(query)}`, asked)).body.result)
    }
    return {
      regions: async () => Object.entries(regionNames).map(([id, name]) => ({ id, name: `${name} (${id})` })),
      test: async (call) => void (await ask('cn-north-1', 1, 10, call)),
      instances: (region, cursor, call) =>
        pageByNumber(cursor, pageSize, async (number) => {
          const page = await ask(region, number, pageSize, call)
          return { instances: demandList(page, 'instances').map(described), total: Number(page.totalCount ?? 0) }
        }),
      close: () => client.close(),
    }
  },
})
