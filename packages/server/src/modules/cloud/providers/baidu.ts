import { providerNames } from '@castellan/contract/messages/cloud'
import { askVendor, demandList, type Entry, type ErrorCodes, textOf, textsOf } from './answers.ts'
import { ProviderFailure } from './failures.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { canonicalQuery, signBaidu } from './signatures.ts'
import { VendorClients } from './vendor-client.ts'

/** Machines of one page: the most that the API allows. */
const pageSize = 1000

/** The vendor documents its regions, and no call that lists them. */
const regionNames: Readonly<Record<string, string>> = {
  bj: 'Beijing',
  gz: 'Guangzhou',
  su: 'Suzhou',
  hkg: 'Hong Kong',
  fwh: 'Wuhan',
  bd: 'Baoding',
  fsh: 'Shanghai',
  cd: 'Chengdu',
  nj: 'Nanjing',
  sin: 'Singapore',
}

const codes: ErrorCodes = {
  unauthorized: /^(InvalidAccessKeyId|SignatureDoesNotMatch|RequestExpired|InvalidHTTPAuthHeader)$/,
  forbidden: /^(AccessDenied|NoPermission|OperationDenied)$/,
  rateLimited: /^(RequestLimitExceeded|TooManyRequests|Throttling)$/,
  outage: /^(InternalError|ServiceInternalError|ServiceUnavailable)$/,
}

const described = (one: Entry): Instance => ({
  id: textOf(one.id),
  name: textOf(one.name),
  platform: /windows/i.test(textOf(one.osName)) ? 'windows' : 'linux',
  privateAddresses: textsOf(one.internalIp),
  publicAddresses: textsOf(one.publicIp, one.eip),
  isTerminated: one.status === 'Deleted' || one.status === 'Recycled',
})

/** Baidu Cloud Compute of Baidu AI Cloud. */
export const baidu = defineProvider({
  name: 'baiducloud',
  label: providerNames.baiducloud,
  group: 'public',
  attributes: keyPairAttributes,
  async connect(attributes) {
    const keys = keyPairOf(attributes)
    const clients = new VendorClients()
    const path = '/v2/instance'
    const ask = async (region: string, query: Record<string, string>, { signal }: Call): Promise<Entry> => {
      if (!Object.hasOwn(regionNames, region)) throw new ProviderFailure('no_region', { region })
      const host = `bcc.${region}.baidubce.com`
      const headers = { host, 'x-bce-date': new Date().toISOString().replace(/\.\d+/, '') }
      const authorization = signBaidu({ method: 'GET', path, query, headers }, keys)
      const api = { client: clients.at(host), codes, codeOf: ({ code }: Entry) => textOf(code) }
      const asked = { headers: { ...headers, authorization }, right: 'bcc:ListInstances', region, signal }
      return (await askVendor(api, `${path}?${canonicalQuery(query)}`, asked)).body
    }
    return {
      regions: async () => Object.entries(regionNames).map(([id, name]) => ({ id, name: `${name} (${id})` })),
      test: async (call) => void (await ask('bj', { maxKeys: '1' }, call)),
      async instances(region, cursor, call) {
        const page = await ask(region, { maxKeys: String(pageSize), ...(cursor ? { marker: cursor } : {}) }, call)
        const next = page.isTruncated === true ? textOf(page.nextMarker) : ''
        if (page.isTruncated === true && next === '')
          throw new ProviderFailure('bad_answer', { reason: 'no nextMarker' })
        return { instances: demandList(page, 'instances').map(described), next: next || undefined }
      },
      close: () => clients.close(),
    }
  },
})
