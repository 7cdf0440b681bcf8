import { useSyncExternalStore } from 'react'

/** Cached: components query them on every render. */
const lists = new Map<string, MediaQueryList>()

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query)
  lists.set(query, list)
  return list
}

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = listOf(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => listOf(query).matches,
  )
}

/** Tables become cards. */
export const useNarrow = (): boolean => useMedia('(max-width: 640px)')
/** No width for a tree beside a list. */
export const useTreeFolds = (): boolean => useMedia('(max-width: 1199px)')
/** The top bar shows only entries that are not reachable elsewhere. */
export const useTiny = (): boolean => useMedia('(max-width: 480px)')
/** The side menu becomes a drawer. */
export const useMobile = (): boolean => useMedia('(max-width: 991px)')
