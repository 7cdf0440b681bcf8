import { useSyncExternalStore } from 'react'

/** Each made once: a component asks at every drawing. */
const lists = new Map<string, MediaQueryList>()

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query)
  lists.set(query, list)
  return list
}

/** Whether a media query holds now. */
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
/** A tree has no room beside a list. */
export const useTreeFolds = (): boolean => useMedia('(max-width: 1199px)')
/** The top bar has room for what nothing else leads to only. */
export const useTiny = (): boolean => useMedia('(max-width: 480px)')
/** The side menu becomes a drawer. */
export const useMobile = (): boolean => useMedia('(max-width: 991px)')
