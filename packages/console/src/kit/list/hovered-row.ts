/** The row under the pointer or with the focus: only it carries its wanted action, so that a list stays light. */
import { useSyncExternalStore } from 'react'

let hot = ''
const listeners = new Set<() => void>()

export function setHoveredRow(id: string): void {
  if (id === hot) return
  hot = id
  for (const listener of listeners) listener()
}

/** Always the same function: with another one React would leave and listen again each time a row is drawn. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Re-renders one row when it becomes or stops being the hot one. */
export const useHoveredRow = (id: string): boolean => useSyncExternalStore(listen, () => hot === id)
