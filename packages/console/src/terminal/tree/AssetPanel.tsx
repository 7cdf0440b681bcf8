import { Button, Dropdown, Input, type InputRef, Tree } from 'antd'
import { ChevronDown, ListChecks, PanelLeft, RefreshCw } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useMemo, useState } from 'react'
import { toast } from '../../kit/toast.ts'
import { t } from '../text.ts'
import { type AssetMenuActions, assetMenu, nodeMenu } from './menus.tsx'
import { type AssetTree, assetsBelow, loadedKeys, parentKeys, type TreeNode } from './model.ts'
import { recentData, recentPrefix, type TreeData, treeData } from './rows.tsx'
import { type Lens, useAssetTree } from './useAssetTree.ts'
import { useFavorites, useRecent } from './useFavorites.ts'
import { useHeight } from './useHeight.ts'

export interface AssetPanelProps extends Omit<AssetMenuActions, 'favorite'> {
  lazy: boolean
  searchRef: Ref<InputRef>
  header: ReactNode
  /** Changes when a session starts, to reload recent assets. */
  sessions: number
  connectAll: (assets: string[]) => void
  onHide: () => void
}

/** The side panel: search, recent assets and granted assets. */
export function AssetPanel(props: AssetPanelProps) {
  const [search, setSearch] = useState('')
  const [lens, setLens] = useState<Lens>('nodes')
  const [checking, setChecking] = useState(false)
  const [checked, setChecked] = useState<string[]>([])
  const [expanded, setExpanded] = useState<string[]>()
  const [menuNode, setMenuNode] = useState<TreeNode>()
  const [entered, setEntered] = useState(false)
  const assets = useAssetTree(lens, props.lazy, search)
  const { favorites, toggle } = useFavorites(() => void assets.renewFavorites())
  const { recent, refresh: refreshRecent } = useRecent()
  const [box, height] = useHeight()
  const { tree } = assets

  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads after a new session
  useEffect(refreshRecent, [props.sessions])

  const data = useMemo(() => treeData(tree, tree.roots, favorites), [tree, favorites])
  const shown = expanded && !assets.searching ? expanded : initiallyOpen(tree, assets.searching || lens === 'types')
  const recentShown = lens === 'nodes' && !assets.searching ? recent : []

  const activate = (key: string) => {
    if (key.startsWith(recentPrefix)) {
      props.connect(key.slice(recentPrefix.length))
      return
    }
    const node = tree.items.get(key)
    if (!node) {
      setExpanded(toggleKey(shown, key))
      return
    }
    if (node.kind !== 'asset') {
      setExpanded(toggleKey(shown, key))
      void assets.open(node)
    } else if (node.disabled) toast.error(t('assetInactive', { asset: node.name }))
    else props.connect(node.id)
  }

  // Enter opens the first match. Pressed before the response arrives, it waits.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when both are present
  useEffect(() => {
    if (!entered || !assets.searched) return
    setEntered(false)
    const [first] = [...tree.items.values()].filter((node) => node.kind === 'asset')
    if (first) activate(first.key)
  }, [entered, assets.searched])

  const actions: AssetMenuActions = { ...props, favorite: toggle }
  const menu = menuNode
    ? menuNode.kind === 'asset'
      ? assetMenu(menuNode, favorites.includes(menuNode.id), actions)
      : nodeMenu(menuNode, shown.includes(menuNode.key), {
          toggle: () => activate(menuNode.key),
          expandAll: () =>
            void assets.openAll(menuNode).then((keys) => setExpanded((now) => [...(now ?? shown), ...keys])),
          foldAll: () => setExpanded([]),
          connectAll: () => props.connectAll(assetsBelow(tree, menuNode.key).map(({ id }) => id)),
          loaded: assetsBelow(tree, menuNode.key).length,
        })
    : []

  return (
    <>
      <div className="brand">
        {props.header}
        <Button
          type="text"
          size="small"
          icon={<PanelLeft size={16} />}
          aria-label={t('hideTree')}
          title={`${t('hideTree')} (Ctrl Shift B)`}
          onClick={props.onHide}
        />
      </div>
      <Input
        ref={props.searchRef}
        type="search"
        value={search}
        allowClear
        placeholder={t('findAsset')}
        aria-label={t('findAsset')}
        suffix={search ? undefined : <kbd>/</kbd>}
        onChange={(event) => {
          setSearch(event.target.value)
          setEntered(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setSearch('')
          if (event.key === 'Enter') setEntered(search.trim() !== '')
        }}
      />
      <div className="tree-tools">
        <select
          value={lens}
          aria-label={t('groupBy')}
          onChange={(event) => {
            setLens(event.target.value as Lens)
            setExpanded(undefined)
          }}
        >
          <option value="nodes">{t('byNode')}</option>
          <option value="types">{t('byType')}</option>
        </select>
        <div className="grow" />
        <Button
          type="text"
          size="small"
          className={checking ? 'is-on' : ''}
          icon={<ListChecks size={14} />}
          aria-pressed={checking}
          aria-label={t('selectSeveral')}
          title={t('selectSeveral')}
          onClick={() => {
            setChecking(!checking)
            setChecked([])
          }}
        />
        <Button
          type="text"
          size="small"
          icon={<RefreshCw size={14} />}
          aria-label={t('refresh')}
          title={t('refresh')}
          onClick={assets.refresh}
        />
      </div>
      <Dropdown menu={{ items: menu }} trigger={['contextMenu']}>
        <div className="tree-box" ref={box}>
          {assets.state === 'loading' && tree.roots.length === 0 && <TreeSkeleton />}
          {assets.state === 'failed' && tree.roots.length === 0 && (
            <div className="tree-empty">
              <p>{t('treeFailed')}</p>
              <Button size="small" onClick={assets.refresh}>
                {t('retry')}
              </Button>
            </div>
          )}
          {assets.state === 'ready' && tree.roots.length === 0 && (
            <p className="tree-empty">
              {assets.searching ? t('noAssetFound', { text: search.trim() }) : t('noAssets')}
            </p>
          )}
          {tree.roots.length > 0 && height > 0 && (
            <Tree<TreeData>
              blockNode
              virtual
              switcherIcon={<ChevronDown size={14} />}
              height={height}
              treeData={[...recentData(recentShown), ...data]}
              expandedKeys={shown}
              loadedKeys={loadedKeys(tree)}
              checkable={checking}
              checkedKeys={checked}
              selectedKeys={[]}
              onCheck={(keys) => setChecked(Array.isArray(keys) ? keys.map(String) : keys.checked.map(String))}
              onExpand={(keys, { node, expanded: opened }) => {
                setExpanded(keys.map(String))
                const one = tree.items.get(String(node.key))
                if (opened && one) void assets.open(one)
              }}
              onSelect={(_, { node }) => activate(String(node.key))}
              onRightClick={({ node }) => setMenuNode(menuTarget(tree, String(node.key), recent))}
              loadData={(node) => {
                const one = tree.items.get(String(node.key))
                return one ? assets.open(one) : Promise.resolve()
              }}
            />
          )}
        </div>
      </Dropdown>
      {checking && (
        <Button
          type="primary"
          disabled={checkedAssets(tree, checked).length === 0}
          onClick={() => props.connectAll(checkedAssets(tree, checked))}
        >
          {t('connectChecked', { n: checkedAssets(tree, checked).length })}
        </Button>
      )}
    </>
  )
}

/** Initially, roots are expanded as far as loaded; types and search results completely. */
function initiallyOpen(tree: AssetTree, everything: boolean): string[] {
  if (everything) return parentKeys(tree)
  return ['recent', ...tree.roots.filter((key) => tree.items.get(key)?.children?.length)]
}

function toggleKey(keys: string[], key: string): string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]
}

function checkedAssets(tree: AssetTree, keys: string[]): string[] {
  return [
    ...new Set(
      keys
        .map((key) => tree.items.get(key))
        .filter((node) => node?.kind === 'asset')
        .map((node) => node?.id ?? ''),
    ),
  ]
}

function menuTarget(tree: AssetTree, key: string, recent: { id: string; name: string }[]): TreeNode | undefined {
  const one = recent.find(({ id }) => recentPrefix + id === key)
  if (!one) return tree.items.get(key)
  return {
    ...one,
    key,
    kind: 'asset',
    amount: undefined,
    address: '',
    type: '',
    disabled: false,
    children: undefined,
    organization: '',
  }
}

function TreeSkeleton() {
  return (
    <div className="tree-skeleton" aria-busy="true">
      {[70, 50, 60, 40, 55].map((width) => (
        <i key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
