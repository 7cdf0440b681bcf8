import { batches } from '../../../db/batches.ts'
import type { Db } from '../../../db/database.ts'
import { type CacheSource, ReplicatedCache } from '../../../kernel/events/change-feed.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { PlacementIndex } from './placement-index.ts'
import type { PlacedNode } from './tree-shape.ts'

/** From this number of changed rows on, a complete reload is faster. */
const readAllFrom = 20_000

const nodeColumns = ['id', 'key', 'value', 'parent_key', 'org_id'] as const

/** The index of this process, loaded from the database and kept current (`change-feed.ts`). */
export class Placements implements CacheSource {
  readonly #db: Db
  #index = new PlacementIndex()
  readonly #listeners: readonly ChangeListener[]

  constructor(db: Db, listeners: readonly ChangeListener[]) {
    this.#db = db
    this.#listeners = listeners
  }

  get index(): PlacementIndex {
    return this.#index
  }

  async load(): Promise<void> {
    const index = new PlacementIndex()
    for (const row of await this.#nodes().execute()) index.setNode(row as PlacedNode)
    const nodes = new Map<string, string[]>()
    for (const { asset_id, node_id } of await this.#memberships().execute()) {
      const known = nodes.get(asset_id)
      if (known) known.push(node_id)
      else nodes.set(asset_id, [node_id])
    }
    for (const { id, name, org_id } of await this.#assets().execute())
      index.setAsset(id, name, org_id, nodes.get(id) ?? [])
    this.#index = index
    for (const one of this.#listeners) one.reset()
  }

  async follow(changed: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    const [nodes, assets] = [changed.get('node'), changed.get('asset')]
    if ((nodes?.size ?? 0) + (assets?.size ?? 0) > readAllFrom || this.#index.isWorn) await this.load()
    else {
      // Nodes first: an asset may be in a new one.
      if (nodes) await this.#followNodes([...nodes])
      if (assets) await this.#followAssets([...assets])
    }
    for (const one of this.#listeners) one.forget(changed)
  }

  async #followNodes(ids: readonly string[]): Promise<void> {
    for (const some of batches(ids)) {
      const rows = await this.#nodes().where('id', 'in', some).execute()
      const found = new Set(rows.map(({ id }) => id))
      for (const row of rows) this.#index.setNode(row as PlacedNode)
      for (const id of some) if (!found.has(id)) this.#index.removeNode(id)
    }
  }

  async #followAssets(ids: readonly string[]): Promise<void> {
    for (const some of batches(ids)) {
      const rows = await this.#assets().where('id', 'in', some).execute()
      const links = await this.#memberships().where('asset_id', 'in', some).execute()
      const nodes = Map.groupBy(links, ({ asset_id }) => asset_id as string)
      const found = new Set(rows.map(({ id }) => id))
      for (const { id, name, org_id } of rows)
        this.#index.setAsset(
          id,
          name,
          org_id,
          (nodes.get(id) ?? []).map(({ node_id }) => node_id),
        )
      for (const id of some) if (!found.has(id)) this.#index.removeAsset(id)
    }
  }

  #nodes() {
    return this.#db.selectFrom('assets_node').select([...nodeColumns])
  }

  #assets() {
    return this.#db.selectFrom('assets_asset').select(['id', 'name', 'org_id'])
  }

  #memberships() {
    return this.#db.selectFrom('assets_asset_nodes').select(['asset_id', 'node_id'])
  }
}

/** A cache tied to the index, which must invalidate changed entries. */
export interface ChangeListener {
  /** The index was reloaded: array indexes have changed. */
  reset(): void
  /** Ids of changed rows by topic: `node`, `asset`, `permission`. */
  forget(changed: ReadonlyMap<string, ReadonlySet<string>>): void
}

const makers: ((services: Services) => ChangeListener)[] = []
interface Kept {
  copy: ReplicatedCache<Placements>
  listeners: ChangeListener[]
}

/** Declares a cache tied to the index, once per process. Returns its accessor. */
export function keptWithPlacements<T extends ChangeListener>(
  make: (services: Services) => T,
): (services: Services) => T {
  const place = makers.push(make) - 1
  return (services) => keptBy(services).listeners[place] as T
}

const keptBy = perInstallation((services): Kept => {
  const listeners = makers.map((make) => make(services))
  const db = services.database.reader
  return { listeners, copy: new ReplicatedCache(services.database, () => new Placements(db, listeners)) }
})

/** The index including everything committed before this call, but not the caller's own uncommitted changes. */
export const placements = async ({ services }: { services: Services }): Promise<PlacementIndex> =>
  (await keptBy(services).copy.current()).index

/** The same index for all queries of a read-only request, current as of the first one. */
export const placementsOnce = (ctx: Context): Promise<PlacementIndex> =>
  ctx.once('assets.placements', () => placements(ctx))
