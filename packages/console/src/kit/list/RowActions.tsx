/** The row's menu: the wanted action in its own place, the rest behind the dots. */
import { Button, Dropdown, type MenuProps } from 'antd'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { below } from '../api/client.ts'
import { ask } from '../ask.ts'
import { flash } from '../flash.ts'
import { useMedia } from '../media.ts'
import { type Row, wordOf } from '../row.ts'
import { t } from '../text.ts'
import type { List } from './controller.ts'
import { useHotRow } from './hot-row.ts'
import type { Acting, RowAction } from './spec.ts'

const nameOf = (row: Row): string => wordOf(row.name ?? row.display_name ?? row.hostname ?? row.username ?? row.id)

/** Update, clone and delete by the rights table, then what the screen adds. */
export function actionsOf(list: List, row: Row, go: (to: string) => void): RowAction[] {
  const { spec, rights } = list
  const acting: Acting = { rows: [row], reload: list.reload, clear: list.clear }
  const actions: RowAction[] = (spec.rowActions ?? []).filter((action) => action.has?.(row) ?? true)
  const update = spec.update === undefined && spec.path ? {} : spec.update
  if (update && rights.change && (update.has?.(row) ?? true)) {
    const to = update.to?.(row) ?? `${spec.path}/${row.id}/update`
    actions.push({
      key: 'update',
      label: t('update'),
      icon: <Pencil size={14} />,
      run: () => (update.run ? update.run(row, acting) : go(to)),
    })
  }
  const clone = spec.clone === undefined && spec.path ? {} : spec.clone
  if (clone && rights.add && (clone.has?.(row) ?? true)) {
    const to = clone.to?.(row) ?? below(`${spec.path}/create`, `?clone_from=${row.id}`)
    actions.push({ key: 'clone', label: t('clone'), icon: <Copy size={14} />, run: () => go(to) })
  }
  const remove = spec.remove ?? {}
  if (remove && rights.delete && (remove.has?.(row) ?? true)) {
    actions.push({
      key: 'delete',
      label: t('delete'),
      icon: <Trash2 size={14} />,
      danger: true,
      run: () =>
        ask({
          title: t('deleteTitle', { noun: t(spec.noun) }),
          text: t('deleteText', { name: nameOf(row) }),
          verb: t('delete'),
          danger: true,
          run: async () => {
            await list.removeRow(row)
            flash.ok(t('deleted', { name: nameOf(row) }))
          },
        }),
    })
  }
  return actions
}

export function RowActions({ list, row }: { list: List; row: Row }) {
  const hot = useHotRow(row.id)
  const touch = useMedia('(hover: none)')
  const go = useNavigate()
  const actions = actionsOf(list, row, go)
  const acting: Acting = { rows: [row], reload: list.reload, clear: list.clear }
  const label = (action: RowAction) => (typeof action.label === 'string' ? action.label : action.label(row))
  const run = (action: RowAction) => {
    const href = action.href?.(row)
    if (href !== undefined) window.open(href, action.newTab === false ? '_self' : '_blank', 'noopener')
    else void action.run?.(row, acting)
  }
  const wanted = actions.find((action) => action.wanted)
  const rest = actions.filter((action) => action !== wanted)
  const items: MenuProps['items'] = rest.map((action) => {
    const reason = action.blocked?.(row)
    return {
      key: action.key,
      label: reason ? <span title={reason}>{label(action)}</span> : label(action),
      icon: action.icon,
      danger: action.danger,
      disabled: reason !== undefined,
      onClick: () => run(action),
    }
  })
  const reason = wanted?.blocked?.(row)
  return (
    <span className={wanted?.urgent ? 'row-actions always' : 'row-actions'}>
      {wanted && (hot || touch || wanted.urgent) && (
        <Button
          size="small"
          className="wanted"
          icon={wanted.icon}
          title={reason ?? label(wanted)}
          aria-label={label(wanted)}
          disabled={reason !== undefined}
          onClick={() => run(wanted)}
        >
          {label(wanted)}
        </Button>
      )}
      {items.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
          <button type="button" className="dots" aria-label={t('actionsFor', { name: nameOf(row) })}>
            ⋯
          </button>
        </Dropdown>
      )}
    </span>
  )
}
