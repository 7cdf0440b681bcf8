import { providerNames } from '@castellan/contract/messages/cloud'
import { secret, text } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { type AccessToken, tokenSource } from './access-token.ts'
import { askVendor, demandList, type Entry, type ErrorCodes, listOf, textOf } from './answers.ts'
import { caCertificate, endpoint } from './endpoint.ts'
import { ProviderFailure } from './failures.ts'
import { HttpClient } from './http-client.ts'
import { isNamedWindows, serversPage, serversQuery } from './nova.ts'
import { type AttributesOf, type Call, type Connection, defineProvider } from './provider.ts'

const pageSize = 500
const never = /^\b$/

/** OpenStack has no codes but the status; where Nova limits requests, older versions answer 413. */
const codes: ErrorCodes = { unauthorized: never, forbidden: never, rateLimited: /^overLimit$/ }
const codeOf = (body: Entry): string => ('overLimit' in body ? 'overLimit' : '')

const attributes = {
  auth_url: endpoint({ withPath: true }),
  user_domain_name: text({ max: 128, required: true }),
  username: text({ max: 255, required: true }),
  password: secret({ max: 1024, required: true }),
  ca_cert: caCertificate(),
}

/** A token for one project, and the addresses of services that it may use. */
interface Scoped extends AccessToken {
  catalog: Entry[]
}

/** Region and project: a machine belongs to both. */
const regionId = (region: string, project: string) => `${region}:${project}`
function partsOf(id: string): { region: string; project: string } {
  const at = id.lastIndexOf(':')
  if (at < 1 || at === id.length - 1) throw new ProviderFailure('no_region', { region: id })
  return { region: id.slice(0, at), project: id.slice(at + 1) }
}

/** Regions of the catalog in which a service has a public address. */
const regionsOf = (catalog: readonly Entry[], type: string): Map<string, string> =>
  new Map(
    catalog
      .filter((one) => one.type === type)
      .flatMap(({ endpoints }) => listOf(endpoints))
      .filter((one) => one.interface === 'public')
      .map((one) => [textOf(one.region_id) || textOf(one.region), textOf(one.url).replace(/\/+$/, '')]),
  )

class Keystone {
  readonly #base: URL
  readonly #clients = new Map<string, HttpClient>()
  readonly #account: AttributesOf<typeof attributes>
  readonly #projects = new Map<string, Scoped>()

  constructor(account: AttributesOf<typeof attributes>) {
    this.#account = account
    this.#base = new URL(account.auth_url.endsWith('/v3') ? account.auth_url : `${account.auth_url}/v3`)
  }

  async ask(url: string, asked: { right: string; token?: string; body?: object }, { signal }: Call) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new ProviderFailure('bad_answer', { reason: 'no address of the service' })
    const { origin } = new URL(url)
    const client = this.#clients.get(origin) ?? new HttpClient(origin, this.#account.ca_cert)
    this.#clients.set(origin, client)
    return askVendor({ client, codes, codeOf }, url, {
      method: asked.body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(asked.token ? { 'x-auth-token': asked.token } : {}) },
      ...(asked.body ? { body: JSON.stringify(asked.body) } : {}),
      right: asked.right,
      signal,
    })
  }

  /** Signs in; the password goes to the address of the account only. */
  async #signIn(scope: unknown, right: string, call: Call): Promise<Scoped> {
    const { username: name, user_domain_name, password } = this.#account
    const user = { name, domain: { name: user_domain_name }, password }
    const auth = { identity: { methods: ['password'], password: { user } }, scope }
    const { body, headers } = await this.ask(`${this.#base}/auth/tokens`, { right, body: { auth } }, call)
    const value = headers['x-subject-token']
    if (typeof value !== 'string') throw new ProviderFailure('bad_answer', { reason: 'no X-Subject-Token' })
    const token = objectOf(body.token)
    return { value, until: Date.parse(textOf(token.expires_at)) || Date.now(), catalog: listOf(token.catalog) }
  }

  /** The projects in which the user has a role. */
  readonly #unscoped = tokenSource((call) => this.#signIn('unscoped', 'identity:authenticate', call))
  async projects(call: Call): Promise<{ id: string; name: string }[]> {
    const asked = { token: await this.#unscoped(call), right: 'identity:get_auth_projects' }
    const { body } = await this.ask(`${this.#base}/auth/projects`, asked, call)
    return demandList(body, 'projects')
      .filter(({ enabled }) => enabled !== false)
      .map(({ id, name }) => ({ id: textOf(id), name: textOf(name) }))
  }

  readonly #sources = new Map<string, (call: Call) => Promise<string>>()
  async scoped(project: string, call: Call): Promise<Scoped> {
    const source =
      this.#sources.get(project) ??
      tokenSource(async (inside) => {
        const scope = { project: { id: project } }
        const found = await this.#signIn(scope, 'a role in the project (reader)', inside)
        this.#projects.set(project, found)
        return found
      })
    this.#sources.set(project, source)
    await source(call)
    return this.#projects.get(project) as Scoped
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
  }
}

function connection(account: AttributesOf<typeof attributes>): Connection {
  const keystone = new Keystone(account)
  /** Images with Windows, by region. */
  const windowsImages = new Map<string, ReadonlySet<string>>()

  /** Servers say nothing of their system; their images may. A cloud without an image service, or the right, has none. */
  const readImages = async (region: string, { catalog, value }: Scoped, call: Call): Promise<ReadonlySet<string>> => {
    const base = regionsOf(catalog, 'image').get(region)
    if (!base) return new Set()
    const url = `${base.replace(/\/v2$/, '')}/v2/images?os_type=windows&limit=1000`
    try {
      const { body } = await keystone.ask(url, { token: value, right: 'get_images' }, call)
      return new Set(listOf(body.images).map(({ id }) => textOf(id)))
    } catch (error) {
      if (error instanceof ProviderFailure && !error.isTemporary) return new Set()
      throw error
    }
  }

  const regions = async (call: Call) => {
    const projects = await keystone.projects(call)
    const [first] = projects
    if (!first) throw new ProviderFailure('forbidden', { right: 'a role in a project (reader)' })
    const { catalog } = await keystone.scoped(first.id, call)
    return [...regionsOf(catalog, 'compute').keys()].flatMap((region) =>
      projects.map(({ id, name }) => ({ id: regionId(region, id), name: `${name} (${region})` })),
    )
  }
  return {
    regions,
    test: async (call) => void (await regions(call)),
    async instances(id, cursor, call) {
      const { region, project } = partsOf(id)
      const scoped = await keystone.scoped(project, call)
      const base = regionsOf(scoped.catalog, 'compute').get(region)
      if (!base) throw new ProviderFailure('no_region', { region: id })
      const images =
        (cursor === undefined ? undefined : windowsImages.get(id)) ?? (await readImages(region, scoped, call))
      windowsImages.set(id, images)
      const url = `${base}/servers/detail?${new URLSearchParams(serversQuery(pageSize, cursor))}`
      const right = 'os_compute_api:servers:detail (reader)'
      const { body } = await keystone.ask(url, { token: scoped.value, right }, call)
      const isWindows = (server: Entry) => isNamedWindows(server) || images.has(textOf(objectOf(server.image).id))
      return serversPage(body, pageSize, isWindows)
    },
    close: () => keystone.close(),
  }
}

/** Servers of OpenStack's Nova, by project and region. */
export const openstack = defineProvider({
  name: 'openstack',
  label: providerNames.openstack,
  group: 'private',
  attributes,
  connect: async (account) => connection(account),
})
