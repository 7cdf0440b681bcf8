import { Socket } from 'node:net'
import { cloudErrors, providerNames } from '@castellan/contract/messages/cloud'
import { errors } from '@castellan/contract/messages/errors'
import { integer, stringList, text } from '../../../kernel/fields/index.ts'
import { reject } from '../../../kernel/module/errors.ts'
import { addressesOf, countAddresses } from '../../../kernel/security/address-ranges.ts'
import { demandAllowedAddress } from './http-client.ts'
import { defineProvider, demandOnlyRegion, type Instance, onlyRegion } from './provider.ts'

/** Addresses of an account: a network of 16 bits. */
const mostAddresses = 65_536
/** Addresses of one page, and those that are asked at the same time. With the longest timeout a page takes 20 seconds. */
const pageSize = 256
const atOnce = 128
const windowsPort = 3389

/** Whether somebody accepts connections at an address. */
function answers(host: string, port: number, timeout: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((settle) => {
    const socket = new Socket()
    const end = (isThere: boolean) => {
      signal.removeEventListener('abort', stop)
      socket.destroy()
      settle(isThere)
    }
    const stop = () => end(false)
    signal.addEventListener('abort', stop, { once: true })
    socket.setTimeout(timeout, stop)
    socket.on('error', stop)
    socket.connect({ host, port }, () => end(true))
  })
}

const item = (value: string): string => {
  const bounds = addressesOf(value)
  if (!bounds) return reject(cloudErrors.not_an_address_range, { input: value })
  demandAllowedAddress(bounds.first)
  demandAllowedAddress(bounds.last)
  return value
}

const groupField = stringList({ required: true, max: 128, maxItems: 256, item })

export const lan = defineProvider({
  name: 'lan',
  label: providerNames.lan,
  group: 'private',
  attributes: {
    ip_group: {
      ...groupField,
      parse: (input, ctx) => {
        // Forms send a line that was left empty.
        const lines = Array.isArray(input) ? input.filter((one) => one !== '') : input
        const group = groupField.parse?.(lines, ctx) as string[]
        const count = countAddresses(group)
        if (group.length === 0) return reject(errors.required)
        return count > mostAddresses ? reject(cloudErrors.too_many_addresses, { count, max: mostAddresses }) : group
      },
    } as typeof groupField,
    test_port: integer({ default: 22, min: 0, max: 65_535 }),
    test_timeout: integer({ default: 2, min: 1, max: 10 }),
    hostname_prefix: text({ max: 64 }),
  },
  async connect({ ip_group, test_port, test_timeout, hostname_prefix }) {
    const ranges = ip_group.flatMap((one) => addressesOf(one) ?? [])
    const total = ranges.reduce((sum, { size }) => sum + size, 0)
    const at = (index: number): string => {
      let left = index
      for (const range of ranges) {
        if (left < range.size) return range.at(left)
        left -= range.size
      }
      return ''
    }
    return {
      test: async () => undefined,
      regions: async () => [onlyRegion],
      async instances(region, cursor, { signal }) {
        demandOnlyRegion(region)
        const from = Number(cursor ?? 0)
        const until = Math.min(from + pageSize, total, mostAddresses)
        const found: Instance[] = []
        let next = from
        const scan = async () => {
          while (next < until && !signal.aborted) {
            const address = at(next++)
            if (test_port !== 0 && !(await answers(address, test_port, test_timeout * 1000, signal))) continue
            found.push({
              id: address,
              name: `${hostname_prefix}${address}`,
              platform: test_port === windowsPort ? 'windows' : 'linux',
              privateAddresses: [address],
              publicAddresses: [address],
            })
          }
        }
        await Promise.all(Array.from({ length: atOnce }, scan))
        signal.throwIfAborted()
        return { instances: found, next: until < total ? String(until) : undefined }
      },
    }
  },
})
