import type { View } from '@castellan/contract/routes'
import { Button, Menu } from 'antd'
import { ChevronDown, ExternalLink, PanelLeft } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { readCookie, writeCookie } from '../../browser/cookies.ts'
import { openExternal } from '../../kit/screen.ts'
import { useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { type MenuEntry, menuOf } from '../menu.tsx'
import { screensOf } from '../screens.ts'
import { Brand } from './Mark.tsx'

/** Initially expanded groups. */
const openAtFirst = ['group:sessions', 'group:logs', 'group:jobs']

/** Stored in the cookie `sidebarStatus`, 1 open, 0 closed. */
export function useSidebar(): [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(() => readCookie('sidebarStatus') !== '0')
  const toggle = useCallback(() => {
    writeCookie('sidebarStatus', open ? '0' : '1', 31_536_000)
    setOpen(!open)
  }, [open])
  return [open, toggle]
}

const currentIf = (here: boolean): 'page' | undefined => (here ? 'page' : undefined)

const item = (entry: MenuEntry, lit: string) => ({
  key: entry.key,
  icon: entry.icon && <entry.icon size={16} />,
  label: entry.external ? (
    <span className="menu-out">
      {t(entry.title)} <ExternalLink size={12} />
    </span>
  ) : (
    t(entry.title)
  ),
  'aria-current': currentIf(entry.key === lit),
  children: entry.children?.map((child) => ({
    key: child.key,
    label: t(child.title),
    'aria-current': currentIf(child.key === lit),
  })),
})

export function SideMenu({
  view,
  lit,
  collapsed,
  onGo,
}: {
  view: View
  lit: string
  collapsed?: boolean
  onGo?: () => void
}) {
  const go = useNavigate()
  // Permissions change with the organization.
  useSession()
  const entries = menuOf(screensOf(view))
  const items = entries.map((entry) => item(entry, lit))
  const here = entries.find((entry) => entry.children?.some((child) => child.key === lit))?.key
  const [open, setOpen] = useState<string[]>(() => [...openAtFirst, ...(here ? [here] : [])])
  useEffect(() => {
    if (here) setOpen((old) => (old.includes(here) ? old : [...old, here]))
  }, [here])
  return (
    <Menu
      mode="inline"
      inlineCollapsed={collapsed}
      inlineIndent={12}
      items={items}
      {...(collapsed ? {} : { openKeys: open, onOpenChange: setOpen })}
      selectedKeys={[lit]}
      expandIcon={({ isOpen }) =>
        collapsed ? null : <ChevronDown size={14} className={isOpen ? 'twist open' : 'twist'} />
      }
      onClick={({ key }) => {
        onGo?.()
        const external = entries.find((entry) => entry.key === key)?.external
        if (external) openExternal(external)
        else go(key)
      }}
    />
  )
}

export function Sidebar({
  view,
  lit,
  open,
  onToggle,
}: {
  view: View
  lit: string
  open: boolean
  onToggle: () => void
}) {
  const { settings } = useSession()
  const label = t(open ? 'menuCollapse' : 'menuExpand')
  return (
    <aside className="sidebar" aria-label={t('navigation')}>
      <a className="brand" href="#/" aria-label={t('home')}>
        <Brand logo={settings.INTERFACE.logo_index} small={!open} />
      </a>
      <nav className="side-menu" aria-label={t('menu')}>
        <SideMenu key={`${view}${open}`} view={view} lit={lit} collapsed={!open} />
      </nav>
      <Button
        type="text"
        size="small"
        icon={<PanelLeft size={16} />}
        aria-label={label}
        title={label}
        onClick={onToggle}
      />
    </aside>
  )
}
