/**
 * What is on the wire, by the declarations of the server: rows in answers, and bodies that create a row or change one
 * (a change by PATCH sends some of the fields). Type aliases, since an interface has no index signature: the console
 * takes them for rows with any fields. Written by `npm run wire-types`; a test compares it with the declarations.
 */

/** One of several values, with its name in the caller's language. */
export type Choice<V = string> = {
  value: V
  label: string
}

export type AccountsAccountBackupPlanExecutionsRow = {
  id: string
  date_start: string | null
  timedelta: number
  snapshot: unknown
  trigger: Choice<'manual' | 'timing'>
  reason: string
  is_success: boolean
  org_id: string
  plan: unknown
}

export type AccountsAccountBackupPlansRow = {
  created_by: string | null
  periodic_display: unknown
  executed_amount: unknown
  id: string
  name: string
  interval: number | null
  crontab: string | null
  comment: string
  types: unknown
  recipients_part_one: { id: string; name: string }[]
  recipients_part_two: { id: string; name: string }[]
  backup_type: Choice<'email' | 'object_storage'>
  obj_recipients_part_one: { id: string; name: string }[]
  obj_recipients_part_two: { id: string; name: string }[]
  org_id: string
  org_name: string
  is_periodic: boolean
  is_password_divided_by_email: boolean
  is_password_divided_by_obj_storage: boolean
  date_created: string
  date_updated: string
}

export type AccountsAccountBackupPlansBody = {
  id?: string
  name: string
  is_periodic?: boolean
  interval?: number | null
  crontab?: string | null
  comment?: string
  types?: unknown
  recipients_part_one?: (string | number | { id: string | number } | { pk: string | number })[]
  recipients_part_two?: (string | number | { id: string | number } | { pk: string | number })[]
  backup_type?: 'email' | 'object_storage' | { value: 'email' | 'object_storage' }
  obj_recipients_part_one?: (string | number | { id: string | number } | { pk: string | number })[]
  obj_recipients_part_two?: (string | number | { id: string | number } | { pk: string | number })[]
  zip_encrypt_password?: string | null
  is_password_divided_by_email?: boolean
  is_password_divided_by_obj_storage?: boolean
}

export type AccountsAccountSecretsRow = {
  id: string
  name: string | null
  username: string
  secret_type: Choice<'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key'>
  secret: string | null
  spec_info: unknown
  created_by: string | null
  comment: string
  su_from: { id: string; name: string | null; username: string } | null
  asset: unknown
  version: number
  source: Choice<'local' | 'collected' | 'template'> | null
  source_id: string | null
  connectivity: Choice<'-' | 'ok' | 'err'>
  org_id: string
  org_name: string
  privileged: boolean
  is_active: boolean
  has_secret?: boolean
  date_created: string
  date_updated: string
}

export type AccountsAccountTemplateSecretsRow = {
  id: string
  name: string
  username: string
  secret_type: Choice<'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key'>
  secret: string | null
  spec_info: unknown
  created_by: string | null
  comment: string
  secret_strategy: Choice<'specific' | 'random'>
  password_rules: unknown
  push_params: unknown
  platforms: { id: number; name: string }[]
  su_from: { id: string; name: string; username: string } | null
  org_id: string
  org_name: string
  privileged: boolean
  is_active: boolean
  auto_push: boolean
  date_created: string
  date_updated: string
}

export type AccountsAccountTemplatesRow = {
  id: string
  name: string
  username: string
  secret_type: Choice<'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key'>
  spec_info: unknown
  created_by: string | null
  comment: string
  secret_strategy: Choice<'specific' | 'random'>
  password_rules: unknown
  push_params: unknown
  platforms: { id: number; name: string }[]
  su_from: { id: string; name: string; username: string } | null
  org_id: string
  org_name: string
  privileged: boolean
  is_active: boolean
  auto_push: boolean
  date_created: string
  date_updated: string
}

export type AccountsAccountTemplatesBody = {
  id?: string
  name: string
  username?: string
  secret_type?: 'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key' | { value: 'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key' }
  secret?: string | null
  passphrase?: string | null
  secret_strategy?: 'specific' | 'random' | { value: 'specific' | 'random' }
  password_rules?: unknown
  su_from?: string | number | { id: string | number } | { pk: string | number } | null
  push_params?: unknown
  platforms?: (string | number | { id: string | number } | { pk: string | number })[]
  comment?: string
  privileged?: boolean
  is_active?: boolean
  auto_push?: boolean
}

export type AccountsAccountsRow = {
  id: string
  name: string | null
  username: string
  secret_type: Choice<'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key'>
  spec_info: unknown
  created_by: string | null
  comment: string
  su_from: { id: string; name: string | null; username: string } | null
  asset: unknown
  version: number
  source: Choice<'local' | 'collected' | 'template'> | null
  source_id: string | null
  connectivity: Choice<'-' | 'ok' | 'err'>
  org_id: string
  org_name: string
  privileged: boolean
  is_active: boolean
  has_secret?: boolean
  date_created: string
  date_updated: string
}

export type AccountsAccountsBody = {
  id?: string
  name?: string | null
  username: string
  secret_type?: 'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key' | { value: 'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key' }
  secret?: string | null
  passphrase?: string | null
  comment?: string
  su_from?: string | number | { id: string | number } | { pk: string | number } | null
  asset: unknown
  version?: number
  source?: 'local' | 'collected' | 'template' | { value: 'local' | 'collected' | 'template' } | null
  source_id?: string | null
  template?: unknown
  params?: unknown
  on_invalid?: 'skip' | 'update' | 'error' | { value: 'skip' | 'update' | 'error' } | null
  privileged?: boolean
  is_active?: boolean
  push_now?: boolean
}

export type AccountsChangeSecretAutomationsRow = {
  created_by: string | null
  periodic_display: unknown
  executed_amount: unknown
  id: string
  name: string
  interval: number | null
  crontab: string | null
  comment: string
  type: string
  accounts: unknown
  nodes: unknown[]
  assets: { id: string; name: string }[]
  secret_type: Choice<'password' | 'ssh_key'>
  secret_strategy: Choice<'specific' | 'random'>
  password_rules: unknown
  ssh_key_change_strategy: Choice<'add' | 'set' | 'set_jms'>
  recipients: { id: string; name: string }[]
  params: unknown
  org_id: string
  org_name: string
  is_periodic: boolean
  is_active: boolean
  date_created: string
  date_updated: string
}

export type AccountsChangeSecretAutomationsBody = {
  id?: string
  name: string
  is_periodic?: boolean
  interval?: number | null
  crontab?: string | null
  accounts: unknown
  nodes?: (string | number | { id: string | number } | { pk: string | number })[]
  assets?: (string | number | { id: string | number } | { pk: string | number })[]
  comment?: string
  is_active?: boolean
  secret_type: 'password' | 'ssh_key' | { value: 'password' | 'ssh_key' }
  secret_strategy: 'specific' | 'random' | { value: 'specific' | 'random' }
  secret?: string | null
  password_rules?: unknown
  ssh_key_change_strategy?: 'add' | 'set' | 'set_jms' | { value: 'add' | 'set' | 'set_jms' }
  passphrase?: string | null
  recipients?: (string | number | { id: string | number } | { pk: string | number })[]
  params?: unknown
}

export type AccountsChangeSecretExecutionsRow = {
  id: string
  automation: unknown
  trigger: Choice<'manual' | 'timing'>
  date_start: string | null
  date_finished: string | null
  snapshot: unknown
  status: string
  summary: unknown
  created_by: string | null
}

export type AccountsChangeSecretRecordsRow = {
  id: string
  asset: { id: string; name: string } | null
  account: { id: string; name: string | null } | null
  date_finished: string | null
  status: string
  is_success: unknown
  error: string | null
  execution: unknown
  in_doubt: boolean
  error_code: string | null
  date_created: string
}

export type AccountsGatherAccountAutomationsRow = {
  created_by: string | null
  periodic_display: unknown
  executed_amount: unknown
  id: string
  name: string
  interval: number | null
  crontab: string | null
  comment: string
  type: string
  accounts: unknown
  nodes: unknown[]
  assets: { id: string; name: string }[]
  recipients: { id: string; name: string }[]
  org_id: string
  org_name: string
  is_periodic: boolean
  is_active: boolean
  is_sync_account: boolean
  date_created: string
  date_updated: string
}

export type AccountsGatherAccountAutomationsBody = {
  id?: string
  name: string
  is_periodic?: boolean
  interval?: number | null
  crontab?: string | null
  accounts?: unknown
  nodes?: (string | number | { id: string | number } | { pk: string | number })[]
  assets?: (string | number | { id: string | number } | { pk: string | number })[]
  comment?: string
  is_active?: boolean
  is_sync_account?: boolean
  recipients?: (string | number | { id: string | number } | { pk: string | number })[]
}

