import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { isUuid } from '../server-client/api.ts'
import type { GrantedAsset, GrantedAssetDetail, PermedAccount } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { SessionDenied } from './session-denied.ts'
import type { User } from './user.ts'

/** Accounts nobody can use over SSH. */
const usable = (account: PermedAccount) => account.alias !== '@ANON'

/** The person's assets that an id, address or name on a command line can mean. */
export async function findAssets(broker: Broker, person: User, name: string): Promise<GrantedAsset[]> {
  if (isUuid(name)) {
    const asset = await broker.api.asset(person.id, name)
    return asset ? [asset] : []
  }
  const { results } = await broker.api.assets(person.id, { search: name, limit: 100, offset: 0 })
  const exact = results.filter((asset) => asset.address === name || asset.name === name)
  return exact.filter((asset) => asset.is_active).length > 0 ? exact.filter((asset) => asset.is_active) : exact
}

/** What may be used on an asset. Throws a `Refusal` when it is not the person's or not active. */
export async function assetDetail(broker: Broker, person: User, id: string, name: string): Promise<GrantedAssetDetail> {
  const detail = await broker.api.asset(person.id, id)
  if (!detail) throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name })
  if (!detail.is_active)
    throw new SessionDenied('permission_denied', gatewayMessages.inactiveAsset, { asset: detail.name })
  return detail
}

/** The accounts that a word on a command line can mean: a user name, a name or one of the `@` aliases. */
export function findAccounts(detail: GrantedAssetDetail, word: string): PermedAccount[] {
  const all = detail.permed_accounts.filter(usable)
  const byAlias = all.filter((account) => account.alias === word)
  if (byAlias.length > 0) return byAlias
  return all.filter((account) => account.username === word || account.name === word)
}

export function usableAccounts(detail: GrantedAssetDetail): PermedAccount[] {
  return detail.permed_accounts.filter(usable)
}

/** Protocols of an asset that this gateway speaks. */
export function shellProtocols(detail: GrantedAssetDetail): string[] {
  return detail.permed_protocols.map((protocol) => protocol.name).filter((name) => name === 'ssh')
}

/** The protocol to ask a file grant with: `sftp`, or `ssh` where its setting allows files. */
export function fileProtocol(detail: GrantedAssetDetail): string | undefined {
  const names = detail.permed_protocols
  if (names.some((protocol) => protocol.name === 'sftp')) return 'sftp'
  const ssh = names.find((protocol) => protocol.name === 'ssh')
  return ssh && ssh.setting?.sftp_enabled !== false ? 'ssh' : undefined
}

/** The one asset and account a command line must mean where nobody can be asked. */
export async function exactlyOne(
  broker: Broker,
  person: User,
  assetName: string,
  accountName: string,
): Promise<{ detail: GrantedAssetDetail; account: PermedAccount }> {
  const assets = await findAssets(broker, person, assetName)
  if (assets.length === 0) throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: assetName })
  if (assets.length > 1) throw new SessionDenied('permission_denied', gatewayMessages.manyAssets, { name: assetName })
  const detail = await assetDetail(broker, person, (assets[0] as GrantedAsset).id, assetName)
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
