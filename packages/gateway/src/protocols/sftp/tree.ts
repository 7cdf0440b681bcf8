import { assetDetail, fileProtocol } from '../../brokering/asset-choice.ts'
import type { Broker } from '../../brokering/broker.ts'
import {
  assetList,
  type Grant,
  type GrantedAsset,
  type GrantedAssetDetail,
  nodeTree,
  type PermedAccount,
} from '../../brokering/catalog.ts'
import { requestGrant } from '../../brokering/grants.ts'
import type { User } from '../../brokering/user.ts'

const assetLimit = 5000
const freshFor = 60_000

interface Folder {
  folders: Map<string, Folder>
  assets: Map<string, GrantedAsset>
}

/** The meaning of a path in the tree. */
export type Place =
  | { kind: 'folder'; names: string[] }
  | { kind: 'target'; key: string; asset: GrantedAssetDetail; account: PermedAccount; rest: string }
  | { kind: 'none' }

/** Adds a unique name: `/` is replaced, and duplicates get a suffix `_`. */
function addUnique<T>(map: Map<string, T>, taken: ReadonlySet<string>, wanted: string, value: T): void {
  let name = wanted.replaceAll('/', '_').replace(/^\.+$/, '_') || '_'
  while (map.has(name) || taken.has(name)) name += '_'
  map.set(name, value)
}

/** The user's nodes and assets as folders. */
export class AssetTree {
  private readonly broker: Broker
  private readonly user: User
  private root: Promise<Folder> | undefined
  private loaded = 0
  private readonly details = new Map<string, GrantedAssetDetail>()

  constructor(broker: Broker, user: User) {
    this.broker = broker
    this.user = user
  }

  /** Resolves a normalized absolute path. */
  async find(path: string): Promise<Place> {
    const parts = path.split('/').filter((part) => part !== '')
    let folder = await this.load()
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as string
      const next = folder.folders.get(part)
      if (next) {
        folder = next
        continue
      }
      const asset = folder.assets.get(part)
      return asset ? this.inAsset(asset, parts.slice(at + 1)) : { kind: 'none' }
    }
    return { kind: 'folder', names: [...folder.folders.keys(), ...folder.assets.keys()] }
  }

  grant(place: Place & { kind: 'target' }): Promise<Grant> {
    return requestGrant(this.broker, this.user, {
      asset: place.asset.id,
      account: place.account.alias,
      protocol: fileProtocol(place.asset) ?? 'sftp',
      connectMethod: 'sftp_client',
    })
  }

  private async inAsset(asset: GrantedAsset, parts: string[]): Promise<Place> {
    let detail = this.details.get(asset.id)
    if (!detail) {
      detail = await assetDetail(this.broker, this.user, asset.id, asset.name)
      this.details.set(asset.id, detail)
    }
    const accounts = new Map<string, PermedAccount>()
    for (const account of detail.permed_accounts) {
      if (!account.alias.startsWith('@') && account.has_secret) addUnique(accounts, new Set(), account.name, account)
    }
    const only = accounts.size === 1 ? [...accounts.values()][0] : undefined
    if (only) return this.target(detail, only, parts)
    const [name, ...rest] = parts
    if (name === undefined) return { kind: 'folder', names: [...accounts.keys()] }
    const account = accounts.get(name)
    return account ? this.target(detail, account, rest) : { kind: 'none' }
  }

  private target(asset: GrantedAssetDetail, account: PermedAccount, parts: string[]): Place {
    return { kind: 'target', key: `${asset.id} ${account.id}`, asset, account, rest: parts.join('/') }
  }

  private load(): Promise<Folder> {
    if (!this.root || performance.now() - this.loaded > freshFor) {
      this.loaded = performance.now()
      this.details.clear()
      this.root = this.build()
    }
    return this.root
  }

  private async build(): Promise<Folder> {
    const [nodes, assets] = await Promise.all([
      nodeTree(this.broker, this.user),
      assetList(this.broker, this.user).page(0, assetLimit),
    ])
    const root: Folder = { folders: new Map(), assets: new Map() }
    const byKey = new Map<string, Folder>()
    const byId = new Map<string, Folder>()
    for (const node of nodes) {
      const parent = byKey.get(node.key.slice(0, Math.max(0, node.key.lastIndexOf(':')))) ?? root
      const folder: Folder = { folders: new Map(), assets: new Map() }
      addUnique(parent.folders, new Set(), node.value || node.name, folder)
      byKey.set(node.key, folder)
      byId.set(node.id, folder)
    }
    for (const asset of assets.results) {
      if (!asset.is_active) continue
      const folders = (asset.nodes ?? []).flatMap((node) => byId.get(node.id) ?? [])
      for (const folder of folders.length > 0 ? folders : [root]) {
        addUnique(folder.assets, new Set(folder.folders.keys()), asset.name, asset)
      }
    }
    return root
  }
}
