import { expect, test } from 'vitest'
import { emptyWorkspace, type Pane, paneGrid, reduceWorkspace, tabsToClose, type Workspace } from './model.ts'

const pane = (id: string): Pane => ({
  id,
  kind: 'terminal',
  target: {
    asset: { id: 'a', name: 'web-01', address: '10.0.0.1', type: 'linux' },
    account: 'root',
    alias: 'root',
    protocol: 'ssh',
    method: 'web_cli',
  },
  tokenId: `token-${id}`,
  tokenValue: '',
  tokenExpires: '',
  state: 'connecting',
})
const opened = (...ids: string[]): Workspace =>
  ids.reduce((space, id) => reduceWorkspace(space, { do: 'open', pane: pane(id) }), emptyWorkspace)
const order = (space: Workspace) => space.tabs.map((tab) => tab.id).join('')

test('a new tab is the active one', () => {
  expect(opened('a', 'b').active).toBe('b')
})

test('closing the active tab activates its right neighbor, or the left one for the last tab', () => {
  const space = reduceWorkspace(opened('a', 'b', 'c'), { do: 'select', tab: 'b' })
  expect(reduceWorkspace(space, { do: 'close', tabs: ['b'] }).active).toBe('c')
  expect(reduceWorkspace(opened('a', 'b', 'c'), { do: 'close', tabs: ['c'] }).active).toBe('b')
  expect(reduceWorkspace(opened('a'), { do: 'close', tabs: ['a'] })).toEqual({ tabs: [], active: undefined })
})

test('closing another tab keeps the active one', () => {
  expect(reduceWorkspace(opened('a', 'b'), { do: 'close', tabs: ['a'] }).active).toBe('b')
})

test('the context menu closes this, others, left, right and all', () => {
  const space = opened('a', 'b', 'c')
  expect(tabsToClose(space, 'b', 'others')).toEqual(['a', 'c'])
  expect(tabsToClose(space, 'b', 'left')).toEqual(['a'])
  expect(tabsToClose(space, 'b', 'right')).toEqual(['c'])
})

test('tabs are reordered before another or to the end', () => {
  const space = opened('a', 'b', 'c')
  expect(order(reduceWorkspace(space, { do: 'move', tab: 'c', before: 'a' }))).toBe('cab')
  expect(order(reduceWorkspace(space, { do: 'move', tab: 'a', before: undefined }))).toBe('bca')
  expect(reduceWorkspace(space, { do: 'move', tab: 'a', before: 'a' })).toBe(space)
})

test('a tab accepts four panes and rejects the fifth', () => {
  let space = opened('a')
  for (const id of ['b', 'c', 'd'])
    space = reduceWorkspace(space, { do: 'split', tab: 'a', pane: pane(id), direction: 'right' })
  expect(space.tabs[0]?.panes.map((one) => one.id)).toEqual(['a', 'b', 'c', 'd'])
  expect(reduceWorkspace(space, { do: 'split', tab: 'a', pane: pane('e'), direction: 'down' })).toBe(space)
  expect(paneGrid(space.tabs[0] as never)).toEqual({ columns: 2, rows: 2 })
})

test('closing a pane activates its neighbor; closing the last pane closes the tab', () => {
  let space = reduceWorkspace(opened('a'), { do: 'split', tab: 'a', pane: pane('b'), direction: 'down' })
  expect(paneGrid(space.tabs[0] as never)).toEqual({ columns: 1, rows: 2 })
  space = reduceWorkspace(space, { do: 'closePane', pane: 'b' })
  expect(space.tabs[0]?.active).toBe('a')
  expect(reduceWorkspace(space, { do: 'closePane', pane: 'a' }).tabs).toEqual([])
})

test('closing the first pane of a split keeps the tab', () => {
  let space = reduceWorkspace(opened('a'), { do: 'split', tab: 'a', pane: pane('b'), direction: 'right' })
  space = reduceWorkspace(space, { do: 'closePane', pane: 'a' })
  expect(space.tabs[0]?.id).toBe('a')
  expect(space.tabs[0]?.panes.map((one) => one.id)).toEqual(['b'])
})

test('stepping wraps around', () => {
  expect(reduceWorkspace(opened('a', 'b'), { do: 'step', by: 1 }).active).toBe('a')
  expect(reduceWorkspace(emptyWorkspace, { do: 'step', by: 1 })).toEqual(emptyWorkspace)
})

test("an empty name restores the tab's own name", () => {
  let space = reduceWorkspace(opened('a'), { do: 'rename', tab: 'a', name: ' build ' })
  expect(space.tabs[0]?.name).toBe('build')
  space = reduceWorkspace(space, { do: 'rename', tab: 'a', name: '  ' })
  expect(space.tabs[0]?.name).toBeUndefined()
})

test("a reconnect replaces the pane's token and connects again", () => {
  let space = reduceWorkspace(opened('a'), { do: 'state', pane: 'a', state: 'ended' })
  space = reduceWorkspace(space, { do: 'token', pane: 'a', tokenId: 'new', tokenValue: 'v', tokenExpires: '' })
  expect(space.tabs[0]?.panes[0]).toMatchObject({ tokenId: 'new', state: 'connecting' })
})
