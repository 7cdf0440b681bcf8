import { batches } from '../../../db/batches.ts'
import type { Db } from '../../../db/database.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { organizationNames } from '../../../kernel/resource/standard-fields.ts'
import type { PlacementIndex } from './placement-index.ts'
import { type ChangeListener, keptWithPlacements } from './placements.ts'
import { assetItem } from './tree-items.ts'

/** An asset's JSON item as bytes, up to the key of its parent node, which comes last. */
type Leaf = Buffer

/** Items are collected into chunks of this size. Bytes. */
const pieceSize = 512 * 1024
const comma = ','.charCodeAt(0)

/** The end of the items below the node with a key. */
export const endingOf = (key: string): Buffer => Buffer.from(`${JSON.stringify(key)}}`)

/**
 * Concatenates the items of many leaves as bytes: joined as strings they would produce garbage of several times the
 * response size.
 */
class Leaves {
  readonly #leafOf: (asset: number) => Leaf | undefined
  readonly #full: Buffer[] = []
  #piece = Buffer.alloc(0)
  #at = 0

  constructor(leafOf: (asset: number) => Leaf | undefined) {
    this.#leafOf = leafOf
  }

  /**
   * Adds an asset (an index) under a node. Skips an asset that was deleted in the meantime.
   * @param ending see `endingOf`
   */
  add(asset: number, ending: Buffer): void {
    const leaf = this.#leafOf(asset)
    if (!leaf) return
    const length = leaf.length + ending.length + 1
    if (this.#at + length > this.#piece.length) this.#turn(length)
    if (this.#at > 0) this.#piece[this.#at++] = comma
    this.#piece.set(leaf, this.#at)
    this.#at += leaf.length
    this.#piece.set(ending, this.#at)
    this.#at += ending.length
  }

  #turn(least: number): void {
    this.#full.push(this.#piece.subarray(0, this.#at))
    this.#piece = Buffer.allocUnsafeSlow(Math.max(pieceSize, least))
    this.#at = 0
  }

  /** All items so far, in chunks of complete, comma-separated items. */
  pieces(): Buffer[] {
    return [...this.#full, this.#piece.subarray(0, this.#at)]
  }
}

/** Cached leaves of the assets that were part of a complete tree. About 400 bytes each, mostly outside of the heap. */
class TreeLeaves implements ChangeListener {
  readonly #db: Db
  readonly #leaves = new Map<number, Leaf>()
  #index: PlacementIndex | undefined
  #organizations = ''
  #forgotten = 0

  constructor(services: Services) {
    this.#db = services.database.reader
  }

  reset(): void {
    this.#forgotten += 1
    this.#leaves.clear()
    this.#index = undefined
  }

  forget(changed: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.#forgotten += 1
    for (const id of changed.get('asset') ?? []) {
      const at = this.#index?.assetAt(id)
      if (at !== undefined) this.#leaves.delete(at)
    }
  }

  async of(
    ctx: Context,
    index: PlacementIndex,
    assets: readonly number[],
  ): Promise<(asset: number) => Leaf | undefined> {
    const names = await organizationNames(ctx)
    const organizations = JSON.stringify([...names])
    if (organizations !== this.#organizations) this.reset()
    this.#organizations = organizations
    this.#index = index
    const missing = assets.filter((at) => !this.#leaves.has(at))
    const fresh = new Map<number, Leaf>()
    const asked = this.#forgotten
    for (const some of batches(missing)) await this.#read(index, some, names, fresh)
    // If rows changed during the query, the next caller reads them again.
    if (asked === this.#forgotten) for (const [at, leaf] of fresh) this.#leaves.set(at, leaf)
    return (at) => this.#leaves.get(at) ?? fresh.get(at)
  }

  async #read(
    index: PlacementIndex,
    places: readonly number[],
    names: ReadonlyMap<string, string>,
    fresh: Map<number, Leaf>,
  ): Promise<void> {
    const ids = places.map((at) => index.assetId(at))
    const rows = await this.#db
      .selectFrom('assets_asset')
      .select(['id', 'name', 'address', 'comment', 'category', 'type', 'is_active', 'org_id'])
      .where('id', 'in', ids)
      .execute()
    const files = await this.#db
      .selectFrom('assets_protocol')
      .select('asset_id')
      .where('name', '=', 'sftp')
      .where('asset_id', 'in', ids)
      .execute()
    const sftp = new Set(files.map(({ asset_id }) => asset_id))
    for (const row of rows) {
      const at = index.assetAt(row.id)
      if (at === undefined) continue
      const { pId: _, ...item } = assetItem(row, '', names.get(row.org_id) ?? '', sftp.has(row.id))
      fresh.set(at, Buffer.from(`${JSON.stringify(item).slice(0, -1)},"pId":`))
    }
  }
}

const kept = keptWithPlacements((services) => new TreeLeaves(services))

/** Collects the leaves of these assets (indexes). */
export const leavesOf = async (ctx: Context, index: PlacementIndex, assets: readonly number[]): Promise<Leaves> =>
  new Leaves(await kept(ctx.services).of(ctx, index, assets))
