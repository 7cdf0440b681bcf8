import { providerNames } from '@castellan/contract/messages/cloud'
import { secret, text } from '../../../kernel/fields/index.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { HttpClient } from './http-client.ts'
import { pageByOffset } from './offset-pages.ts'
import { type Call, defineProvider, type Instance } from './provider.ts'
import { signUcloud } from './signatures.ts'

/** Machines of one page: the most that the API allows. */
const pageSize = 100

/** Return codes, which come with status 200. */
const codes: ErrorCodes = {
  unauthorized: /^(170|171|172|174|292)$/,
  forbidden: /^(293|294|295|299)$/,
  rateLimited: /^153$/,
  noRegion: /^230$/,
  outage: /^(110|130|150)$/,
}
const codeOf = ({ RetCode }: Entry): string => (typeof RetCode === 'number' && RetCode !== 0 ? String(RetCode) : '')

function described(one: Entry): Instance {
  const addresses = listOf(one.IPSet)
  const ofType = (isPrivate: boolean) =>
    addresses.filter(({ Type }) => (Type === 'Private') === isPrivate).map(({ IP }) => textOf(IP))
  return {
    id: textOf(one.UHostId),
    name: textOf(one.Name),
    platform: one.OsType === 'Windows' ? 'windows' : 'linux',
    privateAddresses: ofType(true),
    publicAddresses: ofType(false),
  }
}

/** Machines of a project of UCloud. */
export const ucloud = defineProvider({
  name: 'ucloud',
  label: providerNames.ucloud,
  group: 'public',
  attributes: {
    base_url: endpoint(),
    public_key: text({ max: 256, required: true }),
    private_key: secret({ max: 256, required: true }),
    project: text({ max: 128, required: true }),
  },
  async connect({ base_url, public_key, private_key, project }) {
    const client = new HttpClient(base_url)
    const ask = async (Action: string, more: Record<string, string>, { signal }: Call): Promise<Entry> => {
      const parameters = { Action, PublicKey: public_key, ...more }
      const form = new URLSearchParams({ ...parameters, Signature: signUcloud(parameters, private_key) })
      const { body } = await askVendor({ client, codes, codeOf }, '/', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        right: `uhost:${Action}`,
        region: more.Region ?? '',
        signal,
      })
      return body
    }
    /** The list has an entry for each zone. */
    const regions = async (call: Call) =>
      [...new Set(demandList(await ask('GetRegion', {}, call), 'Regions').map(({ Region }) => textOf(Region)))].map(
        (id) => ({ id, name: id }),
      )
    return {
      regions,
      test: async (call) => void (await regions(call)),
      instances: (region, cursor, call) =>
        pageByOffset(cursor, async (offset) => {
          const query = { Region: region, ProjectId: project, Offset: String(offset), Limit: String(pageSize) }
          const page = await ask('DescribeUHostInstance', query, call)
          return { instances: demandList(page, 'UHostSet').map(described), total: Number(page.TotalCount ?? 0) }
        }),
      close: () => client.close(),
    }
  },
})
