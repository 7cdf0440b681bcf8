/** The hovered or focused row. Only this row renders its primary action, which keeps lists fast. */
import { useSyncExternalStore } from 'react'

let hot = ''
const listeners = new Set<() => void>()

export function setHoveredRow(id: string): void {
  if (id === hot) return
  hot = id
  for (const listener of listeners) listener()
}

/** A stable function: with a new one, React would resubscribe on every render of a row. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Re-renders a row when it becomes or stops being the hovered one. */
export const useHoveredRow = (id: string): boolean => useSyncExternalStore(listen, () => hot === id)