export type AccountsGatherAccountExecutionsRow = {
  id: string
  automation: unknown
  trigger: Choice<'manual' | 'timing'>
  date_start: string | null
  date_finished: string | null
  snapshot: unknown
  status: string
  summary: unknown
  created_by: string | null
}

export type AccountsGatheredAccountsRow = {
  id: string
  asset: unknown
  username: string
  address_last_login: string
  org_id: string
  org_name: string
  present: boolean
  date_updated: string
  date_last_login: string | null
}

export type AccountsGatheredAccountsBody = {
  id?: string
  asset: unknown
  username: string
  address_last_login?: string
  present?: boolean
  date_last_login?: string | null
}

export type AccountsPushAccountAutomationsRow = {
  created_by: string | null
  periodic_display: unknown
  executed_amount: unknown
  id: string
  name: string
  interval: number | null
  crontab: string | null
  comment: string
  type: string
  accounts: unknown
  nodes: unknown[]
  assets: { id: string; name: string }[]
  secret_type: Choice<'password' | 'ssh_key'>
  secret_strategy: Choice<'specific' | 'random'>
  password_rules: unknown
  ssh_key_change_strategy: Choice<'add' | 'set' | 'set_jms'>
  params: unknown
  org_id: string
  org_name: string
  is_periodic: boolean
  is_active: boolean
  date_created: string
  date_updated: string
}

export type AccountsPushAccountAutomationsBody = {
  id?: string
  name: string
  is_periodic?: boolean
  interval?: number | null
  crontab?: string | null
  accounts: unknown
  nodes?: (string | number | { id: string | number } | { pk: string | number })[]
  assets?: (string | number | { id: string | number } | { pk: string | number })[]
  comment?: string
  is_active?: boolean
  secret_type: 'password' | 'ssh_key' | { value: 'password' | 'ssh_key' }
  secret_strategy: 'specific' | 'random' | { value: 'specific' | 'random' }
  secret?: string | null
  password_rules?: unknown
  ssh_key_change_strategy?: 'add' | 'set' | 'set_jms' | { value: 'add' | 'set' | 'set_jms' }
  passphrase?: string | null
  params?: unknown
}

export type AccountsPushAccountExecutionsRow = {
  id: string
  automation: unknown
  trigger: Choice<'manual' | 'timing'>
  date_start: string | null
  date_finished: string | null
  snapshot: unknown
  status: string
  summary: unknown
  created_by: string | null
}

export type AccountsPushAccountRecordsRow = {
  id: string
  asset: { id: string; name: string } | null
  account: { id: string; name: string | null } | null
  date_finished: string | null
  status: string
  is_success: unknown
  error: string | null
  execution: unknown
  in_doubt: boolean
  error_code: string | null
  date_created: string
}

export type AccountsVirtualAccountsRow = {
  id: string
  alias: '@INPUT' | '@USER' | '@ANON'
  username: unknown
  name: unknown
  secret_from_login: boolean | null
  date_created: string
  date_updated: string
  comment: unknown
}

export type AccountsVirtualAccountsBody = {
  id?: string
  alias?: '@INPUT' | '@USER' | '@ANON' | { value: '@INPUT' | '@USER' | '@ANON' }
  secret_from_login?: boolean | null
}

export type AclsCommandFilterAclsRow = {
  id: string
  name: string
  priority: number
  action: Choice<'reject' | 'accept' | 'review' | 'warning'>
  comment: string
  created_by: string | null
  org_id: string
  reviewers: { id: string; name: string }[]
  users: unknown
  assets: unknown
  accounts: unknown
  command_groups: { id: string; name: string }[]
  org_name: string
  is_active: boolean
  date_created: string
  date_updated: string
}

export type AclsCommandFilterAclsBody = {
  id?: string
  name: string
  priority?: number
  action?: 'reject' | 'accept' | 'review' | 'warning' | { value: 'reject' | 'accept' | 'review' | 'warning' }
  comment?: string
  reviewers?: (string | number | { id: string | number } | { pk: string | number })[]
  users: unknown
  assets: unknown
  accounts: unknown
  command_groups?: (string | number | { id: string | number } | { pk: string | number })[]
  is_active?: boolean
}

export type AclsCommandGroupsRow = {
  id: string
  name: string
  type: Choice<'command' | 'regex'>
  content: string
  comment: string
  org_id: string
  org_name: string
  ignore_case: boolean
}

export type AclsCommandGroupsBody = {
  id?: string
  name: string
  type?: 'command' | 'regex' | { value: 'command' | 'regex' }
  content: string
  comment?: string
  ignore_case?: boolean
}

export type AclsConnectMethodAclsRow = {
  id: string
  name: string
  priority: number
  action: Choice<'reject'>
  comment: string
  created_by: string | null
  org_id: unknown
  reviewers: { id: string; name: string }[]
  users: unknown
  connect_methods: unknown
  org_name?: unknown
  is_active: boolean
  date_created: string
  date_updated: string
}

export type AclsConnectMethodAclsBody = {
  id?: string
  name: string
  priority?: number
  action?: 'reject' | { value: 'reject' }
  comment?: string
  reviewers?: (string | number | { id: string | number } | { pk: string | number })[]
  users: unknown
  connect_methods?: unknown
  is_active?: boolean
}

export type AclsLoginAclsRow = {
  id: string
  name: string
  priority: number
  action: Choice<'reject' | 'accept' | 'review' | 'notice'>
  comment: string
  created_by: string | null
  org_id: unknown
  reviewers: { id: string; name: string }[]
  users: unknown
  rules: unknown
  org_name?: unknown
  is_active: boolean
  date_created: string
  date_updated: string
}

export type AclsLoginAclsBody = {
  id?: string
  name: string
  priority?: number
  action?: 'reject' | 'accept' | 'review' | 'notice' | { value: 'reject' | 'accept' | 'review' | 'notice' }
  comment?: string
  reviewers?: (string | number | { id: string | number } | { pk: string | number })[]
  users: unknown
  rules: unknown
  is_active?: boolean
}

export type AclsLoginAssetAclsRow = {
  id: string
  name: string
  priority: number
  action: Choice<'reject' | 'accept' | 'review' | 'notice'>
  comment: string
  created_by: string | null
  org_id: string
  reviewers: { id: string; name: string }[]
  users: unknown
  assets: unknown
  accounts: unknown
  rules: unknown
  org_name: string
  is_active: boolean
  date_created: string
  date_updated: string
}

export type AclsLoginAssetAclsBody = {
  id?: string
  name: string
  priority?: number
  action?: 'reject' | 'accept' | 'review' | 'notice' | { value: 'reject' | 'accept' | 'review' | 'notice' }
  comment?: string
  reviewers?: (string | number | { id: string | number } | { pk: string | number })[]
  users: unknown
  assets: unknown
  accounts: unknown
  rules: unknown
  is_active?: boolean
}

export type AssetsAssetsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsAssetsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
}

export type AssetsCloudsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsCloudsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
}

export type AssetsCustomsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  custom_info: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsCustomsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
  custom_info?: unknown
}

export type AssetsDatabasesRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  db_name: string
  ca_cert: string
  client_cert: string
  client_key: string | null
  org_id: string
  org_name: string
  is_active: boolean
  use_ssl: boolean
  allow_invalid_cert: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsDatabasesBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
  db_name?: string
  use_ssl?: boolean
  ca_cert?: string
  client_cert?: string
  client_key?: string | null
  allow_invalid_cert?: boolean
}

export type AssetsDevicesRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsDevicesBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
}

export type AssetsDomainsRow = {
  id: string
  name: string
  comment: string
  assets: { id: string; name: string }[]
  gateways: unknown[]
  org_id: string
  org_name: string
  date_created: string
}

export type AssetsDomainsBody = {
  id?: string
  name: string
  comment?: string
  assets?: (string | number | { id: string | number } | { pk: string | number })[]
}

export type AssetsFavoriteAssetsRow = {
  asset: unknown
}

export type AssetsFavoriteAssetsBody = {
  asset: unknown
}

export type AssetsGatewaysRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsGatewaysBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
}

export type AssetsGptsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  proxy: string
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsGptsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
  proxy?: string
}

export type AssetsHostKeysRow = {
  id: string
  asset: { id: string; name: string; address: string }
  port: number
  algorithm: string
  fingerprint: string
  public_key: string
  offered_fingerprint: string
  offered_algorithm: string
  org_id: string
  org_name: string
  changed: boolean
  date_created: string
  date_updated: string
}

export type AssetsHostsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsHostsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
}

export type AssetsLabelsRow = {
  id: string
  name: string
  value: string
  category: Choice<'S' | 'U'>
  comment: string
  asset_count: unknown
  assets: { id: string; name: string }[]
  org_id: string
  org_name: string
  is_active: boolean
  date_created: string
}

