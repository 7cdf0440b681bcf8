import { expect, test } from 'vitest'
import type { TreeItem } from '../wire.ts'
import {
  addChildren,
  assetsBelow,
  filterTree,
  loadedKeys,
  parentKeys,
  replaceChildren,
  searchTree,
  treeOf,
} from './model.ts'

const node = (id: string, name: string, pId = ''): TreeItem => ({
  id,
  name,
  title: name,
  pId,
  isParent: true,
  open: true,
  meta: { type: 'node', data: { id, key: id, value: name } },
})
const asset = (id: string, pId: string, address = '10.0.0.1', org = 'Default'): TreeItem => ({
  id,
  name: id,
  title: `${address}\ncomment`,
  pId,
  isParent: false,
  iconSkin: 'linux',
  chkDisabled: id.startsWith('off'),
  meta: { type: 'asset', data: { platform_type: 'linux', org_name: org, name: id, address } },
})
const first = [
  node('favorite', 'Favorite (1)'),
  node('1', 'Default (3)'),
  node('1:2', 'Web (2)', '1'),
  node('1:3', 'Data (1)', '1'),
  asset('root-host', '1'),
]

test('the first response is a root with its children, whose nodes are collapsed', () => {
  const tree = treeOf(first)
  expect(tree.roots).toEqual(['n:favorite', 'n:1'])
  expect(tree.items.get('n:1')).toMatchObject({
    name: 'Default',
    amount: 3,
    children: ['n:1:2', 'n:1:3', 'a:n:1:root-host'],
  })
  expect(tree.items.get('n:1:2')?.children).toBeUndefined()
  expect(tree.items.get('n:favorite')).toMatchObject({ kind: 'favorite', amount: 1, children: undefined })
})

test('a lazy response is inserted below its node; an asset may appear twice', () => {
  let tree = addChildren(treeOf(first), 'n:1:2', [
    node('1:2:1', 'Edge (0)', '1:2'),
    asset('web-01', '1:2'),
    asset('off-01', '1:2'),
  ])
  tree = addChildren(tree, 'n:favorite', [asset('web-01', 'favorite')])
  expect(tree.items.get('n:1:2')?.children).toEqual(['n:1:2:1', 'a:n:1:2:web-01', 'a:n:1:2:off-01'])
  expect(tree.items.get('n:favorite')?.children).toEqual(['a:n:favorite:web-01'])
  expect(tree.items.get('a:n:1:2:off-01')?.disabled).toBe(true)
  expect(tree.items.get('a:n:1:2:web-01')).toMatchObject({ id: 'web-01', address: '10.0.0.1', type: 'linux' })
  expect(tree.roots).toEqual(['n:favorite', 'n:1'])
})

test('an empty node counts as loaded afterwards', () => {
  expect(addChildren(treeOf(first), 'n:1:3', []).items.get('n:1:3')?.children).toEqual([])
})

test('a changed favorite reloads only its own branch', () => {
  let tree = addChildren(treeOf(first), 'n:1:2', [asset('web-01', '1:2')])
  tree = replaceChildren(tree, 'n:favorite', [asset('web-01', 'favorite'), asset('web-02', 'favorite')])
  expect(tree.items.get('n:favorite')).toMatchObject({
    amount: 2,
    children: ['a:n:favorite:web-01', 'a:n:favorite:web-02'],
  })
  expect(tree.items.get('n:1:2')?.children).toEqual(['a:n:1:2:web-01'])
  expect(loadedKeys(tree)).toEqual(['n:favorite', 'n:1', 'n:1:2'])
})

test('a type has its count without a space', () => {
  const type = { ...node('ROOT_HOST_linux', 'Linux(3)'), meta: { type: 'type', data: {} } }
  expect(treeOf([type]).items.get('n:ROOT_HOST_linux')).toMatchObject({ name: 'Linux', amount: 3 })
})

test('a reloaded node keeps the loaded levels of its children', () => {
  let tree = addChildren(treeOf(first), 'n:1:2', [asset('web-01', '1:2')])
  tree = addChildren(tree, 'n:1', [node('1:2', 'Web (2)', '1')])
  expect(tree.items.get('n:1:2')?.children).toEqual(['a:n:1:2:web-01'])
})

test('search results of one organization are a flat list, of several grouped', () => {
  expect(searchTree([asset('a', ''), asset('b', '')]).roots).toEqual(['a::a', 'a::b'])
  const grouped = searchTree([asset('a', '', '10.0.0.1', 'North'), asset('b', '', '10.0.0.2', 'South')])
  expect(grouped.roots).toEqual(['n:org:North', 'n:org:South'])
  expect(grouped.items.get('n:org:South')?.children).toEqual(['a:n:org:South:b'])
})

test('the local filter matches name and address and keeps ancestors', () => {
  const tree = addChildren(treeOf(first), 'n:1:2', [asset('web-01', '1:2', '192.168.7.1'), asset('web-02', '1:2')])
  const found = filterTree(tree, '192.168')
  expect(found.roots).toEqual(['n:1'])
  expect(found.items.get('n:1:2')?.children).toEqual(['a:n:1:2:web-01'])
  expect(filterTree(tree, ' ')).toBe(tree)
})

test('expand all and connect all use loaded nodes', () => {
  const tree = addChildren(treeOf(first), 'n:1:2', [asset('web-01', '1:2'), asset('root-host', '1:2')])
  expect(parentKeys(tree)).toEqual(['n:1', 'n:1:2'])
  expect(assetsBelow(tree, 'n:1').map((one) => one.id)).toEqual(['web-01', 'root-host'])
})
