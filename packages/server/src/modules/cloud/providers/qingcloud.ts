import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf, textsOf } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { HttpClient } from './http-client.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { pageByOffset, regionsReadOnce } from './offset-pages.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { canonicalQuery, signQing } from './signatures.ts'

/** Machines of one page: the most that the API allows. */
const pageSize = 100

/** Return codes, which come with status 200. */
const codes: ErrorCodes = {
  unauthorized: /^(1200|1300)$/,
  forbidden: /^1400$/,
  rateLimited: /^5100$/,
  outage: /^(5000|5200|5300)$/,
}
const codeOf = ({ ret_code }: Entry): string => (typeof ret_code === 'number' && ret_code !== 0 ? String(ret_code) : '')

function described(one: Entry): Instance {
  const image = objectOf(one.image)
  return {
    id: textOf(one.instance_id),
    name: textOf(one.instance_name),
    platform: /windows/i.test(`${textOf(image.platform)} ${textOf(image.os_family)}`) ? 'windows' : 'linux',
    privateAddresses: textsOf(...listOf(one.vxnets).map(({ private_ip }) => private_ip)),
    publicAddresses: textsOf(objectOf(one.eip).eip_addr),
    isTerminated: one.status === 'terminated' || one.status === 'ceased',
  }
}

/** An installation of QingCloud; its zones are the regions. */
export const qingcloud = defineProvider({
  name: 'qingcloud_private',
  label: providerNames.qingcloud_private,
  group: 'private',
  attributes: { ...keyPairAttributes, api_endpoint: endpoint({ withPath: true }) },
  async connect(attributes) {
    const keys = keyPairOf(attributes)
    const base = new URL(attributes.api_endpoint)
    const path = base.pathname === '/' ? '/iaas/' : `${base.pathname.replace(/\/+$/, '')}/`
    const client = new HttpClient(base.origin)
    const ask = async (action: string, more: Record<string, string>, { signal }: Call): Promise<Entry> => {
      const query = {
        action,
        access_key_id: keys.id,
        signature_method: 'HmacSHA256',
        signature_version: '1',
        time_stamp: new Date().toISOString().replace(/\.\d+/, ''),
        version: '1',
        ...more,
      }
      const signature = encodeURIComponent(signQing(path, query, keys.secret))
      const asked = { right: action, region: more.zone ?? '', signal }
      return (
        await askVendor({ client, codes, codeOf }, `${path}?${canonicalQuery(query)}&signature=${signature}`, asked)
      ).body
    }
    const known = regionsReadOnce(async (call) =>
      demandList(await ask('DescribeZones', {}, call), 'zone_set')
        .filter(({ status }) => status === 'active')
        .map(({ zone_id }) => ({ id: textOf(zone_id), name: textOf(zone_id) })),
    )
    return {
      regions: known.read,
      test: async (call) => void (await known.read(call)),
      async instances(region, cursor, call) {
        await known.demand(region, call)
        return pageByOffset(cursor, async (offset) => {
          const query = { zone: region, offset: String(offset), limit: String(pageSize), verbose: '1' }
          const page = await ask('DescribeInstances', query, call)
          return { instances: demandList(page, 'instance_set').map(described), total: Number(page.total_count ?? 0) }
        })
      },
      close: () => client.close(),
    }
  },
})
