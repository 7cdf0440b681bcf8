import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, textOf, textsOf } from './answers.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { pageByOffset } from './offset-pages.ts'
import { type Call, type Connection, defineProvider, type Instance } from './provider.ts'
import { type KeyPair, signTencent } from './signatures.ts'
import { demandRegionName, vendorClient } from './vendor-client.ts'

/** Machines of one page: the most that the API allows. */
const pageSize = 100

const codes: ErrorCodes = {
  unauthorized: /^AuthFailure\.(SecretIdNotFound|SignatureFailure|InvalidSecretId|TokenFailure|InvalidAuthorization)$/,
  forbidden: /^(AuthFailure\.UnauthorizedOperation|UnauthorizedOperation)/,
  rateLimited: /^(RequestLimitExceeded|LimitExceeded\.Request)/,
  noRegion: /^(UnsupportedRegion|InvalidParameterValue\.Region|InvalidRegion)/,
  outage: /^(InternalError|ServiceUnavailable|ResourceUnavailable)/,
}

/** A product of Tencent Cloud with machines. */
interface Product {
  service: string
  version: string
  described(one: Entry): Instance
}

const cvm: Product = {
  service: 'cvm',
  version: '2017-03-12',
  described: (one) => ({
    id: textOf(one.InstanceId),
    name: textOf(one.InstanceName),
    platform: /windows/i.test(textOf(one.OsName)) ? 'windows' : 'linux',
    privateAddresses: textsOf(one.PrivateIpAddresses),
    publicAddresses: textsOf(one.PublicIpAddresses, one.IPv6Addresses),
    isTerminated: one.InstanceState === 'TERMINATING' || one.InstanceState === 'LAUNCH_FAILED',
  }),
}

const lighthouse: Product = {
  service: 'lighthouse',
  version: '2020-03-24',
  described: (one) => ({
    id: textOf(one.InstanceId),
    name: textOf(one.InstanceName),
    platform: /windows/i.test(`${textOf(one.PlatformType)} ${textOf(one.OsName)}`) ? 'windows' : 'linux',
    privateAddresses: textsOf(one.PrivateAddresses),
    publicAddresses: textsOf(one.PublicAddresses),
    isTerminated: one.InstanceState === 'TERMINATING' || one.InstanceState === 'LAUNCH_FAILED',
  }),
}

function connection({ service, version, described }: Product, keys: KeyPair): Connection {
  const host = `${service}.tencentcloudapi.com`
  const client = vendorClient(host)
  const api = {
    client,
    codes,
    // Errors have status 200 too.
    codeOf: ({ Response }: Entry) => textOf(objectOf(objectOf(Response).Error).Code),
  }
  const ask = async (action: string, region: string, parameters: object, { signal }: Call): Promise<Entry> => {
    const seconds = Math.floor(Date.now() / 1000)
    const body = JSON.stringify(parameters)
    const headers = { 'content-type': 'application/json; charset=utf-8', host, 'x-tc-action': action }
    const authorization = signTencent({ method: 'POST', path: '/', headers, body }, keys, service, seconds)
    const answer = await askVendor(api, '/', {
      method: 'POST',
      headers: {
        ...headers,
        authorization,
        'x-tc-timestamp': String(seconds),
        'x-tc-version': version,
        ...(region ? { 'x-tc-region': demandRegionName(region) } : {}),
      },
      body,
      right: `${service}:${action}`,
      region,
      signal,
    })
    return objectOf(answer.body.Response)
  }
  const regions = async (call: Call) =>
    demandList(await ask('DescribeRegions', '', {}, call), 'RegionSet')
      .filter(({ RegionState }) => RegionState === 'AVAILABLE')
      .map((one) => ({ id: textOf(one.Region), name: textOf(one.RegionName) || textOf(one.Region) }))
  return {
    regions,
    test: async (call) => void (await regions(call)),
    instances: (region, cursor, call) =>
      pageByOffset(cursor, async (offset) => {
        const page = await ask('DescribeInstances', region, { Offset: offset, Limit: pageSize }, call)
        return { instances: demandList(page, 'InstanceSet').map(described), total: Number(page.TotalCount ?? 0) }
      }),
    close: () => client.close(),
  }
}

/** Cloud Virtual Machine of Tencent Cloud. */
export const tencent = defineProvider({
  name: 'qcloud',
  label: providerNames.qcloud,
  group: 'public',
  attributes: keyPairAttributes,
  connect: async (attributes) => connection(cvm, keyPairOf(attributes)),
})

/** Lighthouse, the small servers of Tencent Cloud. */
export const tencentLighthouse = defineProvider({
  name: 'qcloud_lighthouse',
  label: providerNames.qcloud_lighthouse,
  group: 'public',
  attributes: keyPairAttributes,
  connect: async (attributes) => connection(lighthouse, keyPairOf(attributes)),
})
