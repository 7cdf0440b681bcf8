/** One tab of the tab strip. */
export interface Visited {
  path: string
  full: string
  title: string
  /** Cannot be closed. */
  affix: boolean
}

/** Tabs after closing some. Affix tabs stay. */
export function close(list: readonly Visited[], path: string, what: 'one' | 'others' | 'all'): Visited[] {
  return list.filter(
    (tab) => tab.affix || (what === 'one' ? tab.path !== path : what === 'others' ? tab.path === path : false),
  )
}
