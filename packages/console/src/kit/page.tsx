/** Frame of every screen: title with count, actions, tabs. */

import { Button, Tabs } from 'antd'
import { ArrowLeft, Ellipsis } from 'lucide-react'
import { type ComponentRef, createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { tabsInView } from '../ant-design/classes.ts'
import { readCookie, writeCookie } from '../browser/cookies.ts'
import type { Screen } from './screen.ts'
import { can, licensed, type Organization } from './session.ts'
import { type TextKey, t } from './text.ts'

export const ScreenContext = createContext<Screen | undefined>(undefined)

/** The current screen, as declared by its route. */
export function useScreen(): Screen {
  const screen = useContext(ScreenContext)
  if (!screen) throw new Error('Outside of a screen')
  return screen
}

/** Lets a screen name its tab after its object. */
export const TitleContext = createContext<(title: string) => void>(() => {})

/** Lets a screen remove its tab after its object was deleted. */
export const CloseContext = createContext<() => void>(() => {})

/** The organizations of the view, and a function to switch: the page reloads at the same address. */
export const OrganizationsContext = createContext<{ list: readonly Organization[]; choose: (id: string) => void }>({
  list: [],
  choose: () => {},
})

export function useTitle(title: string | undefined): void {
  const setTitle = useContext(TitleContext)
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

/** Navigates to `to`; without it to the previous page, or nowhere on a dashboard or without history. */
export function Back({ to }: { to?: string }) {
  const go = useNavigate()
  const { pathname } = useLocation()
  const nowhere = !to && (pathname.endsWith('dashboard') || history.length <= 2)
  return (
    <Button
      type="text"
      size="small"
      className="page-back"
      icon={<ArrowLeft size={16} />}
      aria-label={t('back')}
      title={t('back')}
      disabled={nowhere}
      onClick={() => (to ? go(to) : go(-1))}
    />
  )
}

export function PageHead({
  icon,
  title,
  count,
  after,
  back,
  children,
}: {
  icon?: ReactNode
  title: ReactNode
  /** '' until loaded. */
  count?: string
  after?: ReactNode
  /** Target of the back arrow; false if the arrow is elsewhere. */
  back?: string | false
  children?: ReactNode
}) {
  return (
    <div className="page-head">
      {back !== false && <Back to={back} />}
      {icon}
      <h1>{title}</h1>
      {count !== undefined && <span className="count">{count}</span>}
      {after}
      <div className="grow" />
      {children}
    </div>
  )
}

export interface Tab {
  key: string
  title: TextKey
  permission?: string | readonly string[]
  license?: boolean
  visible?: boolean
  count?: number
  render: () => ReactNode
}

/** The open tab: from the address, otherwise the last opened one, `fallback`, or the first. */
function openTab<T extends { key: string }>(
  tabs: readonly T[],
  named: string | null,
  last: string | undefined,
  fallback?: string,
): T | undefined {
  const find = (key: string | null | undefined) =>
    tabs.find((tab) => key && tab.key.toLowerCase() === key.toLowerCase())
  return find(named) ?? find(last) ?? find(fallback) ?? tabs[0]
}

/** The initial tab of a screen. */
export const firstTab = <T extends { key: string }>(tabs: readonly T[], address: URLSearchParams): T | undefined =>
  openTab(tabs, address.get('activeTab'), readCookie('activeTab'))

const maySee = (tab: Pick<Tab, 'visible' | 'permission' | 'license'>): boolean =>
  (tab.visible ?? true) && can(tab.permission) && (!tab.license || licensed())

/**
 * Tabs the user may see, and the open one: query `activeTab`, then `opens`, which the route names, then the cookie,
 * then the first. Other parameters belong
 * to the open tab, which restores them while the screen is open, unless they are the `screen`'s. Back returns to the
 * previous tab.
 */
export function useTabs(
  tabs: readonly Tab[],
  fallback?: string,
  parametersOf: 'tab' | 'screen' = 'tab',
  opens: string | null = null,
): { visible: Tab[]; active?: Tab; open: (key: string) => void } {
  const [params, setParams] = useSearchParams()
  // As of opening the screen, so that an address without a tab keeps its meaning on back navigation.
  const [cookie] = useState(() => readCookie('activeTab'))
  const left = useRef(new Map<string, URLSearchParams>())
  const visible = tabs.filter(maySee)
  const active = openTab(visible, params.get('activeTab') ?? opens, cookie, fallback)
  const shown = active?.key
  useEffect(() => {
    if (shown) left.current.set(shown, params)
  }, [shown, params])
  return {
    visible,
    active,
    open: (key) => {
      writeCookie('activeTab', key, 86_400)
      const next = new URLSearchParams(parametersOf === 'screen' ? params : left.current.get(key))
      next.set('activeTab', key)
      // The organization belongs to the screen, not to the tab.
      const organization = params.get('oid')
      if (organization) next.set('oid', organization)
      setParams(next)
    },
  }
}

export function TabBar({
  tabs,
  active,
  onOpen,
}: {
  tabs: readonly Tab[]
  active?: string
  onOpen: (key: string) => void
}) {
  const bar = useRef<ComponentRef<typeof Tabs>>(null)
  // Ant Design's tab list also contains the button for overflowing tabs, which is not a tab.
  useEffect(() => {
    const tablist = bar.current?.nativeElement?.querySelector('[role=tablist]')
    for (const name of ['role', 'aria-orientation']) {
      const value = tablist?.getAttribute(name)
      tablist?.removeAttribute(name)
      if (value) tablist?.querySelector(tabsInView)?.setAttribute(name, value)
    }
  }, [])
  return (
    <Tabs
      ref={bar}
      activeKey={active}
      more={{ icon: <Ellipsis size={16} role="img" aria-label={t('moreTabs')} /> }}
      onChange={onOpen}
      items={tabs.map((tab) => ({
        key: tab.key,
        label: (
          <span data-tab={tab.key}>
            {t(tab.title)}
            {tab.count !== undefined && <em className="tab-count"> {tab.count}</em>}
          </span>
        ),
      }))}
    />
  )
}
