/**
 * All screens of the product: address, permissions and requirements. Menu, guards, titles and links are derived from
 * this table, in this order. A screen that is not built yet has a row without a module and no menu entry.
 */
export const views = ['console', 'audit', 'workbench', 'tickets', 'settings', 'profile'] as const
export type View = (typeof views)[number]

/** Groups of the side menus. `top` is a first-level entry. */
export type MenuGroup = 'top' | 'users' | 'assets' | 'accounts' | 'perms' | 'sessions' | 'logs' | 'jobs'

export interface RouteFacts {
  /** Path after the hash; `:id` is a parameter. The first segment is the view. */
  readonly path: `/${string}`
  /** A permission code, alternatives (`a | b`), or several required codes. */
  readonly permission?: string | readonly string[]
  /** Hidden without a valid license. */
  readonly license?: true
  /** Public setting that must be enabled. */
  readonly setting?: string
  /** Another page on the same host. Opens in a new tab. */
  readonly external?: `/${string}`
  /** Menu group of the entry. Screens without a group are reachable by link only. */
  readonly menu?: MenuGroup
  /** Path of the highlighted menu entry; defaults to the nearest listed ancestor. */
  readonly lit?: string
  /** Uses all organizations (`root`) or the system organization, whatever is selected. The selector is locked. */
  readonly organization?: 'root' | 'system'
  /** The objects belong to no organization: they are created and changed in any selected one, also in the root. */
  readonly shared?: true
  /** Shows the organization selector although the view hides it. */
  readonly showsOrganization?: true
  /** A window of its own, without menu and head; it belongs to no view. */
  readonly bare?: true
}

type Path = RouteFacts['path']
type More = Omit<RouteFacts, 'path' | 'permission' | 'menu'>
type Page = 'List' | 'Create' | 'Update' | 'Detail'

/** One page with its permission and options. */
const page = (path: Path, permission?: RouteFacts['permission'], more: Omit<RouteFacts, 'path'> = {}): RouteFacts => ({
  path,
  permission,
  ...more,
})

/** The four pages of a resource `app.model`. The list is in the menu if a group is given. */
function pages<const N extends string>(
  name: N,
  path: Path,
  resource: string,
  menu?: MenuGroup,
  more: More = {},
): Record<`${N}${Page}`, RouteFacts> {
  const right = (verb: string) => resource.replace('.', `.${verb}_`)
  return {
    [`${name}List`]: page(path, right('view'), { ...more, menu }),
    [`${name}Create`]: page(`${path}/create`, right('add'), more),
    [`${name}Update`]: page(`${path}/:id/update`, right('change'), more),
    [`${name}Detail`]: page(`${path}/:id`, right('view'), more),
  } as Record<`${N}${Page}`, RouteFacts>
}

/** Pages of one kind without their own list or detail page. */
function forms<const N extends string>(
  name: N,
  path: Path,
  resource: string,
  more: More = {},
): Record<`${N}${'Create' | 'Update'}`, RouteFacts> {
  const { List: _list, Detail: _detail, ...both } = pages('', path, resource, undefined, more)
  return Object.fromEntries(Object.entries(both).map(([page, route]) => [name + page, route])) as ReturnType<
    typeof forms<N>
  >
}

/** Executions of an automation. */
function executions<const N extends string, const D extends string = `${N}ExecutionDetail`>(
  name: N,
  path: Path,
  permission: string,
  more: More = {},
  detail: D = `${name}ExecutionDetail` as D,
) {
  return {
    [`${name}ExecutionList`]: page(`${path}/executions`, permission, { ...more, lit: path }),
    [detail]: page(`${path}/executions/:id`, permission, { ...more, lit: path }),
  } as Record<`${N}ExecutionList` | D, RouteFacts>
}

