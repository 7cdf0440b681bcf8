import { providerNames } from '@castellan/contract/messages/cloud'
import { secret, text } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { listOf } from './answers.ts'
import { caCertificate, endpoint } from './endpoint.ts'
import { ProviderFailure } from './failures.ts'
import { demandSuccess, HttpClient } from './http-client.ts'
import { type Call, defineProvider, demandOnlyRegion, type Instance, onlyRegion } from './provider.ts'

/** Guests of one page, each of which needs calls of its own, and guests that are asked at the same time. */
const pageSize = 100
const atOnce = 8

interface Guest {
  kind: 'qemu' | 'lxc'
  vmid: number
  node: string
  name: string
}

function guestsOf(data: unknown): Guest[] {
  return listOf(data)
    .flatMap(({ type, vmid, node, name, template }): Guest[] => {
      const isGuest = (type === 'qemu' || type === 'lxc') && Number.isInteger(vmid) && template !== 1
      return isGuest ? [{ kind: type, vmid: Number(vmid), node: String(node), name: String(name ?? '') }] : []
    })
    .sort((one, other) => one.vmid - other.vmid)
}

/** Addresses by which others reach a guest. */
const isUseful = (address: string) => address !== '' && !/^(127\.|::1$|fe80:|169\.254\.)/i.test(address)

function addressesOf(kind: Guest['kind'], data: unknown): string[] {
  const found =
    kind === 'qemu'
      ? listOf(objectOf(data).result).flatMap((one) =>
          listOf(one['ip-addresses']).map((address) => String(address['ip-address'] ?? '')),
        )
      : listOf(data).flatMap(({ inet, inet6 }) => [inet, inet6].map((one) => String(one ?? '').split('/')[0] ?? ''))
  return found.filter(isUseful)
}

/**
 * Virtual machines and containers of a cluster. It is one region: guests move between its nodes. Addresses of virtual
 * machines come from the guest agent; one without it has none.
 */
export const proxmox = defineProvider({
  name: 'proxmox',
  label: providerNames.proxmox,
  group: 'private',
  attributes: {
    api_endpoint: endpoint(),
    token_id: text({ max: 256, required: true }),
    token_secret: secret({ max: 256, required: true }),
    ca_cert: caCertificate(),
  },
  async connect({ api_endpoint, token_id, token_secret, ca_cert }) {
    const client = new HttpClient(api_endpoint, ca_cert)
    const headers = { authorization: `PVEAPIToken=${token_id}=${token_secret}` }
    const data = async (path: string, right: string, { signal }: Call) =>
      objectOf(await client.json(`/api2/json/${path}`, right, { headers, signal })).data

    /** What only the guest itself knows; nothing when it is stopped or has no agent, which is status 500 or 595. */
    const asked = async (path: string, right: string, { signal }: Call): Promise<unknown> => {
      const answer = await client.send(`/api2/json/${path}`, { headers, signal })
      if (answer.status >= 500) return undefined
      demandSuccess(answer, right, client.address)
      try {
        return objectOf(JSON.parse(answer.text)).data
      } catch {
        throw new ProviderFailure('bad_answer', { reason: 'not JSON' })
      }
    }

    const described = async ({ kind, vmid, node, name }: Guest, call: Call): Promise<Instance> => {
      const place = `nodes/${encodeURIComponent(node)}/${kind}/${vmid}`
      const config = kind === 'qemu' ? objectOf(await asked(`${place}/config`, 'VM.Audit', call)) : {}
      const interfaces =
        kind === 'qemu'
          ? await asked(`${place}/agent/network-get-interfaces`, 'VM.Monitor (VM.GuestAgent.Audit)', call)
          : await asked(`${place}/interfaces`, 'VM.Audit', call)
      const addresses = addressesOf(kind, interfaces)
      return {
        id: `${kind}/${vmid}`,
        name,
        platform: /^w(in|2k|xp|vista)/.test(String(config.ostype ?? '')) ? 'windows' : 'linux',
        privateAddresses: addresses,
        publicAddresses: addresses,
      }
    }

    return {
      test: async (call) => void (await data('version', 'Sys.Audit', call)),
      regions: async () => [onlyRegion],
      async instances(region, cursor, call) {
        demandOnlyRegion(region)
        const from = Number(cursor ?? 0)
        // By number, so that guests that come and go between two pages hide no others.
        const left = guestsOf(await data('cluster/resources?type=vm', 'VM.Audit', call)).filter(
          ({ vmid }) => vmid > from,
        )
        const guests = left.slice(0, pageSize)
        const instances: Instance[] = []
        const queue = guests.values()
        const work = async () => {
          for (const guest of queue) instances.push(await described(guest, call))
        }
        await Promise.all(Array.from({ length: atOnce }, work))
        const last = guests.at(-1)
        return { instances, next: left.length > guests.length && last ? String(last.vmid) : undefined }
      },
      close: () => client.close(),
    }
  },
})
