/** Actions on a tree node. */

import type { MenuProps } from 'antd'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { writeCookie } from '../../browser/cookies.ts'
import { assetSource } from '../../domain/acls/rule-attributes.ts'
import { call, withQuery } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { confirm } from '../../kit/confirm.ts'
import { Facts } from '../../kit/detail/Facts.tsx'
import { TextDialog } from '../../kit/dialog/TextDialog.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { Row } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { TreeHandle } from '../../kit/tree/AssetTree.tsx'
import { justHere, splitCount, type TreeNode } from '../../kit/tree/nodes.ts'

const AssetPicker = lazyComponent(() => import('../../kit/tree/AssetPicker.tsx'))

const url = '/api/v1/assets/nodes/'
const idOf = (node: TreeNode): string => node.meta.data?.id ?? node.id
type Change = 'add' | 'replace' | 'remove'

export interface NodeMenu {
  items: (node: TreeNode, tree: TreeHandle) => MenuProps['items']
  rename: (node: TreeNode, value: string) => Promise<unknown>
  move?: (node: TreeNode, target: TreeNode) => Promise<unknown>
  picking?: { node: TreeNode; change: Change; tree: TreeHandle }
  shown?: Row
  close: () => void
  reloadList: () => void
}

const task = async (node: TreeNode, action: 'test' | 'refresh') => {
  const answer = await call<{ task: string }>(`${url}${idOf(node)}/tasks/`, { method: 'POST', body: { action } })
  openTaskLog(answer.task)
}

async function addChild(node: TreeNode, tree: TreeHandle): Promise<void> {
  const made = await call<{ id: string; key: string; value: string }>(`${url}${idOf(node)}/children/`, {
    method: 'POST',
    body: {},
  })
  tree.insert(node, {
    id: made.key,
    pId: node.id,
    name: `${made.value} (0)`,
    isParent: false,
    meta: { type: 'node', data: made },
  })
}

const remove = (node: TreeNode, tree: TreeHandle) =>
  confirm({
    title: t('deleteTitle', { noun: t('node') }),
    text: t('deleteText', { name: splitCount(node).name }),
    verb: t('delete'),
    danger: true,
    run: async () => {
      await call(`${url}${idOf(node)}/`, { method: 'DELETE' })
      tree.drop(node)
    },
  })

/** Counts the assets of all nodes again. */
async function checkAmounts(): Promise<void> {
  const { task } = await call<{ task: string }>(`${url}check_assets_amount_task/`, { method: 'POST' })
  openTaskLog(task)
}

/** `choose` selects a node in the tree. */
export function useNodeMenu(reloadList: () => void, choose: (node: TreeNode) => void): NodeMenu {
  const [picking, setPicking] = useState<NodeMenu['picking']>()
  const [shown, setShown] = useState<Row>()
  const scope = (node: TreeNode, here: boolean) => {
    writeCookie('show_current_asset', here ? '1' : '0', 86_400)
    choose(node)
    reloadList()
  }
  const items = (node: TreeNode, tree: TreeHandle): MenuProps['items'] => {
    if (node.meta.type !== 'node' || inRoot() || node.id === '-12') return []
    const entry = (key: TextKey, permission: string, run: () => unknown) =>
      can(permission) ? [{ key, label: t(key), danger: key === 'delete', onClick: () => void attempt(run) }] : []
    const change = 'assets.change_assetnodes'
    const active = justHere() ? 'nodeOnly' : 'nodeBelow'
    const mode = (key: 'nodeOnly' | 'nodeBelow') =>
      entry(key, 'assets.view_asset', () => scope(node, key === 'nodeOnly')).map((item) => ({
        ...item,
        icon: key === active ? <Check size={14} className="is-ok" /> : undefined,
      }))
    return [
      ...entry('nodeCreate', 'assets.add_node', () => addChild(node, tree)),
      ...entry('rename', 'assets.change_node', () => tree.rename(node)),
      ...entry('delete', 'assets.delete_node', () => remove(node, tree)),
      { type: 'divider' as const },
      ...entry('nodeAddAssets', change, () => setPicking({ node, change: 'add', tree })),
      ...entry('nodeMoveAssets', change, () => setPicking({ node, change: 'replace', tree })),
      ...entry('nodeRemoveAssets', change, () => setPicking({ node, change: 'remove', tree })),
      { type: 'divider' as const },
      ...entry('nodeRefresh', 'assets.refresh_assethardwareinfo', () => task(node, 'refresh')),
      ...entry('testConnection', 'assets.test_assetconnectivity', () => task(node, 'test')),
      { type: 'divider' as const },
      ...mode('nodeOnly'),
      ...mode('nodeBelow'),
      { type: 'divider' as const },
      ...entry('nodeCheckAmount', 'assets.change_node', checkAmounts),
      ...entry('nodeInfo', 'assets.view_node', async () => setShown(await call<Row>(`${url}${idOf(node)}/`))),
    ]
  }
  return {
    items,
    rename: (node, value) => call(`${url}${idOf(node)}/`, { method: 'PATCH', body: { value } }),
    move:
      can('assets.change_node') && !inRoot()
        ? (node, target) =>
            call(`${url}${idOf(target)}/children/add/`, { method: 'PUT', body: { nodes: [idOf(node)] } })
        : undefined,
    picking,
    shown,
    close: () => {
      setPicking(undefined)
      setShown(undefined)
    },
    reloadList,
  }
}

const titles = { add: 'nodeAddAssets', replace: 'nodeMoveAssets', remove: 'nodeRemoveAssets' } as const

export function NodeDialogs({ menu }: { menu: NodeMenu }) {
  return (
    <>
      {menu.picking && <PickAssets key={menu.picking.change} menu={menu} picking={menu.picking} />}
      {menu.shown && (
        <TextDialog title={t('nodeInfo')} onClose={menu.close}>
          <Facts row={menu.shown} fields={{}} facts={[{ name: 'id', mono: true }, 'key', 'name', 'full_value']} />
        </TextDialog>
      )}
    </>
  )
}

/** Assets to add to the node, move there, or remove from it. */
function PickAssets({
  menu,
  picking: { node, change, tree },
}: {
  menu: NodeMenu
  picking: NonNullable<NodeMenu['picking']>
}) {
  const save = async (rows: readonly Row[]) => {
    const put = () =>
      call(`${url}${idOf(node)}/assets/${change}/`, { method: 'PUT', body: { assets: rows.map((row) => row.id) } })
    if (!(await attempt(put))) return
    toast.ok(t('done'))
    menu.close()
    tree.reload()
    menu.reloadList()
  }
  return (
    <AssetPicker
      url={change === 'remove' ? withQuery(assetSource.url, { node_id: idOf(node) }) : assetSource.url}
      title={`${t(titles[change])}: ${splitCount(node).name}`}
      verb={t(titles[change])}
      atLeast={1}
      onClose={menu.close}
      onPick={save}
    />
  )
}