const assets = { lit: '/console/assets/assets' }
/** Requires the extended edition, but not a valid license. */
const cloud = { ...assets, setting: 'XPACK_ENABLED' }
const accounts = { lit: '/console/accounts/accounts' }
const templates = { lit: '/workbench/ops/templates' }
const license = { license: true } as const
const system = { organization: 'system' } as const
const roles = { ...license, organization: 'root' } as const
const roleRight = 'rbac.view_orgrole | rbac.view_systemrole'
const automation = '/console/accounts/account-'
const ticket = (path: string) => page(`/tickets/tickets/${path}`, 'tickets.view_ticket', license)

const consoleRoutes = {
  AdminDashboard: page('/console/dashboard', 'rbac.view_console', { menu: 'top' }),
  ...pages('User', '/console/users/users', 'users.user', 'users'),
  ...pages('UserGroup', '/console/users/groups', 'users.usergroup', 'users'),
  RoleList: page('/console/users/roles', roleRight, { ...roles, menu: 'users' }),
  RoleCreate: page('/console/users/roles/create', roleRight, roles),
  RoleUpdate: page('/console/users/roles/:id/update', roleRight, roles),
  RoleDetail: page('/console/users/roles/:id', roleRight, roles),

  AssetList: page('/console/assets/assets', 'assets.view_asset', { menu: 'assets' }),
  AssetDetail: page('/console/assets/assets/:id', 'assets.view_asset'),
  AssetMoreInformationEdit: page('/console/assets/assets/detail/:id/update', 'assets.change_asset', assets),
  ...forms('Host', '/console/assets/hosts', 'assets.asset', assets),
  ...forms('Database', '/console/assets/databases', 'assets.asset', assets),
  ...forms('Device', '/console/assets/devices', 'assets.asset', assets),
  ...forms('Cloud', '/console/assets/clouds', 'assets.asset', assets),
  ...forms('Web', '/console/assets/webs', 'assets.asset', assets),
  ...forms('Gpt', '/console/assets/gpts', 'assets.asset', assets),
  ...forms('Custom', '/console/assets/customs', 'assets.asset', assets),
  ...pages('Domain', '/console/assets/domains', 'assets.domain', 'assets'),
  GatewayCreate: page('/console/assets/gateways/create', 'assets.add_gateway', { lit: '/console/assets/domains' }),
  GatewayUpdate: page('/console/assets/gateways/:id/update', 'assets.change_gateway', {
    lit: '/console/assets/domains',
  }),
  ...pages('Platform', '/console/assets/platforms', 'assets.platform', 'assets', { shared: true }),
  ...pages('Label', '/console/assets/labels', 'assets.label', 'assets'),
  CloudCenter: page('/console/assets/cloud', 'xpack.view_account', cloud),
  ...pages('Account', '/console/assets/cloud/account', 'xpack.account', undefined, cloud),
  AccountList: page('/console/assets/cloud/accounts', 'xpack.view_account', cloud),
  ...pages('SyncInstanceTask', '/console/assets/cloud/sync-instance-tasks', 'xpack.syncinstancetask', undefined, cloud),
  ...pages('CloudStrategy', '/console/assets/cloud/strategy', 'xpack.strategy', undefined, cloud),

  AssetAccountList: page('/console/accounts/accounts', 'accounts.view_account', { menu: 'accounts' }),
  AssetAccountDetail: page('/console/accounts/accounts/:id', 'accounts.view_account'),
  VirtualAccountUpdate: page(
    '/console/accounts/virtual-accounts/:id/update',
    'accounts.change_virtualaccount',
    accounts,
  ),
  VirtualAccountDetail: page('/console/accounts/virtual-accounts/:id', 'accounts.view_virtualaccount', accounts),
  ...pages('AccountTemplate', `${automation}template`, 'accounts.accounttemplate', 'accounts'),
  ...pages('AccountPush', `${automation}push`, 'accounts.pushaccountautomation', 'accounts'),
  ...executions('AccountPush', `${automation}push`, 'accounts.view_pushaccountexecution'),
  AccountGatherList: page(`${automation}gather`, 'accounts.view_gatheredaccount', { ...license, menu: 'accounts' }),
  ...forms('AccountGatherTask', `${automation}gather`, 'accounts.gatheraccountsautomation', license),
  AccountGatherTaskDetail: page(`${automation}gather/:id`, 'accounts.view_gatheraccountsautomation', license),
  ...executions(
    'AccountGatherTask',
    `${automation}gather`,
    'accounts.view_gatheraccountsexecution',
    license,
    'AccountGatherExecutionDetail',
  ),
  ...pages('AccountChangeSecret', `${automation}change-secret`, 'accounts.changesecretautomation', 'accounts', license),
  ...executions('AccountChangeSecret', `${automation}change-secret`, 'accounts.view_changesecretexecution', license),
  AccountBackupList: page(`${automation}backup`, 'accounts.view_accountbackupautomation', {
    ...license,
    menu: 'accounts',
  }),
  ...forms('AccountBackupPlan', `${automation}backup`, 'accounts.accountbackupautomation', license),
  AccountBackupPlanDetail: page(`${automation}backup/:id`, 'accounts.view_accountbackupautomation', license),
  ...executions('AccountBackupPlan', `${automation}backup`, 'accounts.view_accountbackupautomation', license),

  ...pages('AssetPermission', '/console/perms/asset-permissions', 'perms.assetpermission', 'perms'),
  ...pages('UserLoginAcl', '/console/perms/login-acls', 'acls.loginacl', 'perms'),
  ...pages('CommandFilterAcl', '/console/perms/cmd-acls', 'acls.commandfilteracl', 'perms'),
  ...pages('AssetAcl', '/console/perms/login-asset-acls', 'acls.loginassetacl', 'perms', license),
  ...pages('CommandGroup', '/console/perms/cmd-groups', 'acls.commandgroup', undefined, {
    lit: '/console/perms/cmd-acls',
  }),
  ...pages('ConnectMethodAcl', '/console/perms/connect-method-acls', 'acls.connectmethodacl', 'perms', license),
}