export type AssetsLabelsBody = {
  id?: string
  name: string
  value: string
  comment?: string
  assets?: (string | number | { id: string | number } | { pk: string | number })[]
  is_active?: boolean
}

export type AssetsNodesRow = {
  id: string
  key: string
  value: string
  org_id: string
  name: unknown
  full_value: string
  org_name: string
}

export type AssetsNodesBody = {
  id?: string
  value?: string
  full_value?: string
}

export type AssetsPlatformsRow = {
  id: number
  name: string
  internal: boolean
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  charset: Choice<'utf-8' | 'gbk'>
  protocols: unknown
  domain_enabled: boolean
  su_enabled: boolean
  su_method: Choice<'sudo' | 'su' | 'enable' | 'super' | 'super_level'> | null
  automation: unknown
  comment: string
  custom_fields: unknown
  date_created: string
  date_updated: string
  created_by: string | null
  updated_by: string | null
}

export type AssetsPlatformsBody = {
  id?: number
  name: string
  category: 'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom' | { value: 'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom' }
  type: string | { value: string }
  new_type?: boolean
  charset?: 'utf-8' | 'gbk' | { value: 'utf-8' | 'gbk' }
  protocols?: unknown
  domain_enabled?: boolean
  su_enabled?: boolean
  su_method?: 'sudo' | 'su' | 'enable' | 'super' | 'super_level' | { value: 'sudo' | 'su' | 'enable' | 'super' | 'super_level' } | null
  automation?: unknown
  comment?: string
  custom_fields?: unknown
}

export type AssetsProtocolSettingsRow = {
  id: number
  name: string
  port: number
  port_from_addr: boolean
  primary: boolean
  required: boolean
  default: boolean
  public: boolean
  secret_types: unknown
  setting: unknown
}

export type AssetsProtocolSettingsBody = {
  name: string
  port: number
  primary?: boolean
  required?: boolean
  default?: boolean
  public?: boolean
  setting?: unknown
}

export type AssetsWebsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  autofill: Choice<'no' | 'basic' | 'script'>
  username_selector: string
  password_selector: string
  submit_selector: string
  script: unknown
  org_id: string
  org_name: string
  is_active: boolean
  date_verified: string | null
  date_created: string
}

export type AssetsWebsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
  autofill?: 'no' | 'basic' | 'script' | { value: 'no' | 'basic' | 'script' }
  username_selector?: string
  password_selector?: string
  submit_selector?: string
  script?: unknown
}

export type AuditsFtpLogsRow = {
  id: string
  user: string
  remote_addr: string | null
  asset: string
  account: string
  org_id: string | null
  org_name: string
  operate: Choice<'mkdir' | 'rmdir' | 'delete' | 'upload' | 'rename' | 'symlink' | 'download' | 'rename_dir'>
  filename: string
  date_start: string
  is_success: boolean
  has_file: boolean
}

export type AuditsFtpLogsBody = {
  id?: string
  user: string
  remote_addr?: string | null
  asset: string
  account: string
  org_id?: string | null
  operate: 'mkdir' | 'rmdir' | 'delete' | 'upload' | 'rename' | 'symlink' | 'download' | 'rename_dir' | { value: 'mkdir' | 'rmdir' | 'delete' | 'upload' | 'rename' | 'symlink' | 'download' | 'rename_dir' }
  filename: string
  is_success?: boolean
  has_file?: boolean
  session?: string | null
}

export type AuditsJobLogsRow = {
  id: string
  material: unknown
  time_cost: number
  is_finished: boolean
  is_success: boolean
  task_id: string
  creator_name: unknown
  org_id: string
  org_name: string
  date_start: string | null
  date_finished: string | null
  date_created: string
}

export type AuditsLoginLogsRow = {
  id: string
  username: string
  type: Choice<'W' | 'T' | 'U'>
  ip: string
  city: string | null
  user_agent: string | null
  mfa: Choice<0 | 1 | 2>
  reason: string
  reason_display: unknown
  backend: string
  backend_display: unknown
  status: Choice
  datetime: string
}

export type AuditsMyLoginLogsRow = {
  id: string
  username: string
  type: Choice<'W' | 'T' | 'U'>
  ip: string
  city: string | null
  user_agent: string | null
  mfa: Choice<0 | 1 | 2>
  reason: string
  reason_display: unknown
  backend: string
  backend_display: unknown
  status: Choice
  datetime: string
}

export type AuditsOperateLogsRow = {
  id: string
  user: string
  action: Choice<'view' | 'update' | 'delete' | 'create' | 'download' | 'connect' | 'login' | 'change_password' | 'accept' | 'review' | 'notice' | 'reject' | 'approve' | 'close'>
  resource_type: unknown
  resource: unknown
  remote_addr: string | null
  org_id: string
  org_name: string
  datetime: string
}

export type AuditsPasswordChangeLogsRow = {
  id: string
  user: string
  change_by: string
  remote_addr: string | null
  datetime: string
}

export type AuthenticationAccessKeysRow = {
  id: string
  is_active: boolean
  date_created: string
  date_last_used: string | null
  ip_group: unknown
  secret?: string
}

export type AuthenticationAccessKeysBody = {
  ip_group?: unknown
  is_active?: boolean
}

export type AuthenticationConnectionTokenRow = {
  id: string
  value: string | null
  user: { id: string; name: string }
  asset: { id: string; name: string } | null
  account: string
  input_username: string
  connect_method: string
  connect_options: unknown
  protocol: string
  actions: Choice[]
  from_ticket: unknown
  from_ticket_info: unknown
  created_by: string | null
  updated_by: string | null
  org_id: string
  org_name: unknown
  expire_time: number
  is_expired: unknown
  user_display: string
  asset_display: string
  is_active: boolean
  is_reusable: boolean
  date_expired: string
  date_created: string
  date_updated: string
}

export type AuthenticationPasskeysRow = {
  id: string
  name: string
  is_active: boolean
  platform: string
  created_by: string | null
  date_last_used: string | null
  date_created: string
}

export type AuthenticationPasskeysBody = {
  is_active?: boolean
}

export type AuthenticationSuperConnectionTokenRow = {
  id: string
  value: string | null
  user: { id: string; name: string }
  asset: { id: string; name: string } | null
  account: string
  input_username: string
  connect_method: string
  connect_options: unknown
  protocol: string
  actions: Choice[]
  from_ticket: unknown
  from_ticket_info: unknown
  created_by: string | null
  updated_by: string | null
  org_id: string
  org_name: unknown
  expire_time: number
  is_expired: unknown
  user_display: string
  asset_display: string
  is_active: boolean
  is_reusable: boolean
  date_expired: string
  date_created: string
  date_updated: string
}

export type AuthenticationTempTokensRow = {
  id: string
  username: string
  secret?: string
  verified: boolean
  is_valid: boolean
  date_created: string
  date_updated: string
  date_verified: string | null
  date_expired: string
}

export type NotificationsSiteMessagesRow = {
  id: string
  has_read: unknown
  read_at: unknown
  content: unknown
  date_created: string
}

export type OpsAdhocsRow = {
  id: string
  name: string
  module: Choice<'shell' | 'win_shell' | 'python' | 'mysql' | 'mariadb' | 'postgresql' | 'sqlserver' | 'oracle' | 'raw'>
  args: string
  comment: string | null
  creator: unknown
  org_id: string
  org_name: string
  date_created: string
  date_updated: string
}

export type OpsAdhocsBody = {
  id?: string
  name: string
  module?: 'shell' | 'win_shell' | 'python' | 'mysql' | 'mariadb' | 'postgresql' | 'sqlserver' | 'oracle' | 'raw' | { value: 'shell' | 'win_shell' | 'python' | 'mysql' | 'mariadb' | 'postgresql' | 'sqlserver' | 'oracle' | 'raw' }
  args?: string
  comment?: string | null
}

export type OpsJobExecutionsRow = {
  id: string
  task_id: string
  timedelta: string
  time_cost: number
  is_finished: boolean
  is_success: boolean
  job_type: unknown
  summary: unknown
  material: unknown
  job: { id: string; name: string } | null
  parameters: unknown
  creator: unknown
  org_id: string
  org_name: string
  date_start: string | null
  date_finished: string | null
  date_created: string
}

export type OpsJobsRow = {
  id: string
  average_time_cost: unknown
  name: string
  type: Choice<'adhoc' | 'playbook'>
  module: Choice<'shell' | 'win_shell' | 'python' | 'mysql' | 'postgresql' | 'sqlserver' | 'raw'> | null
  args: string | null
  playbook: { id: string; name: string } | null
  assets: unknown
  runas_policy: Choice<'privileged_only' | 'privileged_first' | 'skip'>
  runas: string
  parameters_define: unknown
  timeout: number
  chdir: string | null
  comment: string | null
  summary: unknown
  interval: number | null
  crontab: string | null
  creator: unknown
  org_id: string
  org_name: string
  instant: boolean
  use_parameter_define: boolean
  is_periodic: boolean
  run_after_save: boolean
  date_last_run: string | null
  date_created: string
  date_updated: string
}

