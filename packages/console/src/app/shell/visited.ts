/** One entry of the strip of visited pages. */
export interface Visited {
  path: string
  full: string
  title: string
  /** Cannot be closed. */
  affix: boolean
}

/** Entries after closing some; the affixed ones stay. */
export function close(list: readonly Visited[], path: string, what: 'one' | 'others' | 'all'): Visited[] {
  return list.filter(
    (tab) => tab.affix || (what === 'one' ? tab.path !== path : what === 'others' ? tab.path === path : false),
  )
}
