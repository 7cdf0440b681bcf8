import { useSyncExternalStore } from 'react'

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** Tables become cards. */
export const useNarrow = (): boolean => useMedia('(max-width: 640px)')
/** The side menu becomes a drawer (spec 1 §9: under 992 px). */
export const useMobile = (): boolean => useMedia('(max-width: 991px)')
