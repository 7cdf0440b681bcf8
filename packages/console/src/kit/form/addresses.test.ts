import { describe, expect, it } from 'vitest'
import { isAddressItem } from './addresses.ts'

describe('an item of an IP group', () => {
  it.each([
    '*',
    '192.168.10.1',
    '192.168.1.0/24',
    '0.0.0.0/0',
    '10.1.1.1-10.1.1.20',
    '2001:db8::1',
    '2001:db8::/32',
    '::ffff:10.0.0.1',
    'fe80::1-fe80::ff',
  ])('accepts %s', (item) => {
    expect(isAddressItem(item)).toBe(true)
  })
  it.each([
    '',
    '192.168.1',
    '256.1.1.1',
    '192.168.1.5/24',
    '10.0.0.0/33',
    '10.1.1.20-10.1.1.1',
    '10.1.1.1-2001:db8::1',
    '1-2-3',
    '2001:db8:::1',
    'example.com',
  ])('rejects %s', (item) => {
    expect(isAddressItem(item)).toBe(false)
  })
})
