import { Database, History, type LucideIcon, Network, Server, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../text.ts'
import type { AssetTree, TreeNode } from './model.ts'
import type { RecentAsset } from './useFavorites.ts'

/** A row of Ant Design's tree. */
export interface TreeData {
  key: string
  title: ReactNode
  isLeaf: boolean
  disabled: boolean
  checkable: boolean
  children?: TreeData[]
}

/** Keys of recent assets, which appear in the tree a second time. */
export const recentPrefix = 'r:'

/** Recent assets as a separate branch; nothing if there are none. */
export function recentData(recent: RecentAsset[]): TreeData[] {
  if (recent.length === 0) return []
  const row = { disabled: false, checkable: false }
  return [
    {
      ...row,
      key: 'recent',
      isLeaf: false,
      title: <Line icon={History} name={t('recent')} />,
      children: recent.map(({ id, name }) => ({
        ...row,
        key: recentPrefix + id,
        isLeaf: true,
        title: <Line icon={Server} name={name} />,
      })),
    },
  ]
}

function Line({
  icon: Icon,
  name,
  amount,
  starred,
}: {
  icon?: LucideIcon
  name: string
  amount?: number
  starred?: boolean
}) {
  return (
    <span className="node">
      {Icon && <Icon size={14} className="kind" />}
      <span className="clip" title={name}>
        {name}
      </span>
      {starred && <Star size={12} className="starred" role="img" aria-label={t('favorite')} />}
      {amount !== undefined && <em>{amount}</em>}
    </span>
  )
}

const typeIcons: Record<string, LucideIcon> = { switch: Network, router: Network, firewall: Network, general: Network }
const databases = ['mysql', 'mariadb', 'postgresql', 'oracle', 'sqlserver', 'db2', 'clickhouse', 'mongodb', 'redis']

function iconOf(node: TreeNode): LucideIcon | undefined {
  if (node.kind === 'favorite') return Star
  if (node.kind !== 'asset') return undefined
  return databases.includes(node.type) ? Database : (typeIcons[node.type] ?? Server)
}

/** The loaded tree below some keys. */
export function treeData(tree: AssetTree, keys: readonly string[], favorites: string[]): TreeData[] {
  return keys.flatMap((key) => {
    const node = tree.items.get(key)
    if (!node) return []
    const asset = node.kind === 'asset'
    return {
      key,
      isLeaf: asset || node.amount === 0,
      disabled: node.disabled,
      checkable: asset && !node.disabled,
      title: (
        <Line
          icon={iconOf(node)}
          name={node.name}
          amount={node.amount}
          starred={asset && favorites.includes(node.id)}
        />
      ),
      children: node.children && treeData(tree, node.children, favorites),
    }
  })
}
