/** Row height of all tables, stored in this browser. */
import { useSyncExternalStore } from 'react'

export const densities = ['normal', 'compact'] as const
export type Density = (typeof densities)[number]

const key = 'rowDensity'
const listeners = new Set<() => void>()

const chosen = (): Density => (localStorage.getItem(key) === 'compact' ? 'compact' : 'normal')

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function chooseDensity(density: Density): void {
  localStorage.setItem(key, density)
  for (const listener of listeners) listener()
}

export const useDensity = (): Density => useSyncExternalStore(listen, chosen)
