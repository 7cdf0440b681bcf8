/** Every screen of the console as its app declares it, for the tests and pictures that open all of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RouteName, routes } from '@castellan/contract/routes'
import type { Client } from '@castellan/testing/client'
import type { Locator, Page } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')

/** A further way to open a screen, or what a picture of it is called. */
interface Opening {
  query?: string
  /** A tab that is not the first. */
  tab?: string
  /** One screen of each kind is shown in all looks. */
  kind?: string
  /** Which of the rows it is about, where the first one shows little. */
  row?: Readonly<Record<string, string>>
  /** Its collection, where its permission names another one. */
  collection?: string
}

export interface ScreenOfProduct extends Opening {
  name: RouteName
}

/** The client address of the sessions that have commands: other tests leave sessions without any. */
export const recordedFrom = '192.0.2.77'
const recorded = { remote_addr: recordedFrom }

/** Screens that are opened otherwise than at their address alone. */
const openings: Partial<Record<RouteName, readonly Opening[]>> = {
  AdminDashboard: [{ kind: 'dashboard' }],
  UserList: [{ kind: 'list' }],
  UserCreate: [{ kind: 'form' }],
  UserDetail: [{ kind: 'detail', row: { username: 'admin' } }],
  RoleCreate: [{ kind: 'rights' }],
  RoleUpdate: [{ query: 'scope=org', row: { name: 'Operators' } }],
  RoleDetail: [{ query: 'scope=org' }],
  AssetList: [{ kind: 'tree' }],
  HostUpdate: [{ kind: 'long-form' }],
  AssetPermissionCreate: [{ kind: 'effect' }],
  AssetPermissionDetail: [{ row: { name: 'On call' } }],
  AssetDetail: [{ row: { category: 'host' } }],
  AssetMoreInformationEdit: [{ row: { category: 'host' } }],
  DomainDetail: [{}, { tab: 'GatewayList' }],
  AssetAccountList: [{}, { tab: 'VirtualAccountList' }],
  AccountTemplateDetail: [{ row: { name: 'Deployment' } }, { row: { name: 'Deployment' }, tab: 'Account' }],
  AccountGatherList: [{}, { tab: 'AccountGatherTaskList' }, { tab: 'AccountGatherTaskExecutionList' }],
  AccountPushList: [{}, { tab: 'AccountPushExecutionList' }],
  AccountPushDetail: [{}, { tab: 'AutomationTargets' }],
  AccountPushExecutionDetail: [{}, { tab: 'ExecutionRecords' }],
  AccountChangeSecretList: [{}, { tab: 'AccountChangeSecretExecutionList' }],
  AccountChangeSecretDetail: [{}, { tab: 'AutomationTargets' }],
  AccountChangeSecretExecutionDetail: [{}, { tab: 'ExecutionRecords' }],
  AccountGatherTaskDetail: [{}, { tab: 'AutomationTargets' }],
  AccountGatherExecutionDetail: [{ kind: 'execution' }, { tab: 'ExecutionItems' }],
  AccountBackupList: [{}, { tab: 'AccountBackupPlanExecutionList' }],
  AccountBackupPlanDetail: [{}, { tab: 'AccountBackupPlanExecutionList' }],
  AccountBackupPlanExecutionDetail: [{ collection: 'accounts/account-backup-plan-executions' }],
  CustomCreate: [{ query: 'category=custom&type=crm' }],
  PlatformCreate: [{ kind: 'platform' }, { query: 'category=custom' }],
  // Built-in platforms cannot be changed.
  PlatformUpdate: [{ row: { name: 'Hardened-Linux' } }],
  PlatformDetail: [{}, { tab: 'Automation' }],
  CloudCenter: [{}, { tab: 'StrategyList' }, { tab: 'AccountList' }],
  SyncInstanceTaskDetail: [{}, { tab: 'HistoryList' }, { tab: 'AssetList' }],
  CommandFilterAclList: [{}, { tab: 'CommandGroup' }],
  CommandFilterAclCreate: [{ kind: 'rule' }],
  SessionList: [{ kind: 'sessions' }, { tab: 'OfflineList' }],
  SessionDetail: [
    { row: recorded },
    { row: recorded, tab: 'SessionCommands' },
    { row: recorded, tab: 'SessionJoinRecords' },
  ],
  Storage: [{}, { tab: 'CommandStorage' }],
  CreateReplayStorage: [{ query: 'type=s3' }, { query: 'type=sftp' }],
  ReplayStorageUpdate: [{ query: 'type=s3', row: { name: 'Archive' } }],
  CreateCommandStorage: [{ query: 'type=es' }],
  TerminalSetting: [
    {},
    { tab: 'TerminalList' },
    { tab: 'TerminalMonitor' },
    { tab: 'EndpointList' },
    { tab: 'EndpointRuleList' },
  ],
  Applets: [{}, { tab: 'AppletHosts' }],
  AppletDetail: [{ collection: 'terminal/applets' }, { collection: 'terminal/applets', tab: 'Hosts' }],
  AppletHostDetail: [{}, { tab: 'Accounts' }, { tab: 'Applets' }, { tab: 'Deployments' }],
  OperateLogList: [{ kind: 'log' }],
  MyHome: [{ kind: 'workbench' }],
  Msg: [{}, { tab: 'SMS' }, { tab: 'MsgSubscription' }],
  Feature: [{}, { tab: 'Ticket' }, { tab: 'Ops' }],
  Auth: [{}, { tab: 'LDAP', kind: 'settings' }, { tab: 'OIDC' }],
  Security: [{}, { tab: 'SecurityLoginLimit' }, { tab: 'SecurityPassword' }, { tab: 'SecuritySession' }],
  QuickJob: [{ kind: 'quick-job' }],
  JobCreate: [{ query: 'type=adhoc' }, { query: 'type=playbook' }],
  JobUpdate: [{ row: { search: 'Disk usage' } }],
  JobDetail: [{ row: { search: 'Disk usage' } }, { row: { search: 'Disk usage' }, tab: 'History' }],
  Template: [{}, { tab: 'Playbook' }],
  ExecutionDetail: [{ collection: 'ops/job-executions' }],
  PlaybookDetail: [{}, { tab: 'Workspace' }],
  SystemTools: [{}, { tab: 'telnet' }, { tab: 'nmap' }, { tab: 'tcpdump' }, { tab: 'traceroute' }],
  TaskList: [{}, { tab: 'Clean' }],
  TaskDetail: [{}, { tab: 'Executions' }],
  ProfileInfo: [{ kind: 'profile' }],
  ProfileSetting: [{}, { tab: 'PasswordUpdate' }, { tab: 'SSHUpdate' }],
  UserSetting: [{}, { tab: 'LunaUpdate' }, { tab: 'KokoUpdate' }],
}