export type OpsJobsBody = {
  name?: string
  instant?: boolean
  type?: 'adhoc' | 'playbook' | { value: 'adhoc' | 'playbook' }
  module?: 'shell' | 'win_shell' | 'python' | 'mysql' | 'postgresql' | 'sqlserver' | 'raw' | { value: 'shell' | 'win_shell' | 'python' | 'mysql' | 'postgresql' | 'sqlserver' | 'raw' } | null
  args?: string | null
  playbook?: string | number | { id: string | number } | { pk: string | number } | null
  assets?: unknown
  nodes?: unknown
  runas_policy?: 'privileged_only' | 'privileged_first' | 'skip' | { value: 'privileged_only' | 'privileged_first' | 'skip' }
  runas?: string
  use_parameter_define?: boolean
  parameters_define?: unknown
  timeout?: number
  chdir?: string | null
  comment?: string | null
  is_periodic?: boolean
  interval?: number | null
  crontab?: string | null
  run_after_save?: boolean
}

export type OpsPlaybooksRow = {
  id: string
  path: unknown
  name: string
  comment: string | null
  create_method: Choice<'blank' | 'vcs'>
  vcs_url: string | null
  creator: unknown
  org_id: string
  org_name: string
  date_created: string
  date_updated: string
}

export type OpsPlaybooksBody = {
  path?: unknown
  name: string
  comment?: string | null
  create_method?: 'blank' | 'vcs' | { value: 'blank' | 'vcs' }
  vcs_url?: string | null
}

export type OrgsOrgsRow = {
  id: string
  name: string
  resource_statistics: unknown
  is_default: unknown
  is_root: unknown
  internal: unknown
  date_created: string
  created_by: string | null
  comment: string
}

export type OrgsOrgsBody = {
  id?: string
  name: string
  comment?: string
}

export type PermsAssetPermissionsAssetsRelationsRow = {
  id: number
  asset: unknown
  asset_display: unknown
  assetpermission: unknown
  assetpermission_display: unknown
}

export type PermsAssetPermissionsAssetsRelationsBody = {
  asset: unknown
  assetpermission: unknown
}

export type PermsAssetPermissionsNodesRelationsRow = {
  id: number
  node: unknown
  node_display: string
  assetpermission: unknown
  assetpermission_display: unknown
}

export type PermsAssetPermissionsNodesRelationsBody = {
  node: unknown
  assetpermission: unknown
}

export type PermsAssetPermissionsUserGroupsRelationsRow = {
  id: number
  usergroup: unknown
  usergroup_display: unknown
  assetpermission: unknown
  assetpermission_display: unknown
}

export type PermsAssetPermissionsUserGroupsRelationsBody = {
  usergroup: unknown
  assetpermission: unknown
}

export type PermsAssetPermissionsUsersRelationsRow = {
  id: number
  user: unknown
  user_display: unknown
  assetpermission: unknown
  assetpermission_display: unknown
}

export type PermsAssetPermissionsUsersRelationsBody = {
  user: unknown
  assetpermission: unknown
}

export type PermsAssetPermissionsRow = {
  id: string
  name: string
  users: { id: string; name: string }[]
  user_groups: { id: string; name: string }[]
  assets: { id: string; name: string }[]
  nodes: unknown[]
  accounts: unknown
  protocols: unknown
  actions: Choice[]
  created_by: string | null
  comment: string
  org_id: string
  org_name: string
  is_active: boolean
  is_expired: boolean
  is_valid: boolean
  from_ticket: boolean
  date_created: string
  date_start: string
  date_expired: string
}

export type PermsAssetPermissionsBody = {
  id?: string
  name: string
  users?: (string | number | { id: string | number } | { pk: string | number })[]
  user_groups?: (string | number | { id: string | number } | { pk: string | number })[]
  assets?: (string | number | { id: string | number } | { pk: string | number })[]
  nodes?: (string | number | { id: string | number } | { pk: string | number })[]
  accounts?: unknown
  protocols?: unknown
  actions?: string[]
  comment?: string
  is_active?: boolean
  date_start?: string
  date_expired?: string
}

export type RbacOrgRoleBindingsRow = {
  id: string
  user: { id: string; name: string; username: string }
  role: unknown
  scope: 'system' | 'org'
  org: unknown
  org_name: unknown
}

export type RbacOrgRoleBindingsBody = {
  id?: string
  user?: string | number | { id: string | number } | { pk: string | number }
  role: unknown
}

export type RbacOrgRolesRow = {
  id: string
  name: string
  display_name: string
  scope: Choice<'system' | 'org'>
  users_amount: number
  builtin: boolean
  date_created: string
  date_updated: string
  created_by: string | null
  updated_by: string | null
  comment: string
}

export type RbacOrgRolesBody = {
  id?: string
  name: string
  scope: 'system' | 'org' | { value: 'system' | 'org' }
  comment?: string
  permissions?: unknown
}

export type RbacRoleBindingsRow = {
  id: string
  user: { id: string; name: string; username: string }
  role: unknown
  scope: 'system' | 'org'
  org: unknown
  org_name: unknown
}

export type RbacRoleBindingsBody = {
  id?: string
  user?: string | number | { id: string | number } | { pk: string | number }
  role: unknown
  org: unknown
}

export type RbacRolesRow = {
  id: string
  name: string
  display_name: string
  scope: Choice<'system' | 'org'>
  users_amount: number
  builtin: boolean
  date_created: string
  date_updated: string
  created_by: string | null
  updated_by: string | null
  comment: string
}

export type RbacRolesBody = {
  id?: string
  name: string
  scope: 'system' | 'org' | { value: 'system' | 'org' }
  comment?: string
  permissions?: unknown
}

export type RbacSystemRoleBindingsRow = {
  role: unknown
  user: { id: string; name: string; username: string }
  id: string
  org_name: unknown
  scope: 'system' | 'org'
}

export type RbacSystemRoleBindingsBody = {
  id?: string
  user?: string | number | { id: string | number } | { pk: string | number }
  role: unknown
}

export type RbacSystemRolesRow = {
  id: string
  name: string
  display_name: string
  scope: Choice<'system' | 'org'>
  users_amount: number
  builtin: boolean
  date_created: string
  date_updated: string
  created_by: string | null
  updated_by: string | null
  comment: string
}

export type RbacSystemRolesBody = {
  id?: string
  name: string
  scope: 'system' | 'org' | { value: 'system' | 'org' }
  comment?: string
  permissions?: unknown
}

export type TerminalAppletHostDeploymentsRow = {
  id: string
  host: unknown
  status: Choice<'ready' | 'pending' | 'running' | 'success' | 'failed' | 'error' | 'canceled'>
  task: string | null
  comment: string
  date_created: string
  date_updated: string
  date_start: string | null
  date_finished: string | null
}

export type TerminalAppletHostDeploymentsBody = {
  id?: string
  comment?: string
}

export type TerminalAppletHostsRow = {
  id: string
  name: string
  address: string
  comment: string
  domain: { id: string; name: string } | null
  platform: { id: number; name: string }
  nodes: unknown[] | null
  labels: unknown
  protocols: unknown
  nodes_display: unknown
  accounts?: unknown
  category: Choice<'host' | 'device' | 'database' | 'cloud' | 'web' | 'gpt' | 'custom'>
  type: Choice
  connectivity: Choice<'-' | 'ok' | 'err'>
  auto_config: unknown
  created_by: string | null
  gathered_info: unknown
  spec_info: unknown
  accounts_create_amount: number
  load: Choice
  deploy_options: unknown
  org_id: string
  org_name: string
  is_active: boolean
  auto_create_accounts: boolean
  using_same_account: boolean
  date_verified: string | null
  date_created: string
  date_synced: string | null
}

export type TerminalAppletHostsBody = {
  id?: string
  name: string
  address: string
  comment?: string
  domain?: string | number | { id: string | number } | { pk: string | number } | null
  platform?: string | number | { id: string | number } | { pk: string | number }
  nodes?: (string | number | { id: string | number } | { pk: string | number })[] | null
  labels?: unknown
  protocols?: unknown
  nodes_display?: unknown
  accounts?: unknown
  is_active?: boolean
  auto_create_accounts?: boolean
  accounts_create_amount?: number
  using_same_account?: boolean
  deploy_options?: unknown
}

export type TerminalAppletPublicationsRow = {
  id: string
  applet: unknown
  host: { id: string; name: string }
  status: Choice<'pending' | 'success' | 'failed' | 'mismatch'>
  comment: string
  date_created: string
  date_updated: string
}

