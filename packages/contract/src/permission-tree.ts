/** The permission tree of a role. */
import { type Language, type Message, say } from './messages.ts'
import { permissionGroupNames, permissionModelNames } from './permission-names.ts'
import {
  type GrantablePermission,
  grantablePermissions,
  type Permission,
  permissionName,
  type RoleScope,
} from './permissions.ts'

export type PermissionGroup = keyof typeof permissionGroupNames
type ModelKey = keyof typeof permissionModelNames

/** Group → parent group. The order is the order of the groups on the wire. */
export const permissionGroupParents: Readonly<Record<PermissionGroup, PermissionGroup | ''>> = {
  users: 'view_console',
  assets: 'view_console',
  accounts: 'view_console',
  perms: 'view_console',
  terminal: 'view_audit',
  audits: 'view_audit',
  rbac: 'view_console',
  settings: 'view_setting',
  tickets: 'view_other',
  authentication: 'view_other',
  cloud_import: 'assets',
  backup_account_node: 'accounts',
  gather_account_node: 'accounts',
  push_account_node: 'accounts',
  asset_change_plan_node: 'accounts',
  terminal_node: 'view_setting',
  task_center: 'view_console',
  my_assets: 'view_workbench',
  operation_center: 'view_workbench',
  remote_application: 'view_setting',
  view_console: '$ROOT$',
  view_workbench: '$ROOT$',
  view_audit: '$ROOT$',
  view_setting: '$ROOT$',
  view_other: '$ROOT$',
  $ROOT$: '',
}

const openGroups: readonly string[] = [
  '$ROOT$',
  'view_console',
  'view_workbench',
  'view_audit',
  'view_setting',
  'view_other',
]

/** Models outside the group of their own app. */
export const permissionModelParents: Readonly<Partial<Record<ModelKey, PermissionGroup>>> = {
  'accounts.accountbackupautomation': 'backup_account_node',
  'accounts.accountbackupexecution': 'backup_account_node',
  'accounts.pushaccountautomation': 'push_account_node',
  'accounts.gatheredaccount': 'gather_account_node',
  'accounts.gatheraccountsautomation': 'gather_account_node',
  'accounts.changesecretautomation': 'asset_change_plan_node',
  'acls.loginacl': 'perms',
  'acls.connectmethodacl': 'perms',
  'acls.loginassetacl': 'perms',
  'acls.commandgroup': 'perms',
  'acls.commandfilteracl': 'perms',
  'audits.ftplog': 'terminal',
  'audits.usersession': 'view_audit',
  'ops.celerytask': 'task_center',
  'ops.job': 'operation_center',
  'ops.adhoc': 'operation_center',
  'ops.playbook': 'operation_center',
  'ops.jobexecution': 'operation_center',
  'orgs.organization': 'view_setting',
  'settings.setting': 'view_setting',
  'terminal.applet': 'remote_application',
  'terminal.applethost': 'remote_application',
  'terminal.appletpublication': 'remote_application',
  'terminal.applethostdeployment': 'remote_application',
  'terminal.terminal': 'terminal_node',
  'terminal.commandstorage': 'terminal_node',
  'terminal.replaystorage': 'terminal_node',
  'terminal.status': 'terminal_node',
  'terminal.task': 'terminal_node',
  'terminal.endpoint': 'terminal_node',
  'terminal.endpointrule': 'terminal_node',
  'xpack.account': 'cloud_import',
  'xpack.syncinstancetask': 'cloud_import',
  'xpack.strategy': 'cloud_import',
  'xpack.strategyaction': 'cloud_import',
  'xpack.strategyrule': 'cloud_import',
  'xpack.syncinstancedetail': 'cloud_import',
  'xpack.syncinstancetaskexecution': 'cloud_import',
}

/** Single permissions directly below a group instead of their model. */
export const permissionLeafParents: Readonly<Partial<Record<GrantablePermission, PermissionGroup>>> = {
  'accounts.view_pushaccountexecution': 'push_account_node',
  'accounts.add_pushaccountexecution': 'push_account_node',
  'accounts.view_gatheraccountsexecution': 'gather_account_node',
  'accounts.add_gatheraccountsexecution': 'gather_account_node',
  'accounts.view_changesecretexecution': 'asset_change_plan_node',
  'accounts.add_changesecretexecution': 'asset_change_plan_node',
  'accounts.view_changesecretrecord': 'asset_change_plan_node',
  'perms.view_myassets': 'my_assets',
  'ops.view_celerytaskexecution': 'task_center',
  'ops.view_taskmonitor': 'task_center',
  'settings.change_terminal': 'terminal_node',
  'settings.view_setting': 'view_setting',
  'rbac.view_console': 'view_console',
  'rbac.view_audit': 'view_audit',
  'rbac.view_workbench': 'view_workbench',
  'rbac.view_webterminal': 'view_workbench',
  'rbac.view_filemanager': 'view_workbench',
  'rbac.view_systemtools': 'view_workbench',
  'tickets.view_ticket': 'tickets',
}

