/** Row menu: the primary action as a button, the others in a menu. */
import { Button, Dropdown, type MenuProps } from 'antd'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { below } from '../api/client.ts'
import { attempt } from '../api/errors.ts'
import { confirm } from '../confirm.ts'
import { choosesOnly } from '../menu.ts'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import { nameOf } from './content.tsx'
import type { List } from './controller.ts'
import { useHoveredRow } from './hovered-row.ts'
import { rowActionDefaults } from './row-actions-width.ts'
import type { Acting, RowAction } from './spec.ts'

// Created once, not per row.
const pencil = <Pencil size={14} />
const copy = <Copy size={14} />
const bin = <Trash2 size={14} />

/** Update, clone and delete by permission, then the actions of the screen. */
function actionsOf(list: List, row: Row, go: (to: string) => unknown): RowAction[] {
  const { spec, rights } = list
  const acting: Acting = { rows: [row], reload: list.reload, clear: list.clear }
  const actions: RowAction[] = (spec.actions.row ?? []).filter((action) => action.visible?.(row) ?? true)
  const { update, clone, remove } = rowActionDefaults(spec)
  if (update && rights.change && (update.visible?.(row) ?? true)) {
    const to = update.to?.(row) ?? `${spec.path}/${row.id}/update`
    actions.push({
      key: 'update',
      label: t('update'),
      icon: pencil,
      run: () => (update.run ? update.run(row, acting) : go(to)),
    })
  }
  if (clone && rights.add && (clone.visible?.(row) ?? true)) {
    const to = clone.to?.(row) ?? below(`${spec.path}/create`, `?clone_from=${row.id}`)
    actions.push({ key: 'clone', label: t('clone'), icon: copy, run: () => go(to) })
  }
  if (remove && rights.delete && (remove.visible?.(row) ?? true)) {
    actions.push({
      key: 'delete',
      label: t('delete'),
      icon: bin,
      danger: true,
      run: () =>
        confirm({
          title: t('deleteTitle', { noun: t(spec.noun) }),
          text: t('deleteText', { name: nameOf(row, spec) }),
          verb: t('delete'),
          danger: true,
          run: async () => {
            await list.removeRow(row)
            toast.ok(t('deleted', { name: nameOf(row, spec) }))
          },
        }),
    })
  }
  return actions
}

const labelOf = (action: RowAction, row: Row): string =>
  typeof action.label === 'string' ? action.label : action.label(row)

function runAction(action: RowAction, row: Row, acting: Acting): void {
  const href = action.href?.(row)
  if (href !== undefined) window.open(href, action.newTab === false ? '_self' : '_blank', 'noopener')
  else void attempt(() => action.run?.(row, acting))
}

export function RowActions({
  list,
  row,
  touch,
  go,
}: {
  list: List
  row: Row
  /** Devices without hover. */
  touch: boolean
  go: (to: string) => unknown
}) {
  const hot = useHoveredRow(row.id)
  // Of this row: the recycled element may show another row later.
  const [openFor, setOpenFor] = useState('')
  const open = openFor === row.id
  const dots = useRef<HTMLButtonElement>(null)
  const actions = actionsOf(list, row, go)
  const acting: Acting = { rows: [row], reload: list.reload, clear: list.clear }
  const primary = actions.find((action) => action.primary)
  const rest = actions.filter((action) => action !== primary)
  const close = () => {
    setOpenFor('')
    dots.current?.focus({ preventScroll: true })
  }
  const button = rest.length > 0 && (
    <button
      key="dots"
      ref={dots}
      type="button"
      className={open ? 'dots open' : 'dots'}
      aria-label={t('actionsFor', { name: nameOf(row, list.spec) })}
      aria-haspopup="menu"
      aria-expanded={open}
      onClick={() => setOpenFor(open ? '' : row.id)}
    >
      ⋯
    </button>
  )
  const menu = open
    ? [button, <ActionMenu key="menu" actions={rest} row={row} acting={acting} onClose={close} />]
    : [button]
  if (!primary) return menu
  const reason = primary.disabledReason?.(row)
  return (
    <span className={primary.alwaysVisible ? 'row-actions always' : 'row-actions'}>
      {(hot || touch || primary.alwaysVisible) && (
        <Button
          size="small"
          className="wanted"
          icon={primary.icon}
          title={reason ?? labelOf(primary, row)}
          aria-label={labelOf(primary, row)}
          disabled={reason !== undefined}
          onClick={() => runAction(primary, row, acting)}
        >
          {labelOf(primary, row)}
        </Button>
      )}
      {menu}
    </span>
  )
}

/** Created when opened: a page has up to a hundred menus. */
function ActionMenu({
  actions,
  row,
  acting,
  onClose,
}: {
  actions: readonly RowAction[]
  row: Row
  acting: Acting
  onClose: () => void
}) {
  const items: MenuProps['items'] = actions.map((action) => {
    const reason = action.disabledReason?.(row)
    return {
      key: action.key,
      label: reason ? <span title={reason}>{labelOf(action, row)}</span> : labelOf(action, row),
      icon: action.icon,
      danger: action.danger,
      disabled: reason !== undefined,
      onClick: () => {
        onClose()
        runAction(action, row, acting)
      },
    }
  })
  return (
    <Dropdown
      open
      autoFocus
      menu={{ items, onClick: choosesOnly }}
      trigger={['click']}
      placement="bottomRight"
      onOpenChange={(open) => open || onClose()}
    >
      <i className="menu-anchor" />
    </Dropdown>
  )
}
