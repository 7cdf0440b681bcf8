/** Node trees of the v3 API, headless. */

import { readCookie } from '../../browser/cookies.ts'
import { call, type Query } from '../api/client.ts'

export interface TreeNode {
  id: string
  name: string
  title?: string
  pId?: string
  isParent: boolean
  open?: boolean
  checked?: boolean
  chkDisabled?: boolean
  meta: {
    /** `node`, `asset`, `category`, `type`, `platform`; other trees have their own. */
    type: string
    data?: {
      id?: string
      key?: string
      value?: string
      assetsAmount?: number
      assets_amount?: number
      org_name?: string
    }
    category?: string
    _type?: string
    [key: string]: unknown
  }
}

/** A node in a request; the root of the types tree has no parameters. */
type Sent = Omit<TreeNode, 'meta'> & Partial<Pick<TreeNode, 'meta'>>

/** One level below `parent`, or the top level. */
export async function loadNodes(url: string, parent?: TreeNode, query: Query = {}): Promise<TreeNode[]> {
  const at = parent ? { key: parent.id, n: parent.name, lv: String(parent.id).split(':').length } : {}
  const nodes = await call<Sent[]>(url, { query: { ...query, ...at }, quiet: true })
  return nodes.map((node) => ({ ...node, meta: node.meta ?? { type: 'root' } }))
}

/** The count after a node's name, as `(12)`. */
export function splitCount(node: TreeNode): { name: string; count?: number } {
  const found = /^(.*?)\s*\((\d+)\)$/.exec(node.name)
  return found ? { name: found[1] ?? node.name, count: Number(found[2]) } : { name: node.meta.data?.value ?? node.name }
}

/** Whether to show only assets of the selected node, without those of nodes below. */
export const justHere = (): boolean => readCookie('show_current_asset') === '1'

/** The list query of a selected node. */
export function queryOf(node: TreeNode, justHere: boolean): Record<string, string> {
  const { type, data } = node.meta
  switch (type) {
    case 'node':
      return { node_id: data?.id ?? '', asset_id: '', ...(justHere ? { show_current_asset: '1' } : {}) }
    case 'asset':
      return { node_id: '', asset_id: data?.id ?? node.id }
    case 'category':
      return { category: node.meta.category ?? '' }
    case 'type':
      return { category: node.meta.category ?? '', type: node.meta._type ?? '' }
    case 'platform':
      return { platform: node.id }
    default:
      return {}
  }
}

export interface Branch {
  node: TreeNode
  key: string
  children?: Branch[]
}

/** Nests a flat list by `pId`. A parent without listed children is loaded on demand. */
export function branches(nodes: readonly TreeNode[]): Branch[] {
  const known = new Set(nodes.map((node) => node.id))
  const byParent = Map.groupBy(nodes, ({ id, pId }) => (pId && pId !== id && known.has(pId) ? pId : undefined))
  const below = (parent: string | undefined): Branch[] =>
    (byParent.get(parent) ?? []).map((node) => {
      const children = below(node.id)
      return { node, key: node.id, children: children.length > 0 || !node.isParent ? children : undefined }
    })
  return below(undefined)
}

/**
 * Initially expanded nodes. The server marks all nodes as open. Those without sent children stay collapsed until the
 * user expands them; loading each would move the content.
 */
export function openAtFirst(list: readonly Branch[], everything: boolean): string[] {
  return list.flatMap(({ key, node, children }) =>
    children?.length ? [...(everything || node.open ? [key] : []), ...openAtFirst(children, everything)] : [],
  )
}

/** The branches with one replaced. */
export function replaceBranch(
  list: readonly Branch[],
  key: string,
  change: (branch: Branch) => Branch | undefined,
): Branch[] {
  return list.flatMap((branch) => {
    if (branch.key === key) return change(branch) ?? []
    return [branch.children ? { ...branch, children: replaceBranch(branch.children, key, change) } : branch]
  })
}
