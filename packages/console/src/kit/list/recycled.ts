/** Which element of the page shows which row: elements whose row went away show the next one. */
import { useMemo, useRef } from 'react'

/**
 * A key for each row. A row keeps its key as long as it is shown; a new row takes over the key of one that left, so
 * that turning a page changes the texts of a hundred rows instead of tearing them down and building others. What a
 * row's own components remember must therefore be remembered under the row's id.
 */
export function recycledKeys(ids: readonly string[], before: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const present = new Set(ids)
  const free = [...before].flatMap(([id, key]) => (present.has(id) ? [] : [key]))
  let next = Math.max(-1, ...before.values()) + 1
  return new Map(ids.map((id) => [id, before.get(id) ?? free.shift() ?? next++]))
}

/** The same from one drawing to the next. */
export function useRecycledKeys(rows: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  const kept = useRef<ReadonlyMap<string, number>>(new Map())
  return useMemo(() => {
    kept.current = recycledKeys(
      rows.map(({ id }) => id),
      kept.current,
    )
    return kept.current
  }, [rows])
}
