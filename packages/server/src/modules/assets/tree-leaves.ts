import type { Db } from '../../db/database.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { batchSize } from '../../kernel/fields/field.ts'
import { organisationNames } from '../../kernel/standard-fields.ts'
import type { PlacementIndex } from './placement-index.ts'
import { type ChangeListener, keptWithPlacements } from './placements.ts'
import { assetItem, gap } from './tree-items.ts'

/** An asset's leaf as it is sent, around the key of the node it hangs under. */
interface Leaf {
  before: string
  after: string
}

const written = JSON.stringify(gap)

/**
 * Leaves of trees, ready to be sent, of the assets that somebody saw in a whole tree: a tree of 25,000 assets is put
 * together from texts. About 400 bytes for each.
 */
class TreeLeaves implements ChangeListener {
  readonly #db: Db
  readonly #leaves = new Map<number, Leaf>()
  #index: PlacementIndex | undefined
  #organisations = ''
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
    const names = await organisationNames(ctx)
    const organisations = JSON.stringify([...names])
    if (organisations !== this.#organisations) this.reset()
    this.#organisations = organisations
    this.#index = index
    const missing = assets.filter((at) => !this.#leaves.has(at))
    const fresh = new Map<number, Leaf>()
    const asked = this.#forgotten
    for (let at = 0; at < missing.length; at += batchSize)
      await this.#read(index, missing.slice(at, at + batchSize), names, fresh)
    // What changed meanwhile is read again by the next who asks.
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
      const [before = '', after = ''] = JSON.stringify(
        assetItem(row, gap, names.get(row.org_id) ?? '', sftp.has(row.id)),
      ).split(written)
      fresh.set(at, { before, after })
    }
  }
}

const kept = keptWithPlacements((services) => new TreeLeaves(services))

/** The leaves of assets (places in the index) as JSON, each around the node's key. */
export const leavesOf = (ctx: Context, index: PlacementIndex, assets: readonly number[]) =>
  kept(ctx.services).of(ctx, index, assets)
