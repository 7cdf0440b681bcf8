import { errors } from '@castellan/contract/messages/errors'
import { isAddressPattern } from '../../db/addresses.ts'
import { reject } from '../module/errors.ts'

/** Validates an item of an address list: an address, a range, a network or `*`. Throws `Rejected` for anything else. */
export const addressItem = (value: string): string =>
  isAddressPattern(value) ? value : reject(errors.not_an_ip_group, { input: value })