/** Nodes hidden in the community edition. The permissions themselves do not change. */
export const hiddenWithoutExtended = {
  apps: ['xpack', 'tickets'],
  models: ['rbac.orgrole', 'rbac.orgrolebinding'],
  permissions: ['settings.change_interface', 'settings.change_sms', 'users.invite_user', 'users.remove_user'],
} as const

export interface PermissionTreeNode {
  id: string
  name: string
  title: string
  pId: string
  parentInfo: ''
  isParent: boolean
  open: boolean
  iconSkin: string
  nocheck: false
  /** Null on a parent without held permissions. */
  checked: boolean | null
  halfCheck: false
  chkDisabled: boolean
  meta: { type: 'perm' | 'root' | 'view' | 'app' | 'extra' | 'model' }
}

export interface PermissionTreeRequest {
  scope: RoleScope
  extended: boolean
  language: Language
  /** The effective permissions of the role. */
  held: ReadonlySet<string>
  /** True for a built-in role, whose permissions cannot be changed. */
  disabled: boolean
}

const actionOrder = ['view', 'add', 'change', 'delete']
const iconActions = new Set(['add', 'view', 'change', 'delete', 'invite', 'match', 'remove'])

const action = ({ codename }: Permission) => codename.slice(0, codename.indexOf('_'))
const resource = ({ codename }: Permission) => codename.slice(codename.indexOf('_') + 1)
const rank = (permission: Permission) => {
  const at = actionOrder.indexOf(action(permission))
  return at < 0 ? actionOrder.length : at
}
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function shown(permission: Permission): boolean {
  const hidden: { apps: readonly string[]; models: readonly string[]; permissions: readonly string[] } =
    hiddenWithoutExtended
  return !(
    hidden.apps.includes(permission.app) ||
    hidden.models.includes(`${permission.app}.${permission.model}`) ||
    hidden.permissions.includes(permission.code)
  )
}

function groupType(id: PermissionGroup): 'root' | 'view' | 'app' | 'extra' {
  if (id === '$ROOT$') return 'root'
  if (openGroups.includes(id)) return 'view'
  const places = Object.keys(permissionGroupParents)
  return places.indexOf(id) < places.indexOf('cloud_import') ? 'app' : 'extra'
}

/**
 * The flat node list of a role's tree: leaves first (by resource, then view, add, change, delete, other), then models,
 * then groups. Parents without leaves are omitted. Names end with `(held/total)`.
 */
export function permissionTree(request: PermissionTreeRequest): PermissionTreeNode[] {
  const { scope, extended, language, held, disabled } = request
  const universe = grantablePermissions(scope, extended)
    .filter((permission) => extended || shown(permission))
    .toSorted(
      (a, b) =>
        compare(resource(a), resource(b)) ||
        rank(a) - rank(b) ||
        compare(a.codename, b.codename) ||
        compare(a.app, b.app),
    )
  const counts = new Map<string, { held: number; total: number }>()
  const models: ModelKey[] = []

  const leaves = universe.map((permission): PermissionTreeNode => {
    const model = `${permission.app}.${permission.model}` as ModelKey
    const leafParent = permissionLeafParents[permission.code]
    const isHeld = held.has(permission.code)
    if (!leafParent && !models.includes(model)) models.push(model)
    for (let place: string = leafParent ?? model; place; place = parentOf(place)) {
      const count = counts.get(place) ?? { held: 0, total: 0 }
      counts.set(place, { held: count.held + (isHeld ? 1 : 0), total: count.total + 1 })
    }
    return {
      ...node(String(permission.id), permissionName(permission, language), leafParent ?? model, isHeld ? 1 : 0, 1),
      title: permission.code,
      isParent: false,
      checked: isHeld,
      iconSkin: iconActions.has(action(permission)) ? action(permission) : 'file',
      meta: { type: 'perm' },
    }
  })

  const parents = [...models.toSorted(compare), ...(Object.keys(permissionGroupParents) as PermissionGroup[])]
  return [...leaves, ...parents.flatMap(parent)]

  function parent(id: ModelKey | PermissionGroup): PermissionTreeNode[] {
    const count = counts.get(id)
    if (!count) return []
    const isModel = id.includes('.')
    const names: Record<string, Message> = isModel ? permissionModelNames : permissionGroupNames
    const message = names[id]
    const name = message ? capital(say(message, language)) : id
    return [
      {
        ...node(id, name, parentOf(id), count.held, count.total),
        open: openGroups.includes(id),
        meta: { type: isModel ? 'model' : groupType(id as PermissionGroup) },
      },
    ]
  }

  function node(id: string, name: string, pId: string, heldCount: number, total: number): PermissionTreeNode {
    return {
      id,
      name: `${name} (${heldCount}/${total})`,
      title: id,
      pId,
      parentInfo: '',
      isParent: true,
      open: false,
      iconSkin: '',
      nocheck: false,
      checked: heldCount > 0 ? true : null,
      halfCheck: false,
      chkDisabled: disabled,
      meta: { type: 'model' },
    }
  }
}

/** The parent of a model or group; `''` above the root. */
function parentOf(place: string): string {
  if (!place.includes('.')) return permissionGroupParents[place as PermissionGroup]
  return permissionModelParents[place as ModelKey] ?? place.slice(0, place.indexOf('.'))
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
