/** Tabs and panes of the terminal application, as plain data without sockets or screens. */

export type PaneKind = 'terminal' | 'files' | 'guide'
export type PaneState = 'connecting' | 'open' | 'ended'

/** Connection of a pane, with the data for its texts, clone and reconnect. */
export interface PaneTarget {
  asset: { id: string; name: string; address: string; type: string }
  /** Display name of the account; the token contains the actual choice. */
  account: string
  /** Key of that account in a connection token. */
  alias: string
  protocol: string
  method: string
}

export interface Pane {
  id: string
  kind: PaneKind
  target: PaneTarget
  /** Id of the current connection token; a reconnect exchanges it. */
  tokenId: string
  /** Value of the token, used only by the guide. */
  tokenValue: string
  tokenExpires: string
  state: PaneState
}

export type Direction = 'right' | 'down'

export interface Tab {
  id: string
  panes: Pane[]
  active: string
  direction: Direction
  /** Name set by the user; by default derived from the panes. */
  name?: string
}

export interface Workspace {
  tabs: Tab[]
  active: string | undefined
}

export const emptyWorkspace: Workspace = { tabs: [], active: undefined }
export const maxPanes = 4

export type WorkspaceAction =
  | { do: 'open'; pane: Pane }
  | { do: 'split'; tab: string; pane: Pane; direction: Direction }
  | { do: 'select'; tab: string; pane?: string }
  | { do: 'step'; by: 1 | -1 }
  | { do: 'close'; tabs: string[] }
  | { do: 'closePane'; pane: string }
  | { do: 'rename'; tab: string; name: string }
  | { do: 'move'; tab: string; before: string | undefined }
  | { do: 'state'; pane: string; state: PaneState }
  | { do: 'token'; pane: string; tokenId: string; tokenValue: string; tokenExpires: string }

/** The next workspace; the same object if nothing changes. */
export function reduceWorkspace(space: Workspace, action: WorkspaceAction): Workspace {
  switch (action.do) {
    case 'open': {
      const tab: Tab = { id: action.pane.id, panes: [action.pane], active: action.pane.id, direction: 'right' }
      return { tabs: [...space.tabs, tab], active: tab.id }
    }
    case 'split': {
      const tab = space.tabs.find((one) => one.id === action.tab)
      if (!tab || tab.panes.length >= maxPanes) return space
      const at = tab.panes.findIndex((pane) => pane.id === tab.active) + 1
      return {
        active: tab.id,
        tabs: changeTab(space.tabs, tab.id, {
          panes: tab.panes.toSpliced(at, 0, action.pane),
          active: action.pane.id,
          direction: action.direction,
        }),
      }
    }
    case 'select': {
      const tab = space.tabs.find((one) => one.id === action.tab)
      if (!tab) return space
      const pane = action.pane ?? tab.active
      if (space.active === tab.id && tab.active === pane) return space
      return { active: tab.id, tabs: changeTab(space.tabs, tab.id, { active: pane }) }
    }
    case 'step': {
      const at = space.tabs.findIndex((tab) => tab.id === space.active)
      const next = space.tabs[(at + action.by + space.tabs.length) % space.tabs.length]
      return next ? { ...space, active: next.id } : space
    }
    case 'close':
      return closeTabs(space, action.tabs)
    case 'closePane': {
      const tab = tabOf(space, action.pane)
      if (!tab) return space
      if (tab.panes.length === 1) return closeTabs(space, [tab.id])
      const at = tab.panes.findIndex((pane) => pane.id === action.pane)
      const panes = tab.panes.toSpliced(at, 1)
      const neighbour = panes[Math.max(0, at - 1)]?.id ?? ''
      const active = tab.active === action.pane ? neighbour : tab.active
      return { ...space, tabs: changeTab(space.tabs, tab.id, { panes, active }) }
    }
    case 'rename':
      return { ...space, tabs: changeTab(space.tabs, action.tab, { name: action.name.trim() || undefined }) }
    case 'move': {
      const tab = space.tabs.find((one) => one.id === action.tab)
      if (!tab || action.before === action.tab) return space
      const others = space.tabs.filter((one) => one !== tab)
      const at = action.before ? others.findIndex((one) => one.id === action.before) : others.length
      return { ...space, tabs: others.toSpliced(at < 0 ? others.length : at, 0, tab) }
    }
    case 'state':
      return changePane(space, action.pane, { state: action.state })
    case 'token':
      return changePane(space, action.pane, {
        tokenId: action.tokenId,
        tokenValue: action.tokenValue,
        tokenExpires: action.tokenExpires,
        state: 'connecting',
      })
  }
}

export function activeTab(space: Workspace): Tab | undefined {
  return space.tabs.find((tab) => tab.id === space.active)
}

export function activePane(space: Workspace): Pane | undefined {
  const tab = activeTab(space)
  return tab?.panes.find((pane) => pane.id === tab.active)
}

export function tabOf(space: Workspace, pane: string): Tab | undefined {
  return space.tabs.find((tab) => tab.panes.some((one) => one.id === pane))
}

/** Number of running sessions, in these tabs or in all. */
export function runningPanes(tabs: Tab[]): number {
  return tabs.flatMap((tab) => tab.panes).filter((pane) => pane.state !== 'ended' && pane.kind !== 'guide').length
}

/** The tabs that a context menu entry of `tab` closes. */
export function tabsToClose(space: Workspace, tab: string, which: 'others' | 'left' | 'right') {
  const at = space.tabs.findIndex((one) => one.id === tab)
  return space.tabs
    .filter((one, i) => {
      if (which === 'others') return one.id !== tab
      return which === 'left' ? i < at : i > at
    })
    .map((one) => one.id)
}

/** Columns and rows of the grid of a tab's panes: equal sizes, four as a square. */
export function paneGrid(tab: Tab): { columns: number; rows: number } {
  const n = tab.panes.length
  if (n === 4) return { columns: 2, rows: 2 }
  return tab.direction === 'right' ? { columns: n, rows: 1 } : { columns: 1, rows: n }
}

function closeTabs(space: Workspace, ids: string[]): Workspace {
  const tabs = space.tabs.filter((tab) => !ids.includes(tab.id))
  if (tabs.length === space.tabs.length) return space
  if (!space.active || !ids.includes(space.active)) return { ...space, tabs }
  const at = space.tabs.findIndex((tab) => tab.id === space.active)
  const right = space.tabs.slice(at).find((tab) => !ids.includes(tab.id))
  return { tabs, active: (right ?? tabs.at(-1))?.id }
}

function changeTab(tabs: Tab[], id: string, change: Partial<Tab>): Tab[] {
  return tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab))
}

function changePane(space: Workspace, id: string, change: Partial<Pane>): Workspace {
  const tab = tabOf(space, id)
  if (!tab) return space
  const panes = tab.panes.map((pane) => (pane.id === id ? { ...pane, ...change } : pane))
  return { ...space, tabs: changeTab(space.tabs, tab.id, { panes }) }
}