const auditRoutes = {
  AuditDashboard: page('/audit/dashboard', 'rbac.view_audit', { menu: 'top' }),
  OnlineSession: page('/audit/online-user-session', 'audits.view_usersession', { menu: 'top' }),
  SessionList: page('/audit/sessions/sessions', 'terminal.view_session', { menu: 'sessions' }),
  SessionDetail: page('/audit/sessions/sessions/:id', 'terminal.view_session'),
  CommandList: page('/audit/sessions/command', 'terminal.view_command', { menu: 'sessions' }),
  FtpLog: page('/audit/sessions/ftp', 'audits.view_ftplog', { menu: 'sessions' }),
  LoginLogList: page('/audit/audits/login-logs', 'audits.view_userloginlog', { menu: 'logs' }),
  LoginLogDetail: page('/audit/audits/login-logs/:id', 'audits.view_userloginlog'),
  OperateLogList: page('/audit/audits/operate-logs', 'audits.view_operatelog', { menu: 'logs' }),
  OperateLogDetail: page('/audit/audits/operate-logs/:id', 'audits.view_operatelog'),
  PasswordChangeLog: page('/audit/audits/password-change-log', 'audits.view_passwordchangelog', { menu: 'logs' }),
  JobExecutionLog: page('/audit/audits/job-execution-log', 'audits.view_joblog', { menu: 'logs' }),
}

