/** The selected node of a side tree is in the address, so that reload, links and back navigation restore it. */

import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { readStored } from '../../browser/local-storage.ts'
import { call } from '../api/client.ts'
import { audience } from '../api/metadata.ts'
import { staleAfter } from '../query-freshness.ts'
import type { Row } from '../row.ts'
import { queryOf, type TreeNode } from './nodes.ts'

/** Query parameters of the v3 console. */
const names = ['node_id', 'asset_id', 'category', 'type', 'platform'] as const
type Chosen = Partial<Record<(typeof names)[number], string>>

const chosenIn = (params: URLSearchParams): Chosen =>
  Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])))

const storageKey = 'chosenNodes'
const mostKept = 50

/** Nodes selected in this window, by their address: not all users may read a node by id. */
const seen = new Map(readStored<[string, TreeNode][]>(storageKey, sessionStorage))

function keep(chosen: Chosen, node: TreeNode): void {
  seen.set(JSON.stringify(chosen), node)
  sessionStorage.setItem(storageKey, JSON.stringify([...seen].slice(-mostKept)))
}

/** The part of a node that the address contains. */
function told({ node_id, asset_id, category, type, platform }: Chosen): TreeNode | undefined {
  const node = (kind: string, id: string, meta: Partial<TreeNode['meta']> = {}): TreeNode => ({
    id,
    name: id,
    isParent: false,
    meta: { type: kind, ...meta },
  })
  if (node_id) return { ...node('node', node_id, { data: { id: node_id } }), name: '…' }
  if (asset_id) return { ...node('asset', asset_id, { data: { id: asset_id } }), name: '…' }
  if (platform) return { ...node('platform', platform), name: '…' }
  if (!category) return undefined
  // Named as in the tree of types.
  const place = `ROOT_${category.toUpperCase()}`
  if (type) return { ...node('type', `${place}_${type}`, { category, _type: type }), name: type }
  return { ...node('category', place, { category }), name: category }
}

/** The selection in an address, without names. */
export const chosenBy = (address: URLSearchParams): TreeNode | undefined => told(chosenIn(address))

const sources = [
  ['node_id', '/api/v1/assets/nodes/'],
  ['asset_id', '/api/v1/assets/assets/'],
  ['platform', '/api/v1/assets/platforms/'],
] as const

/** The same with its name and its path in the tree. */
async function named(chosen: Chosen, node: TreeNode): Promise<TreeNode> {
  const source = sources.find(([name]) => chosen[name])
  if (!source) return node
  const [name, url] = source
  const row = await call<Row>(`${url}${chosen[name]}/`, { quiet: true })
  return { ...node, id: String(row.key ?? row.id), name: String(row.value ?? row.name) }
}

export function useChosenNode(): [TreeNode | undefined, (node: TreeNode | undefined) => void] {
  const [params, setParams] = useSearchParams()
  const chosen = chosenIn(params)
  const key = JSON.stringify(chosen)
  const known = seen.get(key)
  const bare = told(chosen)
  const read = useQuery({
    queryKey: ['chosen-node', key, ...audience()],
    queryFn: () => (bare ? named(chosen, bare) : Promise.resolve(null)),
    enabled: bare !== undefined && !known,
    staleTime: staleAfter(600_000),
    retry: false,
  })
  const choose = useCallback(
    (node: TreeNode | undefined) => {
      if (!node && key === '{}') return
      setParams((old) => {
        const next = new URLSearchParams(old)
        // Another node has other pages.
        for (const name of [...names, 'page']) next.delete(name)
        for (const [name, value] of node ? Object.entries(queryOf(node, false)) : []) if (value) next.set(name, value)
        if (node) keep(chosenIn(next), node)
        return next
      })
    },
    [key, setParams],
  )
  return [bare && (known ?? read.data ?? bare), choose]
}

/** Whether the selection belongs to the tree of types. */
export const isKind = (node: TreeNode | undefined): boolean =>
  node !== undefined && ['category', 'type', 'platform'].includes(node.meta.type)
