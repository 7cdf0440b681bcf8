import { isIP } from 'node:net'
import { inAddressGroup } from '../../../db/addresses.ts'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import type { Instance } from '../providers/provider.ts'
import type { TaskRow } from '../task-fields.ts'

/** An instance whose texts are checked and bounded. */
export interface Machine {
  id: string
  name: string
  address: string
  platform: Instance['platform']
}

/** What became of an instance: a machine, one that cannot be stored, or one that the task does not want. */
export type Checked =
  | { machine: Machine; reason?: undefined }
  | { machine: Machine; reason: 'no_address' }
  | { machine?: undefined; reason: 'bad_id' | 'unwanted' }

/** Characters of a name, so that there is space for what makes it unique. */
const longestName = 96
const longestId = 256
/** Addresses of one machine that are looked at. */
const mostAddresses = 64

const unseen = new RegExp(unseenCharacters, 'gu')

/** A text of a provider as one line without invisible characters, cut to a length in characters. */
export function oneLine(text: unknown, longest: number): string {
  const clean = String(text ?? '')
    .slice(0, longest * 8)
    .toWellFormed()
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...clean].slice(0, longest).join('').trim()
}

type Wanted = Pick<TaskRow, 'sync_ip_type' | 'ip_network_segment_group'>

/** Checks an instance; everything in it was written by strangers. */
export function checked(instance: Instance, { sync_ip_type, ip_network_segment_group }: Wanted): Checked {
  const id = typeof instance.id === 'string' ? instance.id : ''
  if (id === '' || id.length > longestId || oneLine(id, longestId) !== id) return { reason: 'bad_id' }
  if (instance.isTerminated) return { reason: 'unwanted' }
  const given = sync_ip_type === 'public' ? instance.publicAddresses : instance.privateAddresses
  const addresses = given.slice(0, mostAddresses).filter((address) => isIP(address))
  const name = oneLine(instance.name, longestName) || oneLine(id, longestName)
  const platform = instance.platform === 'windows' ? 'windows' : 'linux'
  const [first] = addresses
  if (!first) return { machine: { id, name, address: '', platform }, reason: 'no_address' }
  const address = addresses.find((one) => inAddressGroup(one, ip_network_segment_group))
  return address ? { machine: { id, name, address, platform } } : { reason: 'unwanted' }
}

/** The last two parts of an address: enough to tell machines of one name apart. */
const partOf = (address: string) => address.split(/[.:]/).slice(-2).join('.')

/** The name of the asset, before it is made unique. */
export const assetName = ({ name, address }: Machine, strategy: TaskRow['hostname_strategy']): string =>
  strategy === 'instance_name_partial_ip' ? `${name}-${partOf(address)}` : name

/** A further name for a machine, where its own is taken. The same machine gets the same names in every run. */
export const furtherName = (base: string, { id }: Machine, attempt: number): string =>
  `${base}_${oneLine(id, 256).slice(-12)}${attempt > 0 ? `_${attempt + 1}` : ''}`