const jobs = { setting: 'SECURITY_COMMAND_EXECUTION' }
const workbenchRoutes = {
  MyHome: page('/workbench/home', undefined, { menu: 'top' }),
  MyAssets: page('/workbench/assets', 'perms.view_myassets', { menu: 'top' }),
  WebTerminal: page('/workbench/web-terminal', 'rbac.view_webterminal', { external: '/luna/', menu: 'top' }),
  FileManager: page('/workbench/file-manager', 'rbac.view_filemanager', { external: '/luna/sftp', menu: 'top' }),
  QuickJob: page('/workbench/ops/quick-job', ['ops.view_job', 'ops.add_job', 'ops.add_jobexecution'], {
    ...jobs,
    menu: 'jobs',
  }),
  ...pages('Job', '/workbench/ops/job', 'ops.job', 'jobs', jobs),
  Template: page(templates.lit as Path, 'ops.view_adhoc | ops.view_playbook', { ...jobs, menu: 'jobs' }),
  Execution: page('/workbench/ops/executions', 'ops.view_jobexecution', { ...jobs, menu: 'jobs' }),
  ExecutionDetail: page('/workbench/ops/executions/:id', 'ops.view_jobexecution', jobs),
  ...forms('Adhoc', '/workbench/ops/adhoc', 'ops.adhoc', { ...jobs, ...templates }),
  AdhocDetail: page('/workbench/ops/adhoc/:id', 'ops.view_adhoc', { ...jobs, ...templates }),
  ...forms('Playbook', '/workbench/ops/playbook', 'ops.playbook', { ...jobs, ...templates }),
  PlaybookDetail: page('/workbench/ops/playbook/:id', 'ops.view_playbook', { ...jobs, ...templates }),
  SystemTools: page('/workbench/system-tools', 'rbac.view_systemtools', { menu: 'top' }),
}

const flow = { ...license, showsOrganization: true } as const
const ticketRoutes = {
  MyTicketList: page('/tickets/my-tickets', 'tickets.view_ticket', { ...license, menu: 'top' }),
  AssignedTicketList: page('/tickets/assigned-tickets', 'tickets.view_ticket', { ...license, menu: 'top' }),
  RequestAssetPermTicketCreateUpdate: ticket('request-host-perm/create'),
  AssetsTicketDetail: ticket('request-host-perm/:id'),
  LoginAssetTicketDetail: ticket('login-host-confirm/:id'),
  LoginTicketDetail: ticket('login-confirm/:id'),
  CommandConfirmDetail: ticket('command-confirm/:id'),
  TicketDetail: ticket(':id'),
  TicketFlow: page('/tickets/flow', ['tickets.view_ticket', 'tickets.view_ticketflow'], { ...flow, menu: 'top' }),
  // `add_ticketflow` cannot be granted to a role, so `change_ticketflow` also allows creating flows.
  TicketFlowCreate: page(
    '/tickets/flow/create',
    ['tickets.view_ticket', 'tickets.add_ticketflow | tickets.change_ticketflow'],
    flow,
  ),
  TicketFlowUpdate: page('/tickets/flow/:id/update', ['tickets.view_ticket', 'tickets.change_ticketflow'], flow),
  FlowDetail: page('/tickets/flow/:id', ['tickets.view_ticket', 'tickets.view_ticketflow'], flow),
}

const setting = (path: string, permission: string, more: More & { menu?: MenuGroup } = {}) =>
  page(`/settings/${path}`, permission, { ...system, ...more })
