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
  it('require every entry, and any alternative of one', () => {
    const held = ['a.view_b', 'a.add_b']
    expect(can(['a.view_b', 'a.add_b'], held)).toBe(true)
    expect(can(['a.view_b', 'a.delete_b'], held)).toBe(false)
    expect(can('a.delete_b | a.add_b', held)).toBe(true)
    expect(can(undefined, held)).toBe(true)
    expect(can([], held)).toBe(true)
  })
  it('derive codes from resource and verb', () => expect(code('users.user', 'add')).toBe('users.add_user'))
})

describe('permissions on rows', () => {
  it('are complete in an organization', () => {
    inOrganization('1')
    expect(rights('users.user')).toMatchObject({ add: true, change: true, delete: true, view: true, importing: true })
  })
  it('exclude create and delete in the root organization', () => {
    inOrganization(rootOrgId)
    expect(rights('users.user')).toMatchObject({
      add: false,
      change: false,
      delete: false,
      view: true,
      importing: false,
    })
  })
  it('include them where the organization is fixed', () => {
    inOrganization(rootOrgId)
    expect(rights('users.user', true).add).toBe(true)
    overrideOrganization('root')
    expect(rights('users.user').add).toBe(true)
    overrideOrganization(undefined)
  })
  it('do not override to an organization the user is not a member of', () => {
    const own = { ...profile, console_orgs: [{ id: '1', name: 'x' }] } as unknown as Profile
    setSession({ profile: own, settings: { INTERFACE: {} }, organization: { id: '1', name: 'x' } })
    overrideOrganization('root')
    expect(workingOrganization().id).toBe('1')
    overrideOrganization(undefined)
  })
})