export type TerminalAppletPublicationsBody = {
  id?: string
  applet: string | number | { id: string | number } | { pk: string | number }
  host: string | number | { id: string | number } | { pk: string | number }
  status?: 'pending' | 'success' | 'failed' | 'mismatch' | { value: 'pending' | 'success' | 'failed' | 'mismatch' }
  comment?: string
}

export type TerminalAppletsRow = {
  id: string
  name: string
  display_name: string
  is_active: boolean
  version: string
  author: string
  type: Choice<'general' | 'web'>
  edition: Choice<'community' | 'enterprise'>
  can_concurrent: boolean
  protocols: unknown
  tags: unknown
  comment: string
  icon: unknown
  readme: unknown
  date_created: string
  date_updated: string
}

export type TerminalAppletsBody = {
  id?: string
  name: string
  display_name: string
  is_active?: boolean
  version: string
  author: string
  type: 'general' | 'web' | { value: 'general' | 'web' }
  edition?: 'community' | 'enterprise' | { value: 'community' | 'enterprise' }
  can_concurrent?: boolean
  protocols?: unknown
  tags?: unknown
  comment?: string
}

export type TerminalCommandStoragesRow = {
  id: string
  name: string
  type: Choice<'null' | 'server' | 'es'>
  meta: unknown
  is_default: boolean
  comment: string
  waiting: number
  problem: string
}

export type TerminalCommandStoragesBody = {
  id?: string
  name: string
  type: 'null' | 'server' | 'es' | { value: 'null' | 'server' | 'es' }
  meta?: unknown
  is_default?: boolean
  comment?: string
}

export type TerminalCommandsRow = {
  user: string
  asset: string
  input: string
  session: string
  risk_level: Choice<0 | 4 | 5 | 6 | 7 | 8>
  org_id: string
  id: string
  account: string
  output: string
  timestamp: number
  timestamp_display: string
  remote_addr: string
}

export type TerminalEndpointRulesRow = {
  id: string
  name: string
  ip_group: unknown
  priority: number
  endpoint: { id: string; name: string } | null
  comment: string
  date_created: string
  date_updated: string
  created_by: string | null
  is_active: boolean
}

export type TerminalEndpointRulesBody = {
  id?: string
  name: string
  ip_group?: unknown
  priority?: number
  endpoint?: string | number | { id: string | number } | { pk: string | number } | null
  comment?: string
  is_active?: boolean
}

export type TerminalEndpointsRow = {
  id: string
  name: string
  host: string
  https_port: number
  http_port: number
  ssh_port: number
  rdp_port: number
  mysql_port: number
  mariadb_port: number
  postgresql_port: number
  redis_port: number
  oracle_port_range: string
  oracle_port: unknown
  comment: string
  date_created: string
  date_updated: string
  created_by: string | null
}

export type TerminalEndpointsBody = {
  id?: string
  name: string
  host?: string
  https_port?: number
  http_port?: number
  ssh_port?: number
  rdp_port?: number
  mysql_port?: number
  mariadb_port?: number
  postgresql_port?: number
  redis_port?: number
  comment?: string
}

export type TerminalMySessionsRow = {
  id: string
  user: string
  asset: string
  user_id: string
  asset_id: string
  account: string
  account_id: string
  protocol: string
  type: Choice<'normal' | 'tunnel' | 'command' | 'sftp'>
  login_from: Choice<'ST' | 'RT' | 'WT' | 'DT'>
  remote_addr: string | null
  comment: string | null
  terminal_display: unknown
  is_locked: unknown
  command_amount: unknown
  error_reason: Choice<'connect_failed' | 'replay_create_failed' | 'replay_upload_failed' | 'replay_convert_failed' | ''>
  terminal: unknown
  org_id: string | null
  org_name: string
  is_success: boolean
  is_finished: boolean
  has_replay: boolean
  has_command: boolean
  can_replay: boolean
  can_join: boolean
  can_terminate: boolean
  date_start: string
  date_end: string | null
}

export type TerminalReplayStoragesRow = {
  id: string
  name: string
  type: Choice<'null' | 'server' | 's3' | 'ceph' | 'swift' | 'oss' | 'azure' | 'obs' | 'cos' | 'sftp'>
  meta: unknown
  is_default: boolean
  comment: string
  waiting: number
  problem: string
}

export type TerminalReplayStoragesBody = {
  id?: string
  name: string
  type: 'null' | 'server' | 's3' | 'ceph' | 'swift' | 'oss' | 'azure' | 'obs' | 'cos' | 'sftp' | { value: 'null' | 'server' | 's3' | 'ceph' | 'swift' | 'oss' | 'azure' | 'obs' | 'cos' | 'sftp' }
  meta?: unknown
  is_default?: boolean
  comment?: string
}

export type TerminalSessionJoinRecordsRow = {
  id: string
  joiner_display: string
  verify_code: string
  remote_addr: string
  login_from: Choice<'ST' | 'RT' | 'WT' | 'DT'>
  reason: string | null
  created_by: string | null
  action_permission: Choice
  session: { id: string }
  sharing: { id: string }
  joiner: { id: string; name: string } | null
  org_id: string
  org_name: string
  is_success: boolean
  is_finished: boolean
  date_joined: string
  date_left: string | null
  date_created: string
  date_updated: string
}

export type TerminalSessionJoinRecordsBody = {
  id?: string
  verify_code: string
  remote_addr: string
  login_from?: 'ST' | 'RT' | 'WT' | 'DT' | { value: 'ST' | 'RT' | 'WT' | 'DT' }
  reason?: string | null
  sharing: string | number | { id: string | number } | { pk: string | number }
  joiner: string | number | { id: string | number } | { pk: string | number } | null
  is_success?: boolean
  is_finished?: boolean
}

export type TerminalSessionSharingsRow = {
  id: string
  verify_code: string
  expired_time: number
  created_by: string | null
  users_display: unknown
  origin: string | null
  url: string
  session: { id: string }
  creator: { id: string; name: string } | null
  org_id: string
  org_name: string
  is_active: boolean
  date_created: string
  date_updated: string
}

export type TerminalSessionSharingsBody = {
  id?: string
  expired_time?: number
  users: unknown
  action_permission?: 'readonly' | 'writable' | { value: 'readonly' | 'writable' }
  origin?: string | null
  session: string | number | { id: string | number } | { pk: string | number }
  creator?: string | number | { id: string | number } | { pk: string | number } | null
  is_active?: boolean
}

export type TerminalSessionsRow = {
  id: string
  user: string
  asset: string
  user_id: string
  asset_id: string
  account: string
  account_id: string
  protocol: string
  type: Choice<'normal' | 'tunnel' | 'command' | 'sftp'>
  login_from: Choice<'ST' | 'RT' | 'WT' | 'DT'>
  remote_addr: string | null
  comment: string | null
  terminal_display: unknown
  is_locked: unknown
  command_amount: number
  error_reason: Choice<'connect_failed' | 'replay_create_failed' | 'replay_upload_failed' | 'replay_convert_failed' | ''>
  terminal: unknown
  gateway: string | null
  org_id: string | null
  org_name: string
  is_success: boolean
  is_finished: boolean
  has_replay: boolean
  has_command: boolean
  can_replay: boolean
  can_join: boolean
  can_terminate: boolean
  date_start: string
  date_end: string | null
}

export type TerminalSessionsBody = {
  id?: string
  user: string
  asset: string
  user_id?: string
  asset_id?: string
  account: string
  account_id: string
  protocol: string
  type?: 'normal' | 'tunnel' | 'command' | 'sftp' | { value: 'normal' | 'tunnel' | 'command' | 'sftp' }
  login_from?: 'ST' | 'RT' | 'WT' | 'DT' | { value: 'ST' | 'RT' | 'WT' | 'DT' }
  remote_addr?: string | null
  comment?: string | null
  error_reason?: 'connect_failed' | 'replay_create_failed' | 'replay_upload_failed' | 'replay_convert_failed' | '' | { value: 'connect_failed' | 'replay_create_failed' | 'replay_upload_failed' | 'replay_convert_failed' | '' }
  gateway?: string | null
  org_id: string | null
  is_success?: boolean
  is_finished?: boolean
  has_replay?: boolean
  has_command?: boolean
  date_start?: string
  date_end?: string | null
}

export type TerminalTasksRow = {
  id: string
  created_by: string | null
  updated_by: string | null
  date_created: string
  date_updated: string
  comment: string
  name: 'kill_session' | 'lock_session' | 'unlock_session'
  args: string
  kwargs: unknown
  is_finished: boolean
  date_finished: string | null
  terminal: unknown
}

export type TerminalTasksBody = {
  id?: string
  comment?: string
  name: 'kill_session' | 'lock_session' | 'unlock_session' | { value: 'kill_session' | 'lock_session' | 'unlock_session' }
  args: string
  kwargs?: unknown
  is_finished?: boolean
  date_finished?: string | null
  terminal?: unknown
}