const terminals = { lit: '/settings/terminal' }
const applets = { lit: '/settings/applets' }
const storages = { lit: '/settings/storage' }
const settingRoutes = {
  Basic: setting('basic', 'settings.view_setting', { menu: 'top' }),
  ...pages('Organization', '/settings/orgs', 'orgs.organization', 'top', { ...system, ...license }),
  Msg: setting('msg', 'settings.change_email', { menu: 'top' }),
  Feature: setting('features', 'settings.view_setting', { menu: 'top' }),
  Auth: setting('auth', 'settings.change_auth', { menu: 'top' }),
  Storage: setting('storage', 'settings.change_terminal', { menu: 'top' }),
  CreateReplayStorage: setting('storage/replay-storage/create', 'terminal.add_replaystorage', storages),
  ReplayStorageUpdate: setting('storage/replay-storage/:id/update', 'terminal.change_replaystorage', storages),
  CreateCommandStorage: setting('storage/command-storage/create', 'terminal.add_commandstorage', storages),
  CommandStorageUpdate: setting('storage/command-storage/:id/update', 'terminal.change_commandstorage', storages),
  TerminalSetting: setting('terminal', 'settings.change_terminal', { menu: 'top' }),
  TerminalDetail: setting('terminal/:id', 'terminal.view_terminal'),
  TerminalUpdate: setting('terminal/:id/update', 'terminal.change_terminal'),
  ...forms('Endpoint', '/settings/terminal/endpoint', 'terminal.endpoint', { ...system, ...terminals }),
  ...forms('EndpointRule', '/settings/terminal/endpoint-rule', 'terminal.endpointrule', { ...system, ...terminals }),
  Applets: setting('applets', 'terminal.view_applet', { menu: 'top' }),
  AppletDetail: setting('applets/applets/:id', 'settings.change_terminal', applets),
  ...forms('AppletHost', '/settings/applets/hosts', 'terminal.applethost', { ...system, ...applets }),
  AppletHostDetail: setting('applets/hosts/:id', 'terminal.view_applethost', applets),
  Security: setting('security', 'settings.change_security', { menu: 'top' }),
  Interface: setting('interface', 'settings.change_interface', { ...license, menu: 'top' }),
  Tools: setting('tools', 'settings.view_setting', { menu: 'top' }),
  TaskList: setting('tasks', 'ops.view_celerytask', { menu: 'top' }),
  TaskDetail: setting('tasks/:id', 'ops.view_celerytask'),
  License: setting('license', 'settings.change_license', { menu: 'top' }),
}

const profileRoutes = {
  ProfileInfo: page('/profile/info', undefined, { menu: 'top' }),
  ProfileSetting: page('/profile/setting', undefined, { menu: 'top' }),
  UserSetting: page('/profile/user/setting', undefined, { menu: 'top' }),
  ProfileImprovement: page('/profile/improvement'),
  ApiKey: page('/profile/api-keys', 'authentication.view_accesskey', { menu: 'top' }),
  ApiKeyCreateUpdate: page('/profile/api-keys/:id/update', 'authentication.change_accesskey'),
  TempPassword: page('/profile/temp-password', 'authentication.view_temptoken', {
    menu: 'top',
    setting: 'AUTH_TEMP_TOKEN',
  }),
  ConnectionToken: page('/profile/connection-token', 'authentication.view_connectiontoken', { menu: 'top' }),
  Passkey: page('/profile/passkeys', 'authentication.view_passkey', { menu: 'top', setting: 'AUTH_PASSKEY' }),
}

/** Logs of background tasks, which other pages open in a window. */
const taskLogRoutes = {
  CeleryTaskLog: page('/ops/celery/task/:id/log', undefined, { bare: true }),
  AnsibleTaskLog: page('/ops/ansible/task/:id/log', undefined, { bare: true }),
  TaskLog: page('/ops/task/task/:id/log', undefined, { bare: true }),
}

export const routes = {
  ...consoleRoutes,
  ...auditRoutes,
  ...workbenchRoutes,
  ...ticketRoutes,
  ...settingRoutes,
  ...profileRoutes,
  ...taskLogRoutes,
}

/** Name of a screen, equal to the v3 console's. */
export type RouteName = keyof typeof routes

/** Address of a screen after the hash; `id` for screens of a single object. */
export const pathOf = (name: RouteName, id?: unknown): string =>
  id === undefined ? routes[name].path : routes[name].path.replace(':id', String(id))

/** The start page of each view. */
export const viewRoots: Readonly<Record<View, RouteName>> = {
  console: 'AdminDashboard',
  audit: 'AuditDashboard',
  workbench: 'MyHome',
  tickets: 'MyTicketList',
  settings: 'Basic',
  profile: 'ProfileInfo',
}

/** The view of a path. */
export const viewOf = (path: string): View | undefined => {
  const first = path.replace(/^\//, '').split(/[/?]/)[0]
  return views.find((view) => view === first)
}
