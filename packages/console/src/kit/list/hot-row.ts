/** The row under the pointer or with the focus: only it carries its wanted action, so that a list stays light. */
import { useSyncExternalStore } from 'react'

let hot = ''
const listeners = new Set<() => void>()

export function setHotRow(id: string): void {
  if (id === hot) return
  hot = id
  for (const listener of listeners) listener()
}

/** Re-renders one row when it becomes or stops being the hot one. */
export function useHotRow(id: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hot === id,
  )
}