export type TerminalTerminalsRow = {
  id: string
  name: string
  type: 'koko' | 'guacamole' | 'omnidb' | 'xrdp' | 'lion' | 'core' | 'celery' | 'magnus' | 'razor' | 'tinker' | 'video_worker' | 'chen' | 'kael'
  remote_addr: string
  session_online: unknown
  command_storage: string
  replay_storage: string
  is_active: boolean
  is_alive: boolean
  date_created: string
  comment: string
  load: Choice
  stat: unknown
}

export type TerminalTerminalsBody = {
  id?: string
  name: string
  remote_addr?: string
  command_storage: string
  replay_storage: string
  comment?: string
}

export type TicketsApplyAssetTicketsRow = {
  id: string
  title: string
  org_id: string
  comment: string
  type: Choice<'general' | 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm'>
  apply_nodes: unknown[]
  apply_assets: unknown[]
  apply_accounts: unknown
  apply_actions: Choice[]
  serial_num: string
  process_map: unknown
  approval_step: Choice<1 | 2>
  state: Choice<'pending' | 'closed' | 'reopen' | 'approved' | 'rejected'>
  applicant: string
  status: Choice<'open' | 'closed'>
  org_name: unknown
  rel_snapshot: unknown
  apply_permission_name: string
  apply_date_start: string
  apply_date_expired: string
  date_created: string
  date_updated: string
}

export type TicketsApplyCommandTicketsRow = {
  id: string
  title: string
  org_id: string
  comment: string
  serial_num: string
  process_map: unknown
  approval_step: Choice<1 | 2>
  type: Choice<'general' | 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm'>
  state: Choice<'pending' | 'closed' | 'reopen' | 'approved' | 'rejected'>
  applicant: string
  status: Choice<'open' | 'closed'>
  org_name: unknown
  rel_snapshot: unknown
  apply_run_user: unknown
  apply_run_asset: string
  apply_run_account: string
  apply_run_command: string
  apply_from_session: unknown
  apply_from_cmd_filter_acl: unknown
  date_created: string
  date_updated: string
}

export type TicketsApplyLoginAssetTicketsRow = {
  id: string
  title: string
  org_id: string
  comment: string
  serial_num: string
  process_map: unknown
  approval_step: Choice<1 | 2>
  type: Choice<'general' | 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm'>
  state: Choice<'pending' | 'closed' | 'reopen' | 'approved' | 'rejected'>
  applicant: string
  status: Choice<'open' | 'closed'>
  org_name: unknown
  rel_snapshot: unknown
  apply_login_user: unknown
  apply_login_asset: unknown
  apply_login_account: string
  date_created: string
  date_updated: string
}

export type TicketsApplyLoginTicketsRow = {
  id: string
  title: string
  org_id: string
  comment: string
  serial_num: string
  process_map: unknown
  approval_step: Choice<1 | 2>
  type: Choice<'general' | 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm'>
  state: Choice<'pending' | 'closed' | 'reopen' | 'approved' | 'rejected'>
  applicant: string
  status: Choice<'open' | 'closed'>
  org_name: unknown
  rel_snapshot: unknown
  apply_login_ip: string
  apply_login_city: string
  date_created: string
  date_updated: string
  apply_login_datetime: string
}

export type TicketsFlowsRow = {
  id: string
  type: Choice<'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm'>
  approval_level: Choice<1 | 2>
  created_by: string | null
  org_id: unknown
  org_name: unknown
  rules: unknown
  date_created: string
  date_updated: string
}

export type TicketsFlowsBody = {
  type: 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm' | { value: 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm' }
  approval_level: 1 | 2 | { value: 1 | 2 }
  rules: unknown
}

export type TicketsTicketsRow = {
  id: string
  title: string
  org_id: unknown
  comment: string
  serial_num: string
  process_map: unknown
  approval_step: Choice<1 | 2>
  type: Choice<'general' | 'apply_asset' | 'login_confirm' | 'command_confirm' | 'login_asset_confirm'>
  state: Choice<'pending' | 'closed' | 'reopen' | 'approved' | 'rejected'>
  applicant: { id: string; name: string } | null
  status: Choice<'open' | 'closed'>
  org_name: unknown
  rel_snapshot: unknown
  date_created: string
  date_updated: string
}

export type UsersGroupsRow = {
  id: string
  name: string
  comment: string
  created_by: string | null
  users: { id: string; name: string }[]
  org_id: string
  org_name: string
  date_created: string
}

export type UsersGroupsBody = {
  id?: string
  name: string
  comment?: string
  users?: (string | number | { id: string | number } | { pk: string | number })[]
}

export type UsersUsersGroupsRelationsRow = {
  id: number
  user: unknown
  user_display: string
  usergroup: unknown
  usergroup_display: string
}

export type UsersUsersGroupsRelationsBody = {
  user: unknown
  usergroup: unknown
}

export type UsersUsersRow = {
  id: string
  name: string
  username: string
  email: string
  wechat: string
  phone: unknown
  mfa_level: Choice<0 | 1 | 2>
  source: Choice<'local' | 'ldap' | 'openid' | 'radius' | 'cas' | 'saml2' | 'oauth2' | 'wecom' | 'dingtalk' | 'feishu' | 'custom'>
  wecom_id: string | null
  dingtalk_id: string | null
  feishu_id: string | null
  created_by: string | null
  updated_by: string | null
  comment: string | null
  is_superuser: boolean
  is_org_admin: boolean
  avatar_url: string
  groups: { id: string; name: string }[]
  system_roles?: unknown[]
  org_roles?: unknown[]
  password_strategy: Choice<'email' | 'custom'> | null
  is_service_account: boolean
  is_valid: boolean
  is_expired: boolean
  is_active: boolean
  is_otp_secret_key_bound: boolean
  can_public_key_auth: boolean
  mfa_enabled: boolean
  need_update_password: boolean
  mfa_force_enabled: boolean
  is_first_login: boolean
  login_blocked: boolean
  date_expired: string | null
  date_joined: string
  last_login: string | null
  date_updated: string
  date_api_key_last_used: string | null
  date_password_last_updated: string | null
}

export type UsersUsersBody = {
  id?: string
  name: string
  username: string
  password?: string | null
  public_key?: string | null
  email: string
  wechat?: string
  phone?: unknown
  mfa_level?: 0 | 1 | 2 | { value: 0 | 1 | 2 }
  source?: 'local' | 'ldap' | 'openid' | 'radius' | 'cas' | 'saml2' | 'oauth2' | 'wecom' | 'dingtalk' | 'feishu' | 'custom' | { value: 'local' | 'ldap' | 'openid' | 'radius' | 'cas' | 'saml2' | 'oauth2' | 'wecom' | 'dingtalk' | 'feishu' | 'custom' }
  updated_by?: string | null
  comment?: string | null
  groups?: (string | number | { id: string | number } | { pk: string | number })[]
  system_roles?: (string | number | { id: string | number } | { pk: string | number })[]
  org_roles?: (string | number | { id: string | number } | { pk: string | number })[]
  password_strategy?: 'email' | 'custom' | { value: 'email' | 'custom' } | null
  is_service_account?: boolean
  is_active?: boolean
  need_update_password?: boolean
  date_expired?: string | null
}

export type XpackCloudAccountsRow = {
  id: string
  name: string
  provider: Choice<'aws_international' | 'aws_china' | 'azure_international' | 'azure' | 'gcp' | 'aliyun' | 'qcloud' | 'qcloud_lighthouse' | 'huaweicloud' | 'baiducloud' | 'jdcloud' | 'kingsoftcloud' | 'ucloud' | 'vmware' | 'openstack' | 'nutanix' | 'qingcloud_private' | 'proxmox' | 'k8s' | 'lan'>
  attrs: unknown
  validity_display: string
  provider_display: string
  comment: string
  created_by: string | null
  org_id: string
  org_name: string
  validity: boolean
  date_created: string
  date_updated: string
}

export type XpackCloudAccountsBody = {
  id?: string
  name: string
  provider: 'aws_international' | 'aws_china' | 'azure_international' | 'azure' | 'gcp' | 'aliyun' | 'qcloud' | 'qcloud_lighthouse' | 'huaweicloud' | 'baiducloud' | 'jdcloud' | 'kingsoftcloud' | 'ucloud' | 'vmware' | 'openstack' | 'nutanix' | 'qingcloud_private' | 'proxmox' | 'k8s' | 'lan' | { value: 'aws_international' | 'aws_china' | 'azure_international' | 'azure' | 'gcp' | 'aliyun' | 'qcloud' | 'qcloud_lighthouse' | 'huaweicloud' | 'baiducloud' | 'jdcloud' | 'kingsoftcloud' | 'ucloud' | 'vmware' | 'openstack' | 'nutanix' | 'qingcloud_private' | 'proxmox' | 'k8s' | 'lan' }
  attrs: unknown
  comment?: string
}

