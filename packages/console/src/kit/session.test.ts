import { rootOrgId } from '@castellan/contract/ids'
import { describe, expect, it } from 'vitest'
import { can, code, overrideOrganization, type Profile, rights, setSession, workingOrganization } from './session.ts'

const profile = {
  perms: ['users.view_user', 'users.add_user', 'users.change_user', 'users.delete_user'],
  console_orgs: [{ id: rootOrgId, name: 'Global' }],
} as unknown as Profile
const inOrganization = (id: string) =>
  setSession({ profile, settings: { INTERFACE: {} }, organization: { id, name: 'x' } })

describe('permission checks', () => {
  it('need every entry, any alternative of one', () => {
    const held = ['a.view_b', 'a.add_b']
    expect(can(['a.view_b', 'a.add_b'], held)).toBe(true)
    expect(can(['a.view_b', 'a.delete_b'], held)).toBe(false)
    expect(can('a.delete_b | a.add_b', held)).toBe(true)
    expect(can(undefined, held)).toBe(true)
    expect(can([], held)).toBe(true)
  })
  it('name codes by resource and verb', () => expect(code('users.user', 'add')).toBe('users.add_user'))
})

describe('the rights table', () => {
  it('is open in an organization', () => {
    inOrganization('1')
    expect(rights('users.user')).toMatchObject({ add: true, change: true, delete: true, view: true, importing: true })
  })
  it('makes and deletes nothing in the root organization', () => {
    inOrganization(rootOrgId)
    expect(rights('users.user')).toMatchObject({
      add: false,
      change: false,
      delete: false,
      view: true,
      importing: false,
    })
  })
  it('does where the organization cannot be changed', () => {
    inOrganization(rootOrgId)
    expect(rights('users.user', true).add).toBe(true)
    overrideOrganization('root')
    expect(rights('users.user').add).toBe(true)
    overrideOrganization(undefined)
  })
  it('lends nobody an organization of all who does not have it', () => {
    const own = { ...profile, console_orgs: [{ id: '1', name: 'x' }] } as unknown as Profile
    setSession({ profile: own, settings: { INTERFACE: {} }, organization: { id: '1', name: 'x' } })
    overrideOrganization('root')
    expect(workingOrganization().id).toBe('1')
    overrideOrganization(undefined)
  })
})
