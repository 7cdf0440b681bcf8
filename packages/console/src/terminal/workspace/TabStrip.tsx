import { Button, Dropdown, type MenuProps } from 'antd'
import { Columns2, FolderUp, KeyRound, List, PanelLeft, Plus, Rows2, Settings, SquareTerminal, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../text.ts'
import { type Direction, maxPanes, type Tab, tabsToClose, type Workspace } from './model.ts'

export interface TabStripProps {
  space: Workspace
  treeShown: boolean
  onShowTree: () => void
  onSelect: (tab: string) => void
  onRename: (tab: string, name: string) => void
  onMove: (tab: string, before: string | undefined) => void
  onClose: (tabs: string[]) => void
  onClone: (tab: string) => void
  onReconnect: (tab: string) => void
  onSplit: (tab: string, direction: Direction) => void
  onNew: () => void
  onSettings: () => void
  end: ReactNode
}

export function tabTitle(tab: Tab): string {
  if (tab.name) return tab.name
  const [first] = tab.panes
  if (!first) return ''
  const { asset } = first.target
  const name = first.kind === 'files' ? t('filesOn', { asset: asset.name }) : asset.name
  return tab.panes.length > 1 ? `${name} + ${tab.panes.length - 1}` : name
}

/** Tabs: click, drag, double-click to rename, right click for the menu; arrow keys move between them. */
export function TabStrip(props: TabStripProps) {
  const { space } = props
  const [renaming, setRenaming] = useState<string>()
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const active = space.tabs.find((tab) => tab.id === space.active)

  const menu = (tab: Tab): MenuProps['items'] => {
    const closing = (which: 'others' | 'left' | 'right') => {
      const tabs = tabsToClose(space, tab.id, which)
      return { disabled: tabs.length === 0, onClick: () => props.onClose(tabs) }
    }
    const full = tab.panes.length >= maxPanes
    return [
      { key: 'clone', label: t('cloneTab'), onClick: () => props.onClone(tab.id) },
      { key: 'again', label: t('reconnect'), onClick: () => props.onReconnect(tab.id) },
      { key: 'rename', label: t('rename'), onClick: () => setRenaming(tab.id) },
      { type: 'divider' },
      { key: 'right', label: t('splitRight'), disabled: full, onClick: () => props.onSplit(tab.id, 'right') },
      { key: 'down', label: t('splitDown'), disabled: full, onClick: () => props.onSplit(tab.id, 'down') },
      { type: 'divider' },
      { key: 'close', label: t('close'), onClick: () => props.onClose([tab.id]) },
      { key: 'others', label: t('closeOthers'), ...closing('others') },
      { key: 'left', label: t('closeLeft'), ...closing('left') },
      { key: 'rightOnes', label: t('closeRight'), ...closing('right') },
      { key: 'all', label: t('closeAll'), onClick: () => props.onClose(space.tabs.map(({ id }) => id)) },
    ]
  }
  const drop = (before: string | undefined) => {
    if (dragged) props.onMove(dragged, before)
    setDragged(undefined)
    setOver(undefined)
  }
  const splitTitle = !active
    ? t('splitNeedsTab')
    : active.panes.length >= maxPanes
      ? t('splitFull', { n: maxPanes })
      : undefined

  return (
    <header className="tabs">
      {!props.treeShown && (
        <Button
          type="text"
          className="tabs-tool"
          icon={<PanelLeft size={16} />}
          aria-label={t('showTree')}
          title={`${t('showTree')} (Ctrl Shift B)`}
          onClick={props.onShowTree}
        />
      )}
      <div
        className="tab-list"
        role="tablist"
        onDragOver={(event) => dragged && event.preventDefault()}
        onDrop={() => drop(undefined)}
      >
        {space.tabs.map((tab) => (
          <Dropdown key={tab.id} menu={{ items: menu(tab) }} trigger={['contextMenu']}>
            <div
              role="tab"
              tabIndex={tab.id === space.active ? 0 : -1}
              aria-selected={tab.id === space.active}
              className={`tab ${tab.id === space.active ? 'on' : ''} ${tab.id === over && dragged ? 'over' : ''} ${ended(tab) ? 'ended' : ''} ${tab.panes[0]?.kind === 'terminal' ? '' : 'is-light'}`}
              draggable={renaming !== tab.id}
              aria-keyshortcuts="Delete"
              onClick={({ target }) =>
                (target as Element).closest('.tab-close') ? props.onClose([tab.id]) : props.onSelect(tab.id)
              }
              onAuxClick={(event) => event.button === 1 && props.onClose([tab.id])}
              onDoubleClick={() => setRenaming(tab.id)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' || event.key === ' ') props.onSelect(tab.id)
                if (event.key === 'F2') setRenaming(tab.id)
                if (event.key === 'Delete') props.onClose([tab.id])
                const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
                const next = step && space.tabs[space.tabs.indexOf(tab) + step]
                if (next) {
                  props.onSelect(next.id)
                  const sibling =
                    step > 0 ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling
                  if (sibling instanceof HTMLElement) sibling.focus()
                }
              }}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', tabTitle(tab))
                setDragged(tab.id)
              }}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => {
                if (!dragged) return
                event.preventDefault()
                setOver(tab.id)
              }}
              onDrop={(event) => {
                event.stopPropagation()
                drop(dragsRight(space, dragged, tab.id) ? after(space, tab.id) : tab.id)
              }}
            >
              <TabIcon tab={tab} />
              {renaming === tab.id ? (
                <NameField
                  name={tabTitle(tab)}
                  onDone={(name) => {
                    setRenaming(undefined)
                    if (name !== undefined) props.onRename(tab.id, name)
                  }}
                />
              ) : (
                <span className="clip" title={tabTitle(tab)}>
                  {tabTitle(tab)}
                </span>
              )}
              {/* For pointers only, because a tab cannot contain a button: the keyboard has Delete and the menu. */}
              <span className="tab-close" aria-hidden title={t('closeTab', { name: tabTitle(tab) })}>
                <X size={12} />
              </span>
            </div>
          </Dropdown>
        ))}
      </div>
      <Button
        type="text"
        className="tabs-tool"
        icon={<Plus size={16} />}
        aria-label={t('newConnection')}
        title={`${t('newConnection')} (Ctrl Shift O)`}
        onClick={props.onNew}
      />
      <div className="grow" />
      <div className="tabs-end">
        <Button
          type="text"
          size="small"
          icon={<Columns2 size={16} />}
          aria-label={t('splitRight')}
          title={splitTitle ?? `${t('splitRight')} (Ctrl Shift D)`}
          disabled={!!splitTitle}
          onClick={() => active && props.onSplit(active.id, 'right')}
        />
        <Button
          type="text"
          size="small"
          icon={<Rows2 size={16} />}
          aria-label={t('splitDown')}
          title={splitTitle ?? `${t('splitDown')} (Ctrl Shift E)`}
          disabled={!!splitTitle}
          onClick={() => active && props.onSplit(active.id, 'down')}
        />
        <Dropdown
          trigger={['click']}
          menu={{
            selectedKeys: space.active ? [space.active] : [],
            items: space.tabs.map((tab) => ({
              key: tab.id,
              label: tabTitle(tab),
              onClick: () => props.onSelect(tab.id),
            })),
          }}
        >
          <Button
            type="text"
            size="small"
            icon={<List size={16} />}
            aria-label={t('listTabs')}
            title={t('listTabs')}
            disabled={space.tabs.length === 0}
          />
        </Dropdown>
        <Button
          type="text"
          size="small"
          icon={<Settings size={16} />}
          aria-label={t('settings')}
          title={t('settings')}
          onClick={props.onSettings}
        />
        {props.end}
      </div>
    </header>
  )
}

function TabIcon({ tab }: { tab: Tab }) {
  const kind = tab.panes[0]?.kind
  if (kind === 'files') return <FolderUp size={14} />
  return kind === 'guide' ? <KeyRound size={14} /> : <SquareTerminal size={14} />
}

function ended(tab: Tab): boolean {
  return tab.panes.every((pane) => pane.state === 'ended')
}

/** A tab dragged to the right is placed after its drop target. */
function dragsRight(space: Workspace, dragged: string | undefined, target: string): boolean {
  const at = (id: string | undefined) => space.tabs.findIndex((tab) => tab.id === id)
  return at(dragged) < at(target)
}

function after(space: Workspace, id: string): string | undefined {
  return space.tabs[space.tabs.findIndex((tab) => tab.id === id) + 1]?.id
}

/** Enter or blur applies the name, Escape discards it. */
function NameField({ name, onDone }: { name: string; onDone: (name: string | undefined) => void }) {
  return (
    <input
      className="tab-name"
      defaultValue={name}
      aria-label={t('rename')}
      ref={(field) => field?.select()}
      onClick={(event) => event.stopPropagation()}
      onBlur={(event) => onDone(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') onDone(undefined)
      }}
    />
  )
}