/** Screens of an object that the tests cannot make, with the reason. */
const withoutObject: Partial<Record<RouteName, string>> = {
  LoginTicketDetail: 'only a sign-in under a rule opens such a ticket',
  LoginAssetTicketDetail: 'only a connection under a rule opens such a ticket',
  CommandConfirmDetail: 'only a command under a rule opens such a ticket',
  ...Object.fromEntries(
    (Object.keys(routes) as RouteName[])
      .filter((name) => routes[name].bare)
      .map((name) => [name, 'a window without the frame, which other tests open']),
  ),
  ApiKeyCreateUpdate: 'a key is made in a window whose user has just given a password',
}

const folder = 'packages/console/src/screens'
/** The screens that are built, by name, with the app that declares them. */
export const appOf: ReadonlyMap<string, string> = new Map(
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((app) =>
    [...(app.isDirectory() ? read(folder, app.name, 'index.ts') : '').matchAll(/\bscreen\(\s*'(\w+)'/g)].map(
      ([, name = '']) => [name, app.name] as const,
    ),
  ),
)

/** The screens there are, in the order of the route table. */
export const screens: readonly ScreenOfProduct[] = (Object.keys(routes) as RouteName[])
  .filter((name) => appOf.has(name) && !withoutObject[name])
  .flatMap((name) => (openings[name] ?? [{}]).map((opening) => ({ name, ...opening })))

/** What a screen is called in lists of them: its route, and its tab. */
export const labelOf = ({ name, tab }: ScreenOfProduct): string => (tab ? `${name}-${tab}` : name)

/** Collections whose rows can be read one by one, with the permission that needs. */
const collections = [
  ...read('packages/server/api-surface.txt').matchAll(/^GET \/api\/v1\/([\w/-]+)\/:id\/ needs (\S+)$/gm),
].map(([, path = '', permission = '']) => ({ path, permission }))

/**
 * The collection of the object a screen is about: the one whose rows its users may view. Of several, such as the
 * categories of assets, the one that is called as in the address of the screen.
 * @throws Error when there is none
 */
function collectionOf(name: RouteName): string {
  const { path, permission } = routes[name]
  // Of several that are needed, the last one is about the object.
  const [first = ''] = String([permission].flat().at(-1)).split(' | ')
  const view = first.replace('.change_', '.view_')
  const called = path.split('/:id')[0]?.split('/').at(-1)
  const found = collections.filter((one) => one.permission === view).map((one) => one.path)
  const best = found.find((one) => one.endsWith(`/${called}`)) ?? found[0]
  if (!best) throw new Error(`packages/server/api-surface.txt names no collection for ${name}, which needs ${view}`)
  return best
}

/** The address of a screen below the hash, with the id of a row where it is about one. */
export async function addressOf(client: Client, screen: ScreenOfProduct): Promise<string> {
  const { path: bare } = routes[screen.name]
  const query = [screen.query, screen.tab && `activeTab=${screen.tab}`].filter(Boolean).join('&')
  const path = query ? `${bare}?${query}` : bare
  if (!bare.includes(':id')) return path
  const collection = screen.collection ?? collectionOf(screen.name)
  const { results } = await client.collection(collection).page({ ...screen.row, limit: 1 })
  const [row] = results
  if (!row) throw new Error(`There is no row in ${collection} for ${screen.name}.`)
  return path.replace(':id', String(row.id))
}

/** Sends a request as the user of a window. @throws Error when it is refused */
export async function postFrom(page: Page, url: string, path: string, data: object): Promise<void> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name.endsWith('csrftoken'))?.value ?? ''
  const headers = { 'X-CSRFToken': token, Referer: `${url}/ui/` }
  const answer = await page.request.post(url + path, { headers, data })
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()} ${await answer.text()}`)
}

/** Gives the password once more, which some screens ask for before they show anything. */
export const confirmOnce = (page: Page, url: string, password: string): Promise<void> =>
  postFrom(page, url, '/api/v1/authentication/confirm/', {
    confirm_type: 'password',
    mfa_type: '',
    secret_key: password,
  })

/** The screen once nothing of it is loading any more. */
export const ready = (page: Page): Locator => page.locator('main:not(:has(.ant-skeleton, [aria-busy=true])):has(h1)')

/** Leads a window to an address without reloading the page. */
export async function lead(page: Page, url: string, address: string): Promise<void> {
  await page.goto(`${url}/ui/#${address}`)
  // The strip lights the entry of the screen that is shown; until the new one is there that is the one before.
  await page.locator(`.tabstrip a[aria-current=page][href="#${address}"]`).waitFor()
  await ready(page).waitFor()
}
