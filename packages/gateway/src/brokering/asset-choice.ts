import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { isUuid } from '../server-client/api.ts'
import type { GrantedAsset, GrantedAssetDetail, PermedAccount } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { SessionDenied } from './session-denied.ts'
import type { User } from './user.ts'

/** Accounts that can be used over SSH. */
const usable = (account: PermedAccount) => account.alias !== '@ANON'

/** The user's assets that match an id, address or name on a command line. */
export async function findAssets(broker: Broker, user: User, name: string): Promise<GrantedAsset[]> {
  if (isUuid(name)) {
    const asset = await broker.api.asset(user.id, name)
    return asset ? [asset] : []
  }
  const { results } = await broker.api.assets(user.id, { search: name, limit: 100, offset: 0 })
  const exact = results.filter((asset) => asset.address === name || asset.name === name)
  return exact.filter((asset) => asset.is_active).length > 0 ? exact.filter((asset) => asset.is_active) : exact
}

/**
 * The permitted accounts and protocols of an asset. Throws `SessionDenied` when it is not granted to the user or not
 * active.
 */
export async function assetDetail(broker: Broker, user: User, id: string, name: string): Promise<GrantedAssetDetail> {
  const detail = await broker.api.asset(user.id, id)
  if (!detail) throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name })
  if (!detail.is_active)
    throw new SessionDenied('permission_denied', gatewayMessages.inactiveAsset, { asset: detail.name })
  return detail
}

/** The accounts that match a word on a command line: a username, a name or one of the `@` aliases. */
export function findAccounts(detail: GrantedAssetDetail, word: string): PermedAccount[] {
  const all = detail.permed_accounts.filter(usable)
  const byAlias = all.filter((account) => account.alias === word)
  if (byAlias.length > 0) return byAlias
  return all.filter((account) => account.username === word || account.name === word)
}

export function usableAccounts(detail: GrantedAssetDetail): PermedAccount[] {
  return detail.permed_accounts.filter(usable)
}

/** Protocols of an asset that this gateway supports. */
export function shellProtocols(detail: GrantedAssetDetail): string[] {
  return detail.permed_protocols.map((protocol) => protocol.name).filter((name) => name === 'ssh')
}

/** The protocol for requesting a file grant: `sftp`, or `ssh` where its setting allows files. */
export function fileProtocol(detail: GrantedAssetDetail): string | undefined {
  const names = detail.permed_protocols
  if (names.some((protocol) => protocol.name === 'sftp')) return 'sftp'
  const ssh = names.find((protocol) => protocol.name === 'ssh')
  return ssh && ssh.setting?.sftp_enabled !== false ? 'ssh' : undefined
}

/** The asset and account of a command line, which must be unambiguous when the user cannot be asked. */
export async function exactlyOne(
  broker: Broker,
  user: User,
  assetName: string,
  accountName: string,
): Promise<{ detail: GrantedAssetDetail; account: PermedAccount }> {
  const assets = await findAssets(broker, user, assetName)
  if (assets.length === 0) throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: assetName })
  if (assets.length > 1) throw new SessionDenied('permission_denied', gatewayMessages.manyAssets, { name: assetName })
  const detail = await assetDetail(broker, user, (assets[0] as GrantedAsset).id, assetName)
  const accounts = findAccounts(detail, accountName)
  const account = accounts.find((entry) => entry.has_secret) ?? accounts[0]
  const asked = { name: accountName, asset: detail.name }
  if (!account) throw new SessionDenied('permission_denied', gatewayMessages.noAccount, asked)
  if (accounts.length > 1 && accounts.every((entry) => entry.has_secret)) {
    const names = accounts.map((entry) => entry.name).join(', ')
    throw new SessionDenied('permission_denied', gatewayMessages.manyAccounts, { ...asked, accounts: names })
  }
  return { detail, account }
}
