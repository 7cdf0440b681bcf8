import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf, textsOf } from './answers.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { pageByOffset, regionsReadOnce } from './offset-pages.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { canonicalQuery, signKingsoft } from './signatures.ts'
import { demandRegionName, VendorClients } from './vendor-client.ts'

const service = 'kec'
const version = '2016-03-04'
/** Machines of one page. The API allows 1000. */
const pageSize = 200
/** The region that is asked for the others. */
const home = 'cn-beijing-6'

const codes: ErrorCodes = {
  unauthorized: /^(InvalidAccessKeyId|InvalidClientTokenId|SignatureDoesNotMatch|IncompleteSignature|AuthFailure)/,
  forbidden: /^(AccessDenied|UnauthorizedOperation|Forbidden)/,
  rateLimited: /^(Throttling|RequestLimitExceeded|TooManyRequests)/,
  noRegion: /^(InvalidRegion|RegionNotFound)/,
  outage: /^(InternalError|InternalFailure|ServiceUnavailable|ServerError)/,
}

function described(one: Entry): Instance {
  const interfaces = listOf(one.NetworkInterfaceSet)
  return {
    id: textOf(one.InstanceId),
    name: textOf(one.InstanceName),
    platform: /windows/i.test(`${textOf(one.Platform)} ${textOf(one.OsName)}`) ? 'windows' : 'linux',
    privateAddresses: textsOf(one.PrivateIpAddress, ...interfaces.map(({ PrivateIpAddress }) => PrivateIpAddress)),
    publicAddresses: textsOf(...interfaces.map(({ PublicIp }) => PublicIp)),
    isTerminated: ['deleted', 'recycling', 'block_device_mapping_error'].includes(
      textOf(objectOf(one.InstanceState).Name),
    ),
  }
}

/** Kingsoft Cloud Elastic Compute. */
export const kingsoft = defineProvider({
  name: 'kingsoftcloud',
  label: providerNames.kingsoftcloud,
  group: 'public',
  attributes: keyPairAttributes,
  async connect(attributes) {
    const keys = keyPairOf(attributes)
    const clients = new VendorClients()
    const ask = async (action: string, region: string, more: Record<string, string>, { signal }: Call) => {
      const host = `${service}.${demandRegionName(region)}.api.ksyun.com`
      const query = { Action: action, Version: version, ...more }
      const headers = {
        accept: 'application/json',
        host,
        'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      }
      const authorization = signKingsoft({ method: 'GET', path: '/', query, headers }, keys, region, service)
      const api = {
        client: clients.at(host),
        codes,
        codeOf: ({ Error: error }: Entry) => textOf(objectOf(error).Code),
      }
      const asked = { headers: { ...headers, authorization }, right: `${service}:${action}`, region, signal }
      return (await askVendor(api, `/?${canonicalQuery(query)}`, asked)).body
    }
    const known = regionsReadOnce(async (call) =>
      demandList(await ask('DescribeRegions', home, {}, call), 'RegionSet').map((one) => ({
        id: textOf(one.Region),
        name: textOf(one.RegionName) || textOf(one.Region),
      })),
    )
    return {
      regions: known.read,
      test: async (call) => void (await known.read(call)),
      async instances(region, cursor, call) {
        // A region that does not exist has no host either.
        await known.demand(region, call)
        return pageByOffset(cursor, async (offset) => {
          const query = { Marker: String(offset), MaxResults: String(pageSize) }
          const page = await ask('DescribeInstances', region, query, call)
          return { instances: demandList(page, 'InstancesSet').map(described), total: Number(page.InstanceCount ?? 0) }
        })
      },
      close: () => clients.close(),
    }
  },
})