export type XpackCloudStrategiesRow = {
  id: string
  name: string
  priority: number
  strategy_rules: unknown
  strategy_actions: unknown
  comment: string
  org_id: string
  org_name: string
  date_created: string
}

export type XpackCloudStrategiesBody = {
  id?: string
  name: string
  priority?: number
  strategy_rules?: unknown
  strategy_actions?: unknown
  comment?: string
}

export type XpackCloudStrategyActionsRow = {
  id: string
  strategy: { id: string; name: string }
  attr: Choice<'platform' | 'node' | 'domain' | 'account_template' | 'label'>
  value: unknown
  protocols: unknown
  org_id: string
  org_name: string
}

export type XpackCloudStrategyActionsBody = {
  id?: string
  strategy: string | number | { id: string | number } | { pk: string | number }
  attr: 'platform' | 'node' | 'domain' | 'account_template' | 'label' | { value: 'platform' | 'node' | 'domain' | 'account_template' | 'label' }
  value: unknown
  protocols?: unknown
}

export type XpackCloudStrategyRulesRow = {
  id: string
  strategy: { id: string; name: string }
  attr: Choice<'instance_name' | 'instance_platform' | 'instance_address'>
  match: Choice<'exact' | 'not' | 'contains' | 'startswith' | 'endswith' | 'regex'>
  value: string
  org_id: string
  org_name: string
}

export type XpackCloudStrategyRulesBody = {
  id?: string
  strategy: string | number | { id: string | number } | { pk: string | number }
  attr: 'instance_name' | 'instance_platform' | 'instance_address' | { value: 'instance_name' | 'instance_platform' | 'instance_address' }
  match: 'exact' | 'not' | 'contains' | 'startswith' | 'endswith' | 'regex' | { value: 'exact' | 'not' | 'contains' | 'startswith' | 'endswith' | 'regex' }
  value: string
}

export type XpackCloudSyncInstanceDetailsRow = {
  id: string
  task: { id: string; name: string }
  instance_id: string
  instance_name: string
  asset: { id: string; name: string } | null
  asset_ip: string
  region: string
  status: 0 | 1 | 2 | 3
  reason: string | null
  org_id: string
  org_name: string
  date_sync: string
}

export type XpackCloudSyncInstanceTaskExecutionsRow = {
  id: string
  task: { id: string; name: string }
  trigger: Choice<'manual' | 'timing'>
  summary: unknown
  status: 0 | 1 | 2 | 3
  reason: string | null
  preview?: unknown
  org_id: string
  org_name: string
  is_preview: boolean
  date_start: string | null
  date_sync: string | null
}

export type XpackCloudSyncInstanceTasksRow = {
  id: string
  name: string
  account: unknown
  regions: unknown
  hostname_strategy: Choice<'instance_name' | 'instance_name_partial_ip'>
  ip_network_segment_group: unknown
  sync_ip_type: Choice<'private' | 'public'>
  released_action: Choice<'mark' | 'disable' | 'remove'>
  strategy: { id: string; name: string; priority: number }[]
  interval: number | null
  crontab: string | null
  periodic_display: unknown
  comment: string
  account_display: string
  node_display: string
  history_count: number
  instance_count: number
  created_by: string | null
  org_id: string
  org_name: string
  is_always_update: boolean
  is_periodic: boolean
  date_last_sync: string | null
  date_created: string
  date_updated: string
}

export type XpackCloudSyncInstanceTasksBody = {
  id?: string
  name: string
  account: string | number | { id: string | number } | { pk: string | number }
  regions: unknown
  hostname_strategy: 'instance_name' | 'instance_name_partial_ip' | { value: 'instance_name' | 'instance_name_partial_ip' }
  ip_network_segment_group?: unknown
  sync_ip_type?: 'private' | 'public' | { value: 'private' | 'public' }
  is_always_update?: boolean
  released_action?: 'mark' | 'disable' | 'remove' | { value: 'mark' | 'disable' | 'remove' }
  strategy?: (string | number | { id: string | number } | { pk: string | number })[]
  is_periodic?: boolean
  interval?: number | null
  crontab?: string | null
  comment?: string
}

/** The rows of each collection, by its URL. */
export type WireRows = {
  '/api/v1/accounts/account-backup-plan-executions/': AccountsAccountBackupPlanExecutionsRow
  '/api/v1/accounts/account-backup-plans/': AccountsAccountBackupPlansRow
  '/api/v1/accounts/account-secrets/': AccountsAccountSecretsRow
  '/api/v1/accounts/account-template-secrets/': AccountsAccountTemplateSecretsRow
  '/api/v1/accounts/account-templates/': AccountsAccountTemplatesRow
  '/api/v1/accounts/accounts/': AccountsAccountsRow
  '/api/v1/accounts/change-secret-automations/': AccountsChangeSecretAutomationsRow
  '/api/v1/accounts/change-secret-executions/': AccountsChangeSecretExecutionsRow
  '/api/v1/accounts/change-secret-records/': AccountsChangeSecretRecordsRow
  '/api/v1/accounts/gather-account-automations/': AccountsGatherAccountAutomationsRow
  '/api/v1/accounts/gather-account-executions/': AccountsGatherAccountExecutionsRow
  '/api/v1/accounts/gathered-accounts/': AccountsGatheredAccountsRow
  '/api/v1/accounts/push-account-automations/': AccountsPushAccountAutomationsRow
  '/api/v1/accounts/push-account-executions/': AccountsPushAccountExecutionsRow
  '/api/v1/accounts/push-account-records/': AccountsPushAccountRecordsRow
  '/api/v1/accounts/virtual-accounts/': AccountsVirtualAccountsRow
  '/api/v1/acls/command-filter-acls/': AclsCommandFilterAclsRow
  '/api/v1/acls/command-groups/': AclsCommandGroupsRow
  '/api/v1/acls/connect-method-acls/': AclsConnectMethodAclsRow
  '/api/v1/acls/login-acls/': AclsLoginAclsRow
  '/api/v1/acls/login-asset-acls/': AclsLoginAssetAclsRow
  '/api/v1/assets/assets/': AssetsAssetsRow
  '/api/v1/assets/clouds/': AssetsCloudsRow
  '/api/v1/assets/customs/': AssetsCustomsRow
  '/api/v1/assets/databases/': AssetsDatabasesRow
  '/api/v1/assets/devices/': AssetsDevicesRow
  '/api/v1/assets/domains/': AssetsDomainsRow
  '/api/v1/assets/favorite-assets/': AssetsFavoriteAssetsRow
  '/api/v1/assets/gateways/': AssetsGatewaysRow
  '/api/v1/assets/gpts/': AssetsGptsRow
  '/api/v1/assets/host-keys/': AssetsHostKeysRow
  '/api/v1/assets/hosts/': AssetsHostsRow
  '/api/v1/assets/labels/': AssetsLabelsRow
  '/api/v1/assets/nodes/': AssetsNodesRow
  '/api/v1/assets/platforms/': AssetsPlatformsRow
  '/api/v1/assets/protocol-settings/': AssetsProtocolSettingsRow
  '/api/v1/assets/webs/': AssetsWebsRow
  '/api/v1/audits/ftp-logs/': AuditsFtpLogsRow
  '/api/v1/audits/job-logs/': AuditsJobLogsRow
  '/api/v1/audits/login-logs/': AuditsLoginLogsRow
  '/api/v1/audits/my-login-logs/': AuditsMyLoginLogsRow
  '/api/v1/audits/operate-logs/': AuditsOperateLogsRow
  '/api/v1/audits/password-change-logs/': AuditsPasswordChangeLogsRow
  '/api/v1/authentication/access-keys/': AuthenticationAccessKeysRow
  '/api/v1/authentication/connection-token/': AuthenticationConnectionTokenRow
  '/api/v1/authentication/passkeys/': AuthenticationPasskeysRow
  '/api/v1/authentication/super-connection-token/': AuthenticationSuperConnectionTokenRow
  '/api/v1/authentication/temp-tokens/': AuthenticationTempTokensRow
  '/api/v1/notifications/site-messages/': NotificationsSiteMessagesRow
  '/api/v1/ops/adhocs/': OpsAdhocsRow
  '/api/v1/ops/job-executions/': OpsJobExecutionsRow
  '/api/v1/ops/jobs/': OpsJobsRow
  '/api/v1/ops/playbooks/': OpsPlaybooksRow
  '/api/v1/orgs/orgs/': OrgsOrgsRow
  '/api/v1/perms/asset-permissions-assets-relations/': PermsAssetPermissionsAssetsRelationsRow
  '/api/v1/perms/asset-permissions-nodes-relations/': PermsAssetPermissionsNodesRelationsRow
  '/api/v1/perms/asset-permissions-user-groups-relations/': PermsAssetPermissionsUserGroupsRelationsRow
  '/api/v1/perms/asset-permissions-users-relations/': PermsAssetPermissionsUsersRelationsRow
  '/api/v1/perms/asset-permissions/': PermsAssetPermissionsRow
  '/api/v1/rbac/org-role-bindings/': RbacOrgRoleBindingsRow
  '/api/v1/rbac/org-roles/': RbacOrgRolesRow
  '/api/v1/rbac/role-bindings/': RbacRoleBindingsRow
  '/api/v1/rbac/roles/': RbacRolesRow
  '/api/v1/rbac/system-role-bindings/': RbacSystemRoleBindingsRow
  '/api/v1/rbac/system-roles/': RbacSystemRolesRow
  '/api/v1/terminal/applet-host-deployments/': TerminalAppletHostDeploymentsRow
  '/api/v1/terminal/applet-hosts/': TerminalAppletHostsRow
  '/api/v1/terminal/applet-publications/': TerminalAppletPublicationsRow
  '/api/v1/terminal/applets/': TerminalAppletsRow
  '/api/v1/terminal/command-storages/': TerminalCommandStoragesRow
  '/api/v1/terminal/commands/': TerminalCommandsRow
  '/api/v1/terminal/endpoint-rules/': TerminalEndpointRulesRow
  '/api/v1/terminal/endpoints/': TerminalEndpointsRow
  '/api/v1/terminal/my-sessions/': TerminalMySessionsRow
  '/api/v1/terminal/replay-storages/': TerminalReplayStoragesRow
  '/api/v1/terminal/session-join-records/': TerminalSessionJoinRecordsRow
  '/api/v1/terminal/session-sharings/': TerminalSessionSharingsRow
  '/api/v1/terminal/sessions/': TerminalSessionsRow
  '/api/v1/terminal/tasks/': TerminalTasksRow
  '/api/v1/terminal/terminals/': TerminalTerminalsRow
  '/api/v1/tickets/apply-asset-tickets/': TicketsApplyAssetTicketsRow
  '/api/v1/tickets/apply-command-tickets/': TicketsApplyCommandTicketsRow
  '/api/v1/tickets/apply-login-asset-tickets/': TicketsApplyLoginAssetTicketsRow
  '/api/v1/tickets/apply-login-tickets/': TicketsApplyLoginTicketsRow
  '/api/v1/tickets/flows/': TicketsFlowsRow
  '/api/v1/tickets/tickets/': TicketsTicketsRow
  '/api/v1/users/groups/': UsersGroupsRow
  '/api/v1/users/users-groups-relations/': UsersUsersGroupsRelationsRow
  '/api/v1/users/users/': UsersUsersRow
  '/api/v1/xpack/cloud/accounts/': XpackCloudAccountsRow
  '/api/v1/xpack/cloud/strategies/': XpackCloudStrategiesRow
  '/api/v1/xpack/cloud/strategy-actions/': XpackCloudStrategyActionsRow
  '/api/v1/xpack/cloud/strategy-rules/': XpackCloudStrategyRulesRow
  '/api/v1/xpack/cloud/sync-instance-details/': XpackCloudSyncInstanceDetailsRow
  '/api/v1/xpack/cloud/sync-instance-task-executions/': XpackCloudSyncInstanceTaskExecutionsRow
  '/api/v1/xpack/cloud/sync-instance-tasks/': XpackCloudSyncInstanceTasksRow
}

