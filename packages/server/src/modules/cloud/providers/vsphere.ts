import { providerNames } from '@castellan/contract/messages/cloud'
import { integer, secret, text } from '../../../kernel/fields/index.ts'
import { caCertificate, hostField } from './endpoint.ts'
import { HttpClient } from './http-client.ts'
import { type Call, defineProvider, type Instance, type Region } from './provider.ts'
import { childOf, childrenOf, type Element, escaped, type Reference, referenceIn, SoapSession } from './vsphere-soap.ts'

const pageSize = 500
/** What signing out may take. Milliseconds. */
const farewell = 5000
const service: Reference = { type: 'ServiceInstance', id: 'ServiceInstance' }

interface Content {
  sessions: Reference
  collector: Reference
  views: Reference
  root: Reference
}

/** Properties of virtual machines that are read. */
const properties = ['name', 'config.instanceUuid', 'config.guestId', 'config.template', 'guest.ipAddress', 'guest.net']

/** The properties of an object by their path. */
const propertiesOf = (object: Element): Map<string, Element | undefined> =>
  new Map(childrenOf(object, 'propSet').map((one) => [childOf(one, 'name')?.text ?? '', childOf(one, 'val')]))

function described(object: Element): Instance {
  const values = propertiesOf(object)
  const plain = (path: string) => values.get(path)?.text.trim() ?? ''
  const addresses = childrenOf(values.get('guest.net'), 'GuestNicInfo').flatMap((card) =>
    childrenOf(card, 'ipAddress').map((address) => address.text.trim()),
  )
  const all = [...new Set([plain('guest.ipAddress'), ...addresses])].filter(
    (address) => address !== '' && !/^(127\.|fe80:|169\.254\.)/i.test(address),
  )
  return {
    id: plain('config.instanceUuid') || referenceIn(childOf(object, 'obj')).id,
    name: plain('name'),
    platform: /^win/i.test(plain('config.guestId')) ? 'windows' : 'linux',
    privateAddresses: all,
    publicAddresses: all,
    isTerminated: plain('config.template') === 'true',
  }
}

/** What is read of all objects of a type below another one, by a view. */
const filterSpec = (type: string, paths: readonly string[], view: Reference) =>
  `<specSet><propSet><type>${type}</type>${paths.map((path) => `<pathSet>${path}</pathSet>`).join('')}</propSet>` +
  `<objectSet><obj type="ContainerView">${escaped(view.id)}</obj><skip>true</skip>` +
  '<selectSet xsi:type="TraversalSpec"><name>view</name><type>ContainerView</type><path>view</path>' +
  '<skip>false</skip></selectSet></objectSet></specSet>'

/** Virtual machines of a vCenter server or an ESXi host. Its data centers are the regions. */
export const vsphere = defineProvider({
  name: 'vmware',
  label: providerNames.vmware,
  group: 'private',
  attributes: {
    host: hostField(),
    port: integer({ default: 443, min: 1, max: 65_535 }),
    username: text({ max: 256, required: true }),
    password: secret({ max: 1024, required: true }),
    ca_cert: caCertificate(),
  },
  async connect({ host, port, username, password, ca_cert }) {
    const address = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
    const client = new HttpClient(address, ca_cert)
    const session = new SoapSession(client)
    let content: Promise<Content> | undefined

    const signIn = async (call: Call): Promise<Content> => {
      const found = childOf(await session.call('RetrieveServiceContent', service, '', call), 'returnval')
      const reference = (name: string) => referenceIn(childOf(found, name))
      const credentials = `<userName>${escaped(username)}</userName><password>${escaped(password)}</password>`
      await session.call('Login', reference('sessionManager'), credentials, call)
      return {
        sessions: reference('sessionManager'),
        collector: reference('propertyCollector'),
        views: reference('viewManager'),
        root: reference('rootFolder'),
      }
    }
    /** Signs in once; a failure is not kept. */
    const opened = async (call: Call): Promise<Content> => {
      content ??= signIn(call)
      try {
        return await content
      } catch (error) {
        content = undefined
        throw error
      }
    }

    /** The first page of what is read, or the one after a token. */
    const retrieve = async (call: Call, first: () => Promise<string>, token?: string) => {
      const { collector } = await opened(call)
      const answer =
        token === undefined
          ? await session.call('RetrievePropertiesEx', collector, await first(), call)
          : await session.call('ContinueRetrievePropertiesEx', collector, `<token>${escaped(token)}</token>`, call)
      const page = childOf(answer, 'returnval')
      return { objects: childrenOf(page, 'objects'), next: childOf(page, 'token')?.text.trim() || undefined }
    }

    const viewOf = async (call: Call, container: Reference, type: string): Promise<Reference> => {
      const { views } = await opened(call)
      const body =
        `<container type="${escaped(container.type)}">${escaped(container.id)}</container>` +
        `<type>${type}</type><recursive>true</recursive>`
      return referenceIn(childOf(await session.call('CreateContainerView', views, body, call), 'returnval'))
    }

    const reading = async (call: Call, container: Reference, type: string, paths: readonly string[]) => {
      const view = await viewOf(call, container, type)
      return `${filterSpec(type, paths, view)}<options><maxObjects>${pageSize}</maxObjects></options>`
    }

    const regions = async (call: Call): Promise<Region[]> => {
      const { root } = await opened(call)
      const found: Region[] = []
      for (let token: string | undefined; ; ) {
        const { objects, next } = await retrieve(call, () => reading(call, root, 'Datacenter', ['name']), token)
        for (const one of objects) {
          const { id } = referenceIn(childOf(one, 'obj'))
          found.push({ id, name: propertiesOf(one).get('name')?.text.trim() || id })
        }
        if (!next) return found
        token = next
      }
    }

    return {
      test: async (call) => void (await opened(call)),
      regions,
      async instances(region, cursor, call) {
        const container = { type: 'Datacenter', id: region }
        const first = () => reading(call, container, 'VirtualMachine', properties)
        const { objects, next } = await retrieve(call, first, cursor)
        return { instances: objects.map(described), next }
      },
      async close() {
        // A server keeps sessions for half an hour, and has not many.
        const { sessions } = (await content?.catch(() => undefined)) ?? {}
        if (sessions)
          await session.call('Logout', sessions, '', { signal: AbortSignal.timeout(farewell) }).catch(() => undefined)
        client.close()
      },
    }
  },
})
