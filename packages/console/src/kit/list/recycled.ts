/** Recycling of row elements: elements of removed rows show new rows. */
import { useMemo, useRef } from 'react'

/**
 * A React key for each row. A row keeps its key while it is shown; a new row reuses the key of a removed one, so that a
 * page change updates texts instead of unmounting and mounting a hundred rows. State of custom components must
 * therefore be keyed by row id.
 */
export function recycledKeys(ids: readonly string[], before: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const present = new Set(ids)
  const free = [...before].flatMap(([id, key]) => (present.has(id) ? [] : [key]))
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map((id) => [id, before.get(id) ?? free.shift() ?? next++]))
}

/** Stable across renders. */
export function useRecycledKeys(rows: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  const previous = useRef<ReadonlyMap<string, number>>(new Map())
  return useMemo(() => {
    previous.current = recycledKeys(
      rows.map(({ id }) => id),
      previous.current,
    )
    return previous.current
  }, [rows])
}
