import { describe, expect, it } from 'vitest'
import { permissionGroupParents, permissionTree } from './permission-tree.ts'
import {
  builtinRoles,
  grantablePermissions,
  permissionById,
  permissionName,
  permissions,
  ungrantablePermissions,
} from './permissions.ts'

/** Said beside a number that is not the expected one. */
const counted =
  'rights of permission-catalogue.ts; write the new number here, in packages/contract/src/permissions.test.ts'

const none = new Set<string>()
const community = { extended: false, language: 'en', held: none, disabled: false } as const

describe('permissions', () => {
  it('has 282 system rights, 169 of them grantable in organizations, before the extended edition', () => {
    expect(grantablePermissions('system', false), counted).toHaveLength(282)
    expect(grantablePermissions('org', false), counted).toHaveLength(169)
    expect(grantablePermissions('system', true)).toHaveLength(permissions.length)
  })

  it('names every permission once and only grantable permissions', () => {
    const codes = new Set<string>(permissions.map(({ code }) => code))
    expect(codes.size).toBe(permissions.length)
    expect(ungrantablePermissions.filter((code) => codes.has(code))).toEqual([])
  })

  it('keeps the numbers stored in roles', () => {
    expect(permissionById(1)?.code).toBe('accounts.add_account')
    expect(permissionById(151)?.code).toBe('orgs.delete_organization')
    expect(permissionById(279)?.code).toBe('users.view_preference')
    expect(permissionById(303)?.code).toBe('xpack.view_syncinstancetaskexecution')
    expect(permissionById(306)?.code).toBe('authentication.unattended_accesskey')
    expect(permissionById(0)).toBeUndefined()
  })

  it('has a label for every permission in every language', () => {
    for (const permission of permissions) {
      for (const language of ['en', 'zh', 'ja'] as const) {
        expect(permissionName(permission, language)).not.toBe(permission.code)
      }
    }
  })

  it('gives the built-in roles the permissions of the v3 API, and system administrators two of our own', () => {
    const amounts = builtinRoles.map((role) => {
      const community: string[] = role.permissions.filter((code) => !code.startsWith('xpack.'))
      return [role.name, new Set(community).size]
    })
    expect(amounts).toEqual([
      ['SystemAdmin', 281],
      ['SystemAuditor', 61],
      ['User', 38],
      ['SystemComponent', 252],
      ['OrgAdmin', 169],
      ['OrgAuditor', 42],
      ['OrgUser', 21],
    ])
  })
})

describe('permission tree', () => {
  const system = permissionTree({ ...community, scope: 'system' })
  const org = permissionTree({ ...community, scope: 'org' })
  const place = (tree: typeof system, title: string) => tree.find((one) => one.title === title)?.pId

  it('has the size of the contract', () => {
    expect(system, counted).toHaveLength(352)
    expect(org, counted).toHaveLength(228)
  })

  it('places moved models and permissions as the v3 API does', () => {
    expect(place(system, 'accounts.add_changesecretexecution')).toBe('asset_change_plan_node')
    expect(place(system, 'settings.change_terminal')).toBe('terminal_node')
    expect(place(system, 'settings.change_email')).toBe('settings.setting')
    expect(place(system, 'settings.setting')).toBe('view_setting')
    expect(place(system, 'audits.ftplog')).toBe('terminal')
    expect(place(org, 'perms.view_myassets')).toBe('my_assets')
    expect(place(org, 'acls.commandgroup')).toBe('perms')
  })

  it('orders leaves by resource, then view, add, change, delete, other', () => {
    expect(org.slice(0, 7).map((one) => one.title)).toEqual([
      'accounts.view_account',
      'accounts.add_account',
      'accounts.change_account',
      'accounts.delete_account',
      'accounts.push_account',
      'accounts.verify_account',
      'accounts.view_accountbackupautomation',
    ])
    const terminal = system.filter((one) => one.title.endsWith('_terminal')).map((one) => one.pId)
    expect(terminal).toEqual([
      'terminal.terminal',
      'terminal.terminal',
      'terminal_node',
      'terminal.terminal',
      'terminal.terminal',
    ])
  })

  it('ends with the groups in the order of the v3 API, without empty groups', () => {
    expect(org.slice(-9).map((one) => `${one.id} < ${one.pId}`)).toEqual([
      'asset_change_plan_node < accounts',
      'task_center < view_console',
      'my_assets < view_workbench',
      'operation_center < view_workbench',
      'view_console < $ROOT$',
      'view_workbench < $ROOT$',
      'view_audit < $ROOT$',
      'view_other < $ROOT$',
      '$ROOT$ < ',
    ])
    expect(Object.keys(permissionGroupParents)).toHaveLength(26)
  })

  it('hides permissions of the extended edition unless it is licensed', () => {
    expect(place(system, 'users.invite_user')).toBeUndefined()
    const extended = permissionTree({ ...community, scope: 'system', extended: true })
    expect(place(extended, 'users.invite_user')).toBe('users.user')
    expect(place(extended, 'xpack.strategy')).toBe('cloud_import')
    expect(place(extended, 'cloud_import')).toBe('assets')
  })

  it('counts held permissions and checks their parents', () => {
    const tree = permissionTree({ ...community, scope: 'org', held: new Set(['audits.view_joblog']), disabled: true })
    expect(tree.find((one) => one.id === 'audits')).toMatchObject({
      name: 'Log audits (1/5)',
      checked: true,
      chkDisabled: true,
      open: false,
      meta: { type: 'app' },
    })
    expect(tree.find((one) => one.id === 'users')).toMatchObject({ checked: null })
    expect(tree.find((one) => one.id === '$ROOT$')).toMatchObject({ open: true, pId: '', meta: { type: 'root' } })
  })
})
