import { useCallback, useEffect, useRef, useState } from 'react'
import { call, type Query } from '../../kit/api/client.ts'
import type { TreeItem } from '../wire.ts'
import {
  type AssetTree,
  addChildren,
  emptyTree,
  filterTree,
  replaceChildren,
  searchTree,
  type TreeNode,
  treeOf,
} from './model.ts'

const base = '/api/v1/perms/users/self/'
const retryEvery = 10_000
const mostRetries = 10
const searchDelay = 240
/** Maximum branches that "expand all" loads: each is a request. */
const mostOpened = 200

export type Lens = 'nodes' | 'types'

const trees: Record<Lens, { lazy: string; whole: string; wholeQuery: Query }> = {
  nodes: { lazy: 'nodes/children-with-assets/tree/', whole: 'nodes/all-with-assets/tree/', wholeQuery: {} },
  types: {
    lazy: 'nodes/children-with-assets/category/tree/',
    whole: 'nodes/children-with-assets/category/tree/',
    wholeQuery: { sync: 1 },
  },
}

function ask(path: string, query: Query = {}): Promise<TreeItem[]> {
  return call<TreeItem[]>(`${base}${path}`, { query, quiet: true })
}

export type TreeState = 'loading' | 'ready' | 'failed'

/**
 * Granted assets, loaded level by level or at once. A failed first load is retried automatically, because the page
 * often opens before the network is available.
 */
export function useAssetTree(lens: Lens, lazy: boolean, search: string) {
  const [tree, setTree] = useState<AssetTree>(emptyTree)
  const [found, setFound] = useState<{ of: string; tree: AssetTree }>()
  const [state, setState] = useState<TreeState>('loading')
  const [round, setRound] = useState(0)
  /** Generation of the loaded tree; responses for an older one are discarded. */
  const loading = useRef(new Map<string, Promise<void>>())
  const refreshing = useRef(false)
  // Several branches load in parallel; each response is merged into the current state.
  const latest = useRef(emptyTree)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` requests a reload
  useEffect(() => {
    let over = false
    let timer: ReturnType<typeof setTimeout>
    const paths = trees[lens]
    const rebuild = refreshing.current ? { rebuild_tree: 1 } : {}
    refreshing.current = false
    loading.current = new Map()
    setState('loading')
    const load = (tries: number) => {
      const answer = lazy ? ask(paths.lazy, rebuild) : ask(paths.whole, { ...paths.wholeQuery, ...rebuild })
      answer.then(
        (items) => {
          if (over) return
          latest.current = treeOf(items)
          setTree(latest.current)
          setState('ready')
        },
        () => {
          if (over) return
          setState('failed')
          if (tries < mostRetries) timer = setTimeout(() => load(tries + 1), retryEvery)
        },
      )
    }
    load(0)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [lens, lazy, round])

  useEffect(() => {
    const text = search.trim()
    if (!text || !lazy) {
      setFound(text ? { of: text, tree: filterTree(tree, text) } : undefined)
      return
    }
    let over = false
    const timer = setTimeout(() => {
      ask('assets/tree/', { search: text }).then(
        (items) => !over && setFound({ of: text, tree: searchTree(items) }),
        () => !over && setFound({ of: text, tree: emptyTree }),
      )
    }, searchDelay)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [search, lazy, tree])

  /** Loads the children of a node, once. */
  const open = useCallback(
    (node: TreeNode): Promise<void> => {
      if (node.kind === 'asset' || node.children !== undefined) return Promise.resolve()
      const branches = loading.current
      const known = branches.get(node.key)
      if (known) return known
      const query =
        lens === 'types' ? { type: node.id.split('_').slice(2).join('_') } : { key: node.id, n: node.name, lv: 1 }
      const answer = ask(trees[lens].lazy, query).then(
        (items) => {
          if (branches !== loading.current) return
          latest.current = addChildren(latest.current, node.key, items)
          setTree(latest.current)
        },
        () => void branches.delete(node.key),
      )
      branches.set(node.key, answer)
      return answer
    },
    [lens],
  )

  /** Reloads the favorites branch, or everything if the tree was loaded at once. */
  const renewFavorites = useCallback(async () => {
    if (!lazy) return setRound((now) => now + 1)
    if (lens !== 'nodes') return undefined
    const branches = loading.current
    const items = await ask(trees.nodes.lazy, { key: 'favorite', n: '', lv: 1 }).catch(() => undefined)
    if (!items || branches !== loading.current) return undefined
    latest.current = replaceChildren(latest.current, 'n:favorite', items)
    return setTree(latest.current)
  }, [lazy, lens])

  /** Loads everything below a node, up to a limit of branches. @returns the keys to expand */
  const openAll = useCallback(
    async (node: TreeNode): Promise<string[]> => {
      const opened: string[] = []
      const waiting = [node.key]
      while (waiting.length > 0 && opened.length < mostOpened) {
        const one = latest.current.items.get(waiting.shift() ?? '')
        if (!one || one.kind === 'asset') continue
        await open(one)
        opened.push(one.key)
        waiting.push(...(latest.current.items.get(one.key)?.children ?? []))
      }
      return opened
    },
    [open],
  )

  /** Asks the server to rebuild the tree, and loads it. */
  const refresh = useCallback(() => {
    refreshing.current = true
    setRound((now) => now + 1)
  }, [])

  return {
    tree: found?.tree ?? tree,
    searching: search.trim() !== '',
    /** Whether the tree is the result of exactly this text, not of a shorter one. */
    searched: found !== undefined && found.of === search.trim(),
    state,
    open,
    openAll,
    renewFavorites,
    refresh,
  }
}
