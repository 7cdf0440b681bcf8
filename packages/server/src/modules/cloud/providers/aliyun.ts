import { randomUUID } from 'node:crypto'
import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, textOf, textsOf } from './answers.ts'
import { ProviderFailure } from './failures.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { canonicalQuery, sha256, signAliyun } from './signatures.ts'
import { VendorClients } from './vendor-client.ts'

/** Machines of one page: the most that ECS allows. */
const pageSize = 100
/** Where the regions are asked for. */
const home = 'ecs.cn-hangzhou.aliyuncs.com'
const version = '2014-05-26'

const codes: ErrorCodes = {
  unauthorized:
    /^(InvalidAccessKeyId|SignatureDoesNotMatch|IncompleteSignature|InvalidSecurityToken|Forbidden\.AccessKey)/,
  forbidden: /^(Forbidden(\.RAM|\.SubUser|\.Unauthorized)?$|NoPermission)/,
  rateLimited: /^(Throttling|FlowControl)/,
  noRegion: /^(InvalidRegionId|RegionIdNotSupported)/,
  outage: /^(InternalError|ServiceUnavailable)/,
}

const within = (value: unknown, name: string): unknown => objectOf(value)[name]

/** An instance of `DescribeInstances`; lists are wrapped in objects. */
function described(one: Entry): Instance {
  const vpc = objectOf(one.VpcAttributes)
  const interfaces = within(one.NetworkInterfaces, 'NetworkInterface')
  const primary = Array.isArray(interfaces) ? interfaces.map((each) => within(each, 'PrimaryIpAddress')) : []
  return {
    id: textOf(one.InstanceId),
    name: textOf(one.InstanceName),
    platform: one.OSType === 'windows' ? 'windows' : 'linux',
    privateAddresses: textsOf(
      within(vpc.PrivateIpAddress, 'IpAddress'),
      within(one.InnerIpAddress, 'IpAddress'),
      ...primary,
    ),
    publicAddresses: textsOf(within(one.EipAddress, 'IpAddress'), within(one.PublicIpAddress, 'IpAddress')),
  }
}

/** Elastic Compute Service of Alibaba Cloud. */
export const aliyun = defineProvider({
  name: 'aliyun',
  label: providerNames.aliyun,
  group: 'public',
  attributes: keyPairAttributes,
  async connect(attributes) {
    const keys = keyPairOf(attributes)
    const clients = new VendorClients()
    const ask = async (
      { host, region = '' }: { host: string; region?: string },
      action: string,
      query: Record<string, string>,
      { signal }: Call,
    ): Promise<Entry> => {
      const headers = {
        host,
        'x-acs-action': action,
        'x-acs-content-sha256': sha256(''),
        'x-acs-date': new Date().toISOString().replace(/\.\d+/, ''),
        'x-acs-signature-nonce': randomUUID(),
        'x-acs-version': version,
      }
      const authorization = signAliyun({ method: 'POST', path: '/', query, headers }, keys)
      const { body } = await askVendor(
        { client: clients.at(host), codes, codeOf: (answer) => textOf(answer.Code) },
        `/?${canonicalQuery(query)}`,
        {
          method: 'POST',
          headers: { ...headers, authorization, accept: 'application/json' },
          right: `ecs:${action}`,
          region,
          signal,
        },
      )
      return body
    }
    /** Regions with the host that serves each. */
    const regions = async (call: Call) =>
      demandList(objectOf((await ask({ host: home }, 'DescribeRegions', {}, call)).Regions), 'Region').map((one) => ({
        id: textOf(one.RegionId),
        name: textOf(one.LocalName) || textOf(one.RegionId),
        host: textOf(one.RegionEndpoint),
      }))
    const hosts = new Map<string, string>()
    const hostOf = async (region: string, call: Call): Promise<string> => {
      if (!hosts.has(region)) for (const { id, host } of await regions(call)) hosts.set(id, host)
      const host = hosts.get(region) ?? ''
      if (!/^ecs[a-z0-9.-]*\.aliyuncs\.com$/.test(host)) throw new ProviderFailure('no_region', { region })
      return host
    }
    return {
      test: async (call) => void (await regions(call)),
      regions: async (call) => (await regions(call)).map(({ id, name }) => ({ id, name })),
      async instances(region, cursor, call) {
        const query = { RegionId: region, MaxResults: String(pageSize), ...(cursor ? { NextToken: cursor } : {}) }
        const host = await hostOf(region, call)
        const body = await ask({ host, region }, 'DescribeInstances', query, call)
        const found = demandList(objectOf(body.Instances), 'Instance')
        return { instances: found.map(described), next: textOf(body.NextToken) || undefined }
      },
      close: () => clients.close(),
    }
  },
})
