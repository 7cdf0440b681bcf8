import type { MenuProps } from 'antd'
import { t } from '../text.ts'
import type { Direction } from '../workspace/model.ts'
import type { TreeNode } from './model.ts'

export interface AssetMenuActions {
  connect: (asset: string) => void
  connectWith: (asset: string) => void
  connectFiles: (asset: string) => void
  openWindow: (asset: string) => void
  /** Undefined if no tab is open or the tab is full. */
  split: ((asset: string, direction: Direction) => void) | undefined
  favorite: (asset: string) => void
}

type Items = NonNullable<MenuProps['items']>

export function assetMenu(node: TreeNode, favorite: boolean, actions: AssetMenuActions): Items {
  const { split } = actions
  return [
    { key: 'connect', label: t('connect'), disabled: node.disabled, onClick: () => actions.connect(node.id) },
    { key: 'with', label: t('connectWith'), disabled: node.disabled, onClick: () => actions.connectWith(node.id) },
    { key: 'files', label: t('openFiles'), disabled: node.disabled, onClick: () => actions.connectFiles(node.id) },
    { key: 'window', label: t('openWindow'), disabled: node.disabled, onClick: () => actions.openWindow(node.id) },
    { type: 'divider' },
    {
      key: 'right',
      label: t('splitRight'),
      disabled: node.disabled || !split,
      title: split ? undefined : t('splitNeedsTab'),
      onClick: () => split?.(node.id, 'right'),
    },
    {
      key: 'down',
      label: t('splitDown'),
      disabled: node.disabled || !split,
      title: split ? undefined : t('splitNeedsTab'),
      onClick: () => split?.(node.id, 'down'),
    },
    { type: 'divider' },
    { key: 'star', label: favorite ? t('unfavorite') : t('favorite'), onClick: () => actions.favorite(node.id) },
  ]
}

export interface NodeMenuActions {
  toggle: () => void
  expandAll: () => void
  foldAll: () => void
  connectAll: () => void
  /** Loaded assets below the node. */
  loaded: number
}

export function nodeMenu(node: TreeNode, open: boolean, actions: NodeMenuActions): Items {
  const items: Items = [
    { key: 'toggle', label: open ? t('fold') : t('expand'), onClick: actions.toggle },
    { key: 'expand', label: t('expandAll'), onClick: actions.expandAll },
    { key: 'fold', label: t('foldAll'), onClick: actions.foldAll },
  ]
  if (actions.loaded === 0) return items
  const label = t('connectBelow', { n: actions.loaded, node: node.name })
  return [...items, { type: 'divider' }, { key: 'connect', label, onClick: actions.connectAll }]
}
