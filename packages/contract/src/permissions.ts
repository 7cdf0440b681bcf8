/** Permissions and the built-in roles. */
import { roleIds } from './ids.ts'
import { fill, type Language, type Message } from './messages.ts'
import { permissionRows } from './permission-catalogue.ts'
import { permissionActionNames, permissionModelNames, permissionSpecialNames } from './permission-names.ts'

export type RoleScope = 'system' | 'org'

/**
 * Permissions that endpoints require and no role can hold: only a system administrator passes. App `notifications` has
 * no permissions: its endpoints serve the signed-in user's own data.
 */
export const ungrantablePermissions = [
  'rbac.view_rolebinding',
  'rbac.add_rolebinding',
  'rbac.change_rolebinding',
  'rbac.delete_rolebinding',
  'rbac.change_systemrolebinding',
  'rbac.change_orgrolebinding',
  'authentication.change_connectiontoken',
  'authentication.delete_connectiontoken',
  'authentication.delete_temptoken',
  'tickets.change_ticket',
  'tickets.add_ticketflow',
  'perms.view_usergroupassets',
  'accounts.view_historyaccount',
  'accounts.view_historyaccountsecret',
] as const

export type GrantablePermission = (typeof permissionRows)[number][0]
export type UngrantablePermission = (typeof ungrantablePermissions)[number]
/** Every permission code an endpoint may require. */
export type PermissionCode = GrantablePermission | UngrantablePermission

/** A row of the permission catalog. */
export interface Permission {
  /** Number on the wire, equal in all installations. */
  readonly id: number
  readonly code: GrantablePermission
  readonly app: string
  /** Model in lower case, `content_type.model` on the wire. */
  readonly model: string
  readonly codename: string
  /** `org`: roles of both scopes can hold it; `system`: only system roles. */
  readonly scope: RoleScope
  /** True if it requires the extended edition. */
  readonly extended: boolean
}

export const permissions: readonly Permission[] = permissionRows.map(([code, model, scope], index) => {
  const [app = '', codename = ''] = code.split('.')
  return { id: index + 1, code, app, model, codename, scope, extended: app === 'xpack' }
})

/** All permissions of system roles, including the extended edition. */
export const systemPermissions: readonly GrantablePermission[] = permissions.map(({ code }) => code)
/** All permissions of organization roles, including the extended edition. */
export const orgPermissions: readonly GrantablePermission[] = permissions
  .filter(({ scope }) => scope === 'org')
  .map(({ code }) => code)

const byCode = new Map<string, Permission>(permissions.map((permission) => [permission.code, permission]))

export const permissionByCode = (code: string): Permission | undefined => byCode.get(code)
export const permissionById = (id: number): Permission | undefined => permissions[id - 1]

/** The permissions available to roles of a scope in an edition, in catalog order. */
export function grantablePermissions(scope: RoleScope, extended: boolean): readonly Permission[] {
  return permissions.filter((one) => (extended || !one.extended) && (scope === 'system' || one.scope === 'org'))
}

/** The label of a permission: its own, or action and model. */
export function permissionName(permission: Permission, language: Language): string {
  const special: Record<string, Message> = permissionSpecialNames
  const own = special[permission.code]
  if (own) return own[language]
  const actions: Record<string, Message> = permissionActionNames
  const models: Record<string, Message> = permissionModelNames
  const action = actions[permission.codename.split('_')[0] ?? '']
  const model = models[`${permission.app}.${permission.model}`]
  return action && model ? fill(action[language], { model: model[language] }) : permission.code
}

/** Permissions of every member of an organization in that organization. */
const workbench = [
  'rbac.view_workbench',
  'rbac.view_webterminal',
  'rbac.view_filemanager',
  'perms.view_myassets',
  'assets.match_asset',
  'assets.match_node',
  'ops.add_job',
  'ops.change_job',
  'ops.delete_job',
  'ops.view_job',
  'ops.add_playbook',
  'ops.change_playbook',
  'ops.delete_playbook',
  'ops.view_playbook',
  'ops.add_adhoc',
  'ops.change_adhoc',
  'ops.delete_adhoc',
  'ops.view_adhoc',
  'ops.add_jobexecution',
  'ops.view_jobexecution',
  'ops.view_celerytaskexecution',
] as const satisfies readonly GrantablePermission[]