/** The bodies of each collection that may be changed, by its URL. */
export type WireBodies = {
  '/api/v1/accounts/account-backup-plans/': AccountsAccountBackupPlansBody
  '/api/v1/accounts/account-templates/': AccountsAccountTemplatesBody
  '/api/v1/accounts/accounts/': AccountsAccountsBody
  '/api/v1/accounts/change-secret-automations/': AccountsChangeSecretAutomationsBody
  '/api/v1/accounts/gather-account-automations/': AccountsGatherAccountAutomationsBody
  '/api/v1/accounts/gathered-accounts/': AccountsGatheredAccountsBody
  '/api/v1/accounts/push-account-automations/': AccountsPushAccountAutomationsBody
  '/api/v1/accounts/virtual-accounts/': AccountsVirtualAccountsBody
  '/api/v1/acls/command-filter-acls/': AclsCommandFilterAclsBody
  '/api/v1/acls/command-groups/': AclsCommandGroupsBody
  '/api/v1/acls/connect-method-acls/': AclsConnectMethodAclsBody
  '/api/v1/acls/login-acls/': AclsLoginAclsBody
  '/api/v1/acls/login-asset-acls/': AclsLoginAssetAclsBody
  '/api/v1/assets/assets/': AssetsAssetsBody
  '/api/v1/assets/clouds/': AssetsCloudsBody
  '/api/v1/assets/customs/': AssetsCustomsBody
  '/api/v1/assets/databases/': AssetsDatabasesBody
  '/api/v1/assets/devices/': AssetsDevicesBody
  '/api/v1/assets/domains/': AssetsDomainsBody
  '/api/v1/assets/favorite-assets/': AssetsFavoriteAssetsBody
  '/api/v1/assets/gateways/': AssetsGatewaysBody
  '/api/v1/assets/gpts/': AssetsGptsBody
  '/api/v1/assets/hosts/': AssetsHostsBody
  '/api/v1/assets/labels/': AssetsLabelsBody
  '/api/v1/assets/nodes/': AssetsNodesBody
  '/api/v1/assets/platforms/': AssetsPlatformsBody
  '/api/v1/assets/protocol-settings/': AssetsProtocolSettingsBody
  '/api/v1/assets/webs/': AssetsWebsBody
  '/api/v1/audits/ftp-logs/': AuditsFtpLogsBody
  '/api/v1/authentication/access-keys/': AuthenticationAccessKeysBody
  '/api/v1/authentication/passkeys/': AuthenticationPasskeysBody
  '/api/v1/ops/adhocs/': OpsAdhocsBody
  '/api/v1/ops/jobs/': OpsJobsBody
  '/api/v1/ops/playbooks/': OpsPlaybooksBody
  '/api/v1/orgs/orgs/': OrgsOrgsBody
  '/api/v1/perms/asset-permissions-assets-relations/': PermsAssetPermissionsAssetsRelationsBody
  '/api/v1/perms/asset-permissions-nodes-relations/': PermsAssetPermissionsNodesRelationsBody
  '/api/v1/perms/asset-permissions-user-groups-relations/': PermsAssetPermissionsUserGroupsRelationsBody
  '/api/v1/perms/asset-permissions-users-relations/': PermsAssetPermissionsUsersRelationsBody
  '/api/v1/perms/asset-permissions/': PermsAssetPermissionsBody
  '/api/v1/rbac/org-role-bindings/': RbacOrgRoleBindingsBody
  '/api/v1/rbac/org-roles/': RbacOrgRolesBody
  '/api/v1/rbac/role-bindings/': RbacRoleBindingsBody
  '/api/v1/rbac/roles/': RbacRolesBody
  '/api/v1/rbac/system-role-bindings/': RbacSystemRoleBindingsBody
  '/api/v1/rbac/system-roles/': RbacSystemRolesBody
  '/api/v1/terminal/applet-host-deployments/': TerminalAppletHostDeploymentsBody
  '/api/v1/terminal/applet-hosts/': TerminalAppletHostsBody
  '/api/v1/terminal/applet-publications/': TerminalAppletPublicationsBody
  '/api/v1/terminal/applets/': TerminalAppletsBody
  '/api/v1/terminal/command-storages/': TerminalCommandStoragesBody
  '/api/v1/terminal/endpoint-rules/': TerminalEndpointRulesBody
  '/api/v1/terminal/endpoints/': TerminalEndpointsBody
  '/api/v1/terminal/replay-storages/': TerminalReplayStoragesBody
  '/api/v1/terminal/session-join-records/': TerminalSessionJoinRecordsBody
  '/api/v1/terminal/session-sharings/': TerminalSessionSharingsBody
  '/api/v1/terminal/sessions/': TerminalSessionsBody
  '/api/v1/terminal/tasks/': TerminalTasksBody
  '/api/v1/terminal/terminals/': TerminalTerminalsBody
  '/api/v1/tickets/flows/': TicketsFlowsBody
  '/api/v1/users/groups/': UsersGroupsBody
  '/api/v1/users/users-groups-relations/': UsersUsersGroupsRelationsBody
  '/api/v1/users/users/': UsersUsersBody
  '/api/v1/xpack/cloud/accounts/': XpackCloudAccountsBody
  '/api/v1/xpack/cloud/strategies/': XpackCloudStrategiesBody
  '/api/v1/xpack/cloud/strategy-actions/': XpackCloudStrategyActionsBody
  '/api/v1/xpack/cloud/strategy-rules/': XpackCloudStrategyRulesBody
  '/api/v1/xpack/cloud/sync-instance-tasks/': XpackCloudSyncInstanceTasksBody
}
