/** The trees of the contract, without a skin. */
import { call, type Query } from '../api/client.ts'
import { readCookie } from '../api/cookies.ts'

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

/** A node as it is sent: the root of the types says nothing of itself. */
type Sent = Omit<TreeNode, 'meta'> & Partial<Pick<TreeNode, 'meta'>>

/** One level below `parent`, or the top. */
export async function loadNodes(url: string, parent?: TreeNode, query: Query = {}): Promise<TreeNode[]> {
  const at = parent ? { key: parent.id, n: parent.name, lv: String(parent.id).split(':').length } : {}
  const nodes = await call<Sent[]>(url, { query: { ...query, ...at }, quiet: true })
  return nodes.map((node) => ({ ...node, meta: node.meta ?? { type: 'root' } }))
}

/** What stands in a node's name behind it as `(12)`. */
export function splitCount(node: TreeNode): { name: string; count?: number } {
  const found = /^(.*?)\s*\((\d+)\)$/.exec(node.name)
  return found ? { name: found[1] ?? node.name, count: Number(found[2]) } : { name: node.meta.data?.value ?? node.name }
}

/** Whether people want the assets of the chosen node alone, without those of the nodes below. */
export const justHere = (): boolean => readCookie('show_current_asset') === '1'

/** The list's query for a chosen node. */
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

/** A flat list with `pId` as branches; a parent without listed children is left to be opened. */
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
 * What is open when a tree is first shown. The server marks every node as open; those whose children it did not send wait
 * for somebody to open them, rather than one question for each pushing down what is being read.
 */
export function openAtFirst(list: readonly Branch[], everything: boolean): string[] {
  return list.flatMap(({ key, node, children }) =>
    children?.length ? [...(everything || node.open ? [key] : []), ...openAtFirst(children, everything)] : [],
  )
}

/** The same branches with one replaced. */
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
