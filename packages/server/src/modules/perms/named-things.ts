import { batches } from '../../db/batches.ts'
import type { Context, Services } from '../../kernel/module/context.ts'
import { type ChangeListener, keptWithPlacements, type PlacementIndex } from '../assets/index.ts'
import { type GrantScope, scopeOf } from './coverage.ts'

/** The nodes and assets named by a permission: indexes. */
interface Named {
  nodes: readonly number[]
  assets: readonly number[]
}

/** Maximum number of cached scopes, each with its results: at most about 200 kB at 100,000 assets. */
const mostReaches = 60

/** Caches the nodes and assets of requested permissions in memory. Linear in the links. */
class NamedThings implements ChangeListener {
  readonly #services: Services
  readonly #known = new Map<string, Named>()
  /** Scopes computed since the last change, by the ids of permissions; least recently used first. */
  readonly #reaches = new Map<string, GrantScope>()
  /** Counts invalidations: a result read before one must not be cached after it. */
  #forgotten = 0

  constructor(services: Services) {
    this.#services = services
  }

  reset(): void {
    this.#forgotten += 1
    this.#reaches.clear()
    this.#known.clear()
  }

  forget(changed: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.#forgotten += 1
    this.#reaches.clear()
    for (const id of changed.get('permission') ?? []) this.#known.delete(id)
  }

  async reach(index: PlacementIndex, ids: readonly string[]): Promise<GrantScope> {
    const key = ids.toSorted().join()
    const asked = this.#forgotten
    const known = this.#reaches.get(key)
    const reach = known ?? (await this.#reachOf(index, ids))
    if (asked !== this.#forgotten || !ids.every((id) => this.#known.has(id))) return reach
    this.#reaches.delete(key)
    this.#reaches.set(key, reach)
    const [oldest] = this.#reaches.keys()
    if (this.#reaches.size > mostReaches && oldest !== undefined) this.#reaches.delete(oldest)
    return reach
  }

  /** The scopes of single permissions. These are many, so they are not cached. */
  async reaches(index: PlacementIndex, ids: readonly string[]): Promise<Map<string, GrantScope>> {
    const named = await this.#named(index, ids)
    return new Map([...named].map(([id, { nodes, assets }]) => [id, scopeOf(index, nodes, assets)]))
  }

  async #reachOf(index: PlacementIndex, ids: readonly string[]): Promise<GrantScope> {
    const nodes: number[] = []
    const assets: number[] = []
    for (const named of (await this.#named(index, ids)).values()) {
      for (const one of named.nodes) nodes.push(one)
      for (const one of named.assets) assets.push(one)
    }
    return scopeOf(index, nodes, assets)
  }

  async #named(index: PlacementIndex, ids: readonly string[]): Promise<Map<string, Named>> {
    const missing = ids.filter((id) => !this.#known.has(id))
    const fresh = new Map<string, Named>()
    for (const some of batches(missing)) await this.#read(index, some, fresh)
    return new Map(ids.map((id) => [id, this.#known.get(id) ?? fresh.get(id) ?? { nodes: [], assets: [] }]))
  }

  async #read(index: PlacementIndex, ids: readonly string[], fresh: Map<string, Named>): Promise<void> {
    const asked = this.#forgotten
    const links = (things: 'nodes' | 'assets', column: string) =>
      this.#services.database.reader
        .selectFrom(`perms_assetpermission_${things}`)
        .select(['assetpermission_id as permission', `${column} as thing`])
        .where('assetpermission_id', 'in', ids)
        .execute()
    const nodes = Map.groupBy(await links('nodes', 'node_id'), ({ permission }) => permission)
    const assets = Map.groupBy(await links('assets', 'asset_id'), ({ permission }) => permission)
    for (const id of ids) {
      const [of, on] = [nodes.get(id) ?? [], assets.get(id) ?? []]
      const named = {
        nodes: of.flatMap(({ thing }) => index.nodeAt(thing) ?? []),
        assets: on.flatMap(({ thing }) => index.assetAt(thing) ?? []),
      }
      fresh.set(id, named)
      // Links the index does not know yet are newer than it: such a result is used for this request only.
      if (asked === this.#forgotten && named.nodes.length === of.length && named.assets.length === on.length)
        this.#known.set(id, named)
    }
  }
}

const kept = keptWithPlacements((services) => new NamedThings(services))

/** The scopes of single permissions on the index. */
export const reachesBy = (
  ctx: Context,
  index: PlacementIndex,
  permissions: readonly string[],
): Promise<Map<string, GrantScope>> => kept(ctx.services).reaches(index, permissions)

/** The combined scope of permissions on the index. */
export const reachBy = (ctx: Context, index: PlacementIndex, permissions: readonly string[]): Promise<GrantScope> =>
  kept(ctx.services).reach(index, permissions)