/** Permissions of every user everywhere: the workbench and the user's own credentials. */
const ordinary = [
  ...workbench,
  'authentication.add_connectiontoken',
  'authentication.view_connectiontoken',
  'authentication.expire_connectiontoken',
  'authentication.reuse_connectiontoken',
  'authentication.add_temptoken',
  'authentication.change_temptoken',
  'authentication.view_temptoken',
  'authentication.add_accesskey',
  'authentication.change_accesskey',
  'authentication.delete_accesskey',
  'authentication.view_accesskey',
  'authentication.add_passkey',
  'authentication.change_passkey',
  'authentication.delete_passkey',
  'authentication.view_passkey',
  'tickets.view_ticket',
  'orgs.view_alljoinedorg',
] as const satisfies readonly GrantablePermission[]

/** Additional permissions of auditors. */
const auditing = [
  'rbac.view_audit',
  'audits.add_ftplog',
  'audits.change_ftplog',
  'audits.view_ftplog',
  'audits.view_operatelog',
  'audits.view_passwordchangelog',
  'audits.view_activitylog',
  'audits.view_joblog',
  'audits.view_usersession',
  'audits.offline_usersession',
  'audits.view_userloginlog',
  'terminal.add_session',
  'terminal.change_session',
  'terminal.view_session',
  'terminal.monitor_session',
  'terminal.terminate_session',
  'terminal.validate_sessionactionperm',
  'terminal.add_command',
  'terminal.view_command',
  'terminal.view_sessionreplay',
  'terminal.download_sessionreplay',
] as const satisfies readonly GrantablePermission[]

/** What no component does: it neither makes users nor decides where links, codes and secrets go. */
const notOfComponents = new Set<GrantablePermission>([
  'users.add_user',
  'users.delete_user',
  'settings.change_basic',
  'settings.change_delivery',
])

/**
 * No built-in role holds it: what an administrator confirms in person, a program does with an access key only where a
 * system administrator has said so in a role of its own.
 */
export const unattendedAccess = 'authentication.unattended_accesskey' satisfies GrantablePermission

const administering = systemPermissions.filter((code) => code !== unattendedAccess)

export interface BuiltinRole {
  readonly id: string
  readonly name: string
  readonly scope: RoleScope
  readonly displayName: Message
  readonly permissions: readonly GrantablePermission[]
}

/** The seven built-in roles. Their permissions cannot be changed. */
export const builtinRoles = [
  {
    id: roleIds.systemAdmin,
    name: 'SystemAdmin',
    scope: 'system',
    displayName: { en: 'System admin', zh: '系统管理员', ja: 'システム管理者' },
    permissions: administering,
  },
  {
    id: roleIds.systemAuditor,
    name: 'SystemAuditor',
    scope: 'system',
    displayName: { en: 'System auditor', zh: '系统审计员', ja: 'システム監査員' },
    permissions: [...ordinary, ...auditing, 'orgs.view_rootorg', 'terminal.view_commandstorage'],
  },
  {
    id: roleIds.user,
    name: 'User',
    scope: 'system',
    displayName: { en: 'User', zh: '用户', ja: 'ユーザー' },
    permissions: ordinary,
  },
  {
    id: roleIds.systemComponent,
    name: 'SystemComponent',
    scope: 'system',
    displayName: { en: 'App', zh: '应用', ja: 'アプリケーション' },
    permissions: administering.filter((code) => !code.startsWith('rbac.') && !notOfComponents.has(code)),
  },
  {
    id: roleIds.orgAdmin,
    name: 'OrgAdmin',
    scope: 'org',
    displayName: { en: 'Organization admin', zh: '组织管理员', ja: '組織管理者' },
    permissions: orgPermissions,
  },
  {
    id: roleIds.orgAuditor,
    name: 'OrgAuditor',
    scope: 'org',
    displayName: { en: 'Organization auditor', zh: '组织审计员', ja: '組織監査員' },
    permissions: [...workbench, ...auditing],
  },
  {
    id: roleIds.orgUser,
    name: 'OrgUser',
    scope: 'org',
    displayName: { en: 'Organization user', zh: '组织用户', ja: '組織ユーザー' },
    permissions: workbench,
  },
] as const satisfies readonly BuiltinRole[]
