import { systemOrgId } from '@castellan/contract/ids'
import { describe, expect, it } from 'vitest'
import { defaultOrganization, selectOrganization } from './organizations.ts'

const list = [
  { id: 'root', name: 'r', is_root: true },
  { id: systemOrgId, name: 's' },
  { id: 'a', name: 'a' },
  { id: 'b', name: 'b' },
]
const licensed = { INTERFACE: {}, XPACK_ENABLED: true, XPACK_LICENSE_IS_VALID: true }

describe('the current organization', () => {
  it('is the default one, otherwise the first regular one', () => {
    expect(defaultOrganization(list)?.id).toBe('a')
    expect(defaultOrganization([...list, { id: 'd', name: 'd', is_default: true }])?.id).toBe('d')
  })
  it('is the requested one with a valid license, but never the system organization', () => {
    expect(selectOrganization(list, 'root', licensed)?.id).toBe('root')
    expect(selectOrganization(list, 'b', licensed)?.id).toBe('b')
    expect(selectOrganization(list, systemOrgId, licensed)?.id).toBe('a')
    expect(selectOrganization(list, 'gone', licensed)?.id).toBe('a')
  })
  it.each([
    ['without the paid extension', { ...licensed, XPACK_ENABLED: false }],
    ['after the license has ended', { ...licensed, XPACK_LICENSE_IS_VALID: false }],
  ])('is the default one %s', (_when, settings) => {
    expect(selectOrganization(list, 'root', settings)?.id).toBe('a')
  })
})
