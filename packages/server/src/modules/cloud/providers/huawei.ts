import { providerNames } from '@castellan/contract/messages/cloud'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, textOf } from './answers.ts'
import { ProviderFailure } from './failures.ts'
import { keyPairAttributes, keyPairOf } from './key-pair.ts'
import { serversPage, serversQuery } from './nova.ts'
import { type Call, defineProvider } from './provider.ts'
import { canonicalQuery, signHuawei } from './signatures.ts'
import { demandRegionName, VendorClients } from './vendor-client.ts'

/** Machines of one page: the most that ECS allows. */
const pageSize = 100

const codes: ErrorCodes = {
  unauthorized: /^APIGW\.0301$/,
  forbidden: /^(APIGW\.0302|PAP5\.0011)$/,
  rateLimited: /^APIGW\.0308$/,
}

/** The gateway, the identity service and ECS have a form for errors each. */
const codeOf = ({ error_code, code, error }: Entry): string => {
  const nested = objectOf(error).code
  return (
    [error_code, code, nested].map((one) => (typeof one === 'number' ? String(one) : textOf(one))).find(Boolean) ?? ''
  )
}

/**
 * Elastic Cloud Server of Huawei Cloud. Regions are the projects of the account: each region has one of its own name, and
 * those that somebody added, such as `cn-north-4_development`.
 */
export const huawei = defineProvider({
  name: 'huaweicloud',
  label: providerNames.huaweicloud,
  group: 'public',
  attributes: keyPairAttributes,
  async connect(attributes) {
    const keys = keyPairOf(attributes)
    const clients = new VendorClients()
    let projects: ReadonlyMap<string, string> | undefined
    const ask = async (
      host: string,
      path: string,
      asked: { query?: Record<string, string>; project?: string; right: string; region?: string },
      { signal }: Call,
    ) => {
      const { query = {}, project, ...rest } = asked
      const headers = {
        'content-type': 'application/json',
        host,
        ...(project ? { 'x-project-id': project } : {}),
        'x-sdk-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      }
      const authorization = signHuawei({ method: 'GET', path, query, headers }, keys)
      const search = canonicalQuery(query)
      const { body } = await askVendor(
        { client: clients.at(host), codes, codeOf },
        search ? `${path}?${search}` : path,
        { ...rest, headers: { ...headers, authorization }, signal },
      )
      return body
    }
    /** Ids of projects by name. */
    const readProjects = async (call: Call): Promise<ReadonlyMap<string, string>> => {
      const right = 'iam:projects:listProjectsForUser'
      const body = await ask('iam.myhuaweicloud.com', '/v3/auth/projects', { right }, call)
      projects = new Map(
        demandList(body, 'projects')
          // Object storage has a project of its own, without servers.
          .filter(({ name, enabled }) => enabled !== false && name !== 'MOS')
          .map(({ name, id }) => [textOf(name), textOf(id)]),
      )
      return projects
    }
    const regions = async (call: Call) => [...(await readProjects(call)).keys()].map((name) => ({ id: name, name }))
    return {
      regions,
      test: async (call) => void (await regions(call)),
      async instances(region, cursor, call) {
        const project = (projects ?? (await readProjects(call))).get(region)
        if (!project) throw new ProviderFailure('no_region', { region })
        const host = `ecs.${demandRegionName(region.split('_')[0] ?? '')}.myhuaweicloud.com`
        const path = `/v1.1/${encodeURIComponent(project)}/cloudservers/detail`
        const asked = { query: serversQuery(pageSize, cursor), project, right: 'ecs:cloudServers:list', region }
        return serversPage(await ask(host, path, asked, call), pageSize)
      },
      close: () => clients.close(),
    }
  },
})
