import type { ConnectMethod, ConnectMethods, PermedAccount, PermedAsset, PermedProtocol } from '../wire.ts'

/**
 * The user's last choices for an asset, stored per asset under `JMS_PRE_{asset}` in local storage, as in the v3 web
 * terminal.
 */
export interface Remembered {
  account: { alias: string; username: string; has_secret: boolean }
  connectMethod: { value: string }
  protocol: { name: string }
  downloadRDP: boolean
  autoLogin: boolean
  connectOption: ConnectOption
}

export interface ConnectOption {
  charset?: string
  backspaceAsCtrlH?: boolean
  disableautohash?: boolean
}

/** All inputs of a connection token. Secrets are plain here and encrypted when sent. */
export interface Choice {
  protocol: string
  account: PermedAccount
  method: ConnectMethod
  username: string
  secret: string
  option: ConnectOption
}

export type AccountGroup = 'last' | 'secret' | 'manual' | 'special'

/** Connect methods of the gateway for this application: its own pages, guides, and clients on the user's machine. */
function opensHere(method: ConnectMethod): boolean {
  return method.component === 'koko' && (method.type === 'web' || method.type === 'native')
}

/** Protocols offered as tabs, in the order of the platform. */
export function offeredProtocols(asset: PermedAsset, methods: ConnectMethods): PermedProtocol[] {
  return asset.permed_protocols.filter(
    (protocol) => protocol.public && offeredMethods(methods, protocol.name).length > 0,
  )
}

/** Available connect methods of a protocol. Methods of gateways that are not running are omitted. */
export function offeredMethods(methods: ConnectMethods, protocol: string): ConnectMethod[] {
  return (methods[protocol] ?? []).filter(opensHere)
}

/** Accounts in groups. The anonymous account is included only where it may connect. */
export function groupAccounts(
  asset: PermedAsset,
  last: string | undefined,
): { group: AccountGroup; accounts: PermedAccount[] }[] {
  const all = asset.permed_accounts
  const rest = all.filter((account) => account.alias !== last)
  const byName = (a: PermedAccount, b: PermedAccount) => a.name.localeCompare(b.name)
  const manualOrder = (account: PermedAccount) =>
    account.username === 'root' ? 0 : account.alias.startsWith('@') ? 2 : 1
  const anonymous = (account: PermedAccount) => account.alias === '@ANON'
  const groups: { group: AccountGroup; accounts: PermedAccount[] }[] = [
    { group: 'last', accounts: all.filter((account) => account.alias === last) },
    { group: 'secret', accounts: rest.filter((account) => account.has_secret).sort(byName) },
    {
      group: 'manual',
      accounts: rest
        .filter((account) => !account.has_secret && !anonymous(account))
        .sort((a, b) => manualOrder(a) - manualOrder(b) || byName(a, b)),
    },
    {
      group: 'special',
      accounts: ['web', 'custom'].includes(asset.category.value) ? rest.filter(anonymous) : [],
    },
  ]
  return groups.filter(({ accounts }) => accounts.length > 0)
}

/** Fields the user has to fill for an account. */
export function manualFields(account: PermedAccount): { username: boolean; secret: boolean } {
  if (account.alias === '@ANON' || account.has_secret) return { username: false, secret: false }
  return { username: account.alias === '@INPUT', secret: true }
}

/**
 * The last choice, if it can be used without asking: still permitted, secret stored, method still available. Undefined
 * means: open the dialog.
 */
export function withoutAsking(
  asset: PermedAsset,
  methods: ConnectMethods,
  remembered: Remembered | undefined,
): Choice | undefined {
  if (!remembered?.autoLogin) return undefined
  const account = asset.permed_accounts.find((one) => one.alias === remembered.account.alias)
  const protocol = offeredProtocols(asset, methods).find((one) => one.name === remembered.protocol.name)
  const method = protocol && findMethod(methods, protocol.name, remembered.connectMethod.value)
  if (!account || !method) return undefined
  const fields = manualFields(account)
  if (fields.secret || fields.username) return undefined
  return { protocol: protocol.name, account, method, username: '', secret: '', option: remembered.connectOption }
}

/** The choice for a requested protocol, such as files: the given account, unless a value must be entered. */
export function choiceFor(
  asset: PermedAsset,
  methods: ConnectMethods,
  protocol: string,
  alias: string | undefined,
): Choice | undefined {
  const account = asset.permed_accounts.find((one) => one.alias === alias)
  const offered = offeredProtocols(asset, methods).some((one) => one.name === protocol)
  const method = firstMethod(methods, protocol)
  if (!account || !offered || !method) return undefined
  const fields = manualFields(account)
  if (fields.secret || fields.username) return undefined
  return { protocol, account, method, username: '', secret: '', option: {} }
}

/** Initial values of the dialog: last used ones if still available, otherwise the first ones. */
export function firstChoice(
  asset: PermedAsset,
  methods: ConnectMethods,
  remembered: Remembered | undefined,
  wantedAccount?: string,
): { protocol?: string; account?: string; method?: string } {
  const protocols = offeredProtocols(asset, methods)
  const protocol = protocols.find((one) => one.name === remembered?.protocol.name) ?? protocols[0]
  const accounts = groupAccounts(asset, remembered?.account.alias).flatMap((group) => group.accounts)
  const account = accounts.find((one) => one.id === wantedAccount || one.alias === wantedAccount) ?? accounts[0]
  return {
    protocol: protocol?.name,
    account: account?.alias,
    method: protocol && firstMethod(methods, protocol.name, remembered?.connectMethod.value)?.value,
  }
}

/** The preferred method, or the first available one. */
export function firstMethod(methods: ConnectMethods, protocol: string, wanted?: string): ConnectMethod | undefined {
  return findMethod(methods, protocol, wanted) ?? offeredMethods(methods, protocol).find((method) => !method.disabled)
}

/** Body of `POST /api/v1/authentication/connection-token/`. @param sealed the encrypted secret */
export function tokenRequest(asset: string, choice: Choice, sealed: string) {
  const typed = choice.account.alias.startsWith('@') && choice.account.alias !== '@USER'
  return {
    asset,
    account: choice.account.alias,
    protocol: choice.protocol,
    input_username: typed ? choice.username : choice.account.username,
    input_secret: sealed,
    connect_method: choice.method.value,
    connect_options: choice.option,
  }
}

export function toRemember(choice: Choice, autoLogin: boolean): Remembered {
  const { alias, username, has_secret } = choice.account
  return {
    account: { alias, username, has_secret },
    connectMethod: { value: choice.method.value },
    protocol: { name: choice.protocol },
    downloadRDP: false,
    autoLogin,
    connectOption: choice.option,
  }
}

function findMethod(methods: ConnectMethods, protocol: string, value: string | undefined): ConnectMethod | undefined {
  return offeredMethods(methods, protocol).find((method) => method.value === value && !method.disabled)
}
