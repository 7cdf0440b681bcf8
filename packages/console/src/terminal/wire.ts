/** Responses of the server, limited to the fields this application reads. */

export interface Labelled<V = string> {
  value: V
  label: string
}

/** A zTree item. */
export interface TreeItem {
  id: string
  name: string
  title: string
  pId: string
  isParent: boolean
  open?: boolean
  iconSkin?: string
  chkDisabled?: boolean
  meta: {
    type: string
    data: {
      id?: string
      key?: string
      value?: string
      platform_type?: string
      org_name?: string
      name?: string
      address?: string
    }
  }
}

export interface PermedAccount {
  id: string
  /** The key used to connect. */
  alias: string
  name: string
  username: string
  has_username: boolean
  has_secret: boolean
  secret_type: string
  actions: Labelled[]
}

export interface PermedProtocol {
  name: string
  port: number
  public: boolean
  setting?: Record<string, unknown>
}

export interface PermedAsset {
  id: string
  name: string
  address: string
  comment: string
  is_active: boolean
  platform: { id: number; name: string }
  category: Labelled
  type: Labelled
  org_id: string
  org_name: string
  permed_protocols: PermedProtocol[]
  permed_accounts: PermedAccount[]
}

export interface ConnectMethod {
  value: string
  label: string
  type: 'web' | 'native' | 'applet'
  component: string
  endpoint_protocol?: string
  icon?: string
  disabled?: boolean
}
export type ConnectMethods = Record<string, ConnectMethod[]>

export interface TicketApi {
  method: string
  url: string
}

export interface TicketInfo {
  check_ticket_api?: TicketApi
  close_ticket_api?: TicketApi
  ticket_detail_page_url?: string
  assignees?: string[]
}

export interface ConnectionToken {
  id: string
  value: string
  protocol: string
  account: string
  date_expired: string
  is_reusable?: boolean
  actions?: Labelled[]
  from_ticket?: { id: string } | null
  from_ticket_info?: TicketInfo
}

export interface SessionRow {
  id: string
  user: string
  asset: string
  asset_id: string
  account: string
  account_id: string
  protocol: string
  type: Labelled
  login_from: Labelled
  remote_addr: string | null
  is_finished: boolean
  is_locked: boolean
  has_replay: boolean
  can_join: boolean
  can_replay: boolean
  can_terminate: boolean
  date_start: string
  date_end: string | null
  terminal: { id: string; name: string; type?: string } | null
  error_reason?: Labelled
}

export interface ReplayInfo {
  type: 'asciicast' | 'guacamole' | 'json' | 'mp4'
  src: string
  user: string
  asset: string
  account: string
  date_start: string
  date_end: string | null
  download_url: string
}

/** The first response of a replay or another slow view: not available yet, or available and wrapped. */
export interface Running<T> {
  status: 'running' | 'ok' | 'error'
  error?: string
  resp?: { data: T; status: number }
}

export interface Page<T> {
  count: number
  next: string | null
  results: T[]
}

export interface LunaPreference {
  basic: { is_async_asset_tree: boolean }
  command_line: {
    character_terminal_font_size: number
    is_backspace_as_ctrl_h: boolean
    is_right_click_quickly_paste: boolean
  }
}

export interface KokoPreference {
  basic: { file_name_conflict_resolution: 'replace' | 'suffix'; terminal_theme_name: string }
}
