import type { FilterRule } from '@castellan/contract/command-rules/command-filter'
import type {
  AssetsAssetsRow,
  AuthenticationSuperConnectionTokenRow,
  Choice,
  TerminalSessionsBody,
  TerminalTasksRow,
  UsersUsersRow,
} from '@castellan/contract/wire.gen'

/** Types of the v3 contract that a component reads and writes; those of collections are generated. */
export type { Choice, TerminalSessionsBody } from '@castellan/contract/wire.gen'

export interface Ref {
  id: string
  name: string
}

export interface CommandFilterAcl extends FilterRule {
  reviewers: Ref[]
}

export interface AssetProtocol {
  name: string
  port: number
}

export interface SwitchFrom {
  username: string
  secret_type: Choice | string
  secret: string
}

export interface GrantGateway {
  id: string
  name: string
  address: string
  protocols: AssetProtocol[]
  account: { name: string; username: string; secret_type: Choice | string; secret: string } | null
}

/** The response of `super-connection-token/secret/`: the permissions and credential of one connection. */
export interface Grant {
  id: string
  /** The session for which it was opened: the first one started with it. */
  session?: string | undefined
  value: string
  user: { id: string; name: string; username: string; email: string }
  asset: {
    id: string
    name: string
    address: string
    protocols: AssetProtocol[]
    category: string
    type: string
    org_id: string
  }
  account: {
    id?: string
    name: string
    username: string
    secret_type: Choice | string
    secret: string | null
    su_from: SwitchFrom | Record<string, never> | null
    privileged?: boolean
    passphrase?: string | null
  }
  platform: {
    name: string
    charset: Choice | string
    protocols: { name: string; port: number; setting: Record<string, unknown> }[]
    su_enabled: boolean
    su_method: Choice | string | null
  }
  command_filter_acls: CommandFilterAcl[]
  protocol: string
  domain: Ref | null
  gateway: GrantGateway | null
  /** All gateways of the domain, best first. Undefined from a server that chooses one itself. */
  gateways?: GrantGateway[]
  actions: Choice[]
  expire_at: number
  from_ticket: string | { id: string } | null
  connect_method: Choice | null
  connect_options: Record<string, unknown>
  org_id: string
  org_name: string
}

export interface ConnectionToken
  extends Pick<AuthenticationSuperConnectionTokenRow, 'id' | 'is_active' | 'expire_time'> {
  value: string
  from_ticket: { id: string } | string | null
  from_ticket_info: ReviewTicket | Record<string, never>
}

export interface ReviewTicket {
  check_ticket_api: { method: string; url: string }
  close_ticket_api: { method: string; url: string }
  ticket_detail_page_url: string
  assignees: string[]
}

export interface TicketState {
  status: Choice | string
  state: Choice | string
  processor?: string | null
}

export type UserProfile = Pick<UsersUsersRow, 'id' | 'name' | 'username'> &
  Partial<Pick<UsersUsersRow, 'is_valid' | 'is_active'>>

type AssetParts = 'id' | 'name' | 'address' | 'comment' | 'is_active' | 'org_id' | 'org_name' | 'platform' | 'type'

export interface GrantedAsset extends Pick<AssetsAssetsRow, AssetParts> {
  category: Choice
  connectivity?: Choice
  nodes?: Ref[]
}

export interface PermedAccount {
  id: string
  alias: string
  name: string
  username: string
  has_username: boolean
  has_secret: boolean
  secret_type: string
  actions: Choice[]
}

export interface GrantedAssetDetail extends GrantedAsset {
  permed_accounts: PermedAccount[]
  permed_protocols: { name: string; port: number; public: boolean; setting: Record<string, unknown> }[]
}

export interface GrantedNode {
  id: string
  name: string
  key: string
  value: string
  assets_amount: number
}

export interface ComponentTask extends Pick<TerminalTasksRow, 'id' | 'name' | 'args' | 'is_finished'> {
  kwargs: { terminated_by?: string; created_by?: string }
}

export interface ComponentConfig {
  TERMINAL_PASSWORD_AUTH: boolean
  TERMINAL_PUBLIC_KEY_AUTH: boolean
  TERMINAL_HEARTBEAT_INTERVAL: number
  TERMINAL_ASSET_LIST_SORT_BY: string
  TERMINAL_ASSET_LIST_PAGE_SIZE: string
  TERMINAL_HOST_KEY: string
  TERMINAL_HEADER_TITLE: string
  TERMINAL_KOKO_SSH_ENABLED: boolean
  TERMINAL_COMMAND_STORAGE: Record<string, unknown>
  TERMINAL_REPLAY_STORAGE: Record<string, unknown>
  SECURITY_MAX_IDLE_TIME: number
  SECURITY_MAX_SESSION_TIME: number
  SECURITY_SESSION_SHARE: boolean
  FTP_FILE_MAX_STORE: number
}

export type SessionType = Extract<TerminalSessionsBody['type'], string>
export type LoginFrom = Extract<TerminalSessionsBody['login_from'], 'ST' | 'WT'>

export interface CommandEntry {
  /** Identifies the command, so that sending it again after a lost response stores it once. */
  id: string
  user: string
  asset: string
  account: string
  input: string
  output: string
  session: string
  risk_level: number
  org_id: string
  timestamp: number
}

export interface HeartbeatStatus {
  sessions: string[]
  session_online: number
  cpu_load: number
  memory_used: number
  disk_used: number
}

export type SharingPermission = 'readonly' | 'writable'

export interface SharingRequest {
  session: string
  /** Minutes. */
  expired_time: number
  /** Ids of the users who may join; empty: everybody with the code. */
  users: string[]
  action_permission: SharingPermission
  origin: string
}

export interface SharingLink {
  id: string
  verify_code: string
}

/** A user who joined a session. */
export interface JoinRecord {
  id: string
  action_permission: Choice
  /** The joiner's own rules; undefined from a server that does not send them. */
  command_filter_acls?: CommandFilterAcl[]
}

/** Whether a grant includes an action; every kind of connection needs `connect`. */
export const allows = (grant: Pick<Grant, 'actions'>, action: string): boolean =>
  grant.actions.some((entry) => entry.value === action)

/** The bare value of a labeled choice, which some servers send plain. */
export function plain(choice: Choice | string | null | undefined): string {
  return typeof choice === 'string' ? choice : (choice?.value ?? '')
}
