import { lineage } from '../assets/index.ts'

/**
 * What a person sees of the asset tree, on plain keys (perms.md §7). A node is `granted` when a permission names it
 * and none above it; `asset` when it only holds assets that are granted by themselves; `child` when it only leads to
 * one of the others.
 */
export type Origin = 'granted' | 'asset' | 'child'

/** Keys of which no other one of the list is an ancestor: what is granted, without repetition. Linear in the list. */
export function outermostKeys(keys: Iterable<string>): string[] {
  const all = new Set(keys)
  return [...all].filter(
    (key) =>
      !lineage(key)
        .slice(1)
        .some((above) => all.has(above)),
  )
}

/** Whether a node is one of the granted ones or below one. */
export const covers = (granted: ReadonlySet<string>, key: string): boolean =>
  lineage(key).some((above) => granted.has(above))

/**
 * The nodes a person's tree has, apart from what is below granted ones.
 * @param named keys of nodes that permissions name
 * @param direct keys of nodes that hold an asset which permissions name
 */
export function treeShape(named: Iterable<string>, direct: Iterable<string>): Map<string, Origin> {
  const shape = new Map<string, Origin>()
  const granted = new Set(outermostKeys(named))
  for (const key of granted) shape.set(key, 'granted')
  for (const key of direct) if (!covers(granted, key)) shape.set(key, 'asset')
  for (const key of [...shape.keys()])
    for (const above of lineage(key).slice(1)) if (!shape.has(above)) shape.set(above, 'child')
  return shape
}

/**
 * How many different assets are in or below each node.
 * @param memberships pairs of asset and node key, in any order
 */
export function countUp(memberships: Iterable<readonly [asset: string, key: string]>): Map<string, number> {
  const keysOf = new Map<string, string[]>()
  for (const [asset, key] of memberships) {
    const keys = keysOf.get(asset)
    if (keys) keys.push(key)
    else keysOf.set(asset, [key])
  }
  const counts = new Map<string, number>()
  const above = new Map<string, readonly string[]>()
  const lineageOf = (key: string) => {
    let known = above.get(key)
    if (!known) {
      known = lineage(key)
      above.set(key, known)
    }
    return known
  }
  for (const keys of keysOf.values()) {
    const [only] = keys
    const touched = keys.length === 1 && only !== undefined ? lineageOf(only) : new Set(keys.flatMap(lineageOf))
    for (const key of touched) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
