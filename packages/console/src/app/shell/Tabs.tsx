/** Tab strip of visited pages: one tab per path, closed with its close icon or the middle button. */
import type { View } from '@castellan/contract/routes'
import { Dropdown } from 'antd'
import { X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { choosesOnly } from '../../kit/menu.ts'
import { invalidatePage } from '../../kit/query-freshness.ts'
import { t } from '../../kit/text.ts'
import { leaveThen } from '../../kit/unsaved.ts'
import { screenAt } from '../screens.ts'
import { views } from '../views.ts'
import { close, type Visited } from './visited.ts'

/** Adds the view's root as an affix tab; affix tabs of other views stay. */
function withViewHome(list: readonly Visited[], view: View): readonly Visited[] {
  const facts = views.find((one) => one.view === view)
  const home = facts?.switchable && screenAt(facts.root)
  if (!home || list.some((tab) => tab.affix && tab.path === facts.root)) return list
  const fixed = list.filter((tab) => tab.affix)
  const name = t(home.title)
  // Console and audit both have a "Dashboard".
  const title = fixed.some((tab) => tab.title === name) ? t('titledObject', { noun: t(facts.title), name }) : name
  const rest = list.filter((tab) => !tab.affix && tab.path !== facts.root)
  return [...fixed, { path: facts.root, full: facts.root, title, affix: true }, ...rest]
}

export function useVisited(view: View) {
  const { pathname, search } = useLocation()
  const [tabs, setTabs] = useState<Visited[]>([])
  useEffect(() => {
    const screen = screenAt(pathname)
    if (!screen) return
    setTabs((old) => {
      const list = withViewHome(old, view)
      const known = list.find((tab) => tab.path === pathname)
      if (known) return list.map((tab) => (tab === known ? { ...tab, full: pathname + search } : tab))
      return [...list, { path: pathname, full: pathname + search, title: t(screen.title), affix: false }]
    })
  }, [pathname, search, view])
  const setTitle = useCallback(
    (title: string) =>
      setTabs((old) => old.map((tab) => (tab.path === pathname && !tab.affix ? { ...tab, title } : tab))),
    [pathname],
  )
  const closeThis = useCallback(
    () => setTabs((old) => old.filter((tab) => tab.path !== pathname || tab.affix)),
    [pathname],
  )
  return { tabs, setTabs, setTitle, closeThis }
}

export function TabStrip({
  view,
  tabs,
  setTabs,
  onRefresh,
}: {
  view: View
  tabs: readonly Visited[]
  setTabs: (next: Visited[]) => void
  onRefresh: () => void
}) {
  const { pathname } = useLocation()
  const go = useNavigate()
  const count = tabs.length
  useEffect(() => {
    if (count > 0 && pathname)
      document.querySelector('.tabstrip .on')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname, count])
  const shut = (path: string, what: 'one' | 'others' | 'all') => {
    const next = close(tabs, path, what)
    if (next.some((tab) => tab.path === pathname)) return setTabs(next)
    // If the user stays because of unsaved changes, the tab stays current.
    return leaveThen(() => {
      setTabs(next)
      // If only affix tabs remain, prefer the one of this view.
      const own = next.find((tab) => tab.path === views.find((facts) => facts.view === view)?.root)
      go((next.findLast((tab) => !tab.affix) ?? own ?? next.at(-1))?.full ?? '/')
    })
  }
  return (
    <nav
      className="tabstrip"
      aria-label={t('visited')}
      onWheel={(event) => event.currentTarget.scrollBy({ left: event.deltaY })}
    >
      {tabs.map((tab) => (
        <Dropdown
          key={tab.path}
          trigger={['contextMenu']}
          autoFocus
          menu={{
            onClick: choosesOnly,
            items: [
              {
                key: 'refresh',
                label: t('refresh'),
                onClick: () =>
                  leaveThen(() => {
                    invalidatePage(tab.path)
                    go(tab.full)
                    onRefresh()
                  }),
              },
              { key: 'one', label: t('close'), disabled: tab.affix, onClick: () => shut(tab.path, 'one') },
              { key: 'others', label: t('closeOthers'), onClick: () => shut(tab.path, 'others') },
              { key: 'all', label: t('closeAll'), onClick: () => shut(tab.path, 'all') },
            ],
          }}
        >
          <span
            className={tab.path === pathname ? 'on' : ''}
            onAuxClick={(event) => event.button === 1 && !tab.affix && shut(tab.path, 'one')}
          >
            <a href={`#${tab.full}`} aria-current={tab.path === pathname ? 'page' : undefined}>
              {tab.title}
            </a>
            {!tab.affix && (
              <button
                type="button"
                aria-label={t('closeName', { name: tab.title })}
                onClick={() => shut(tab.path, 'one')}
              >
                <X size={12} />
              </button>
            )}
          </span>
        </Dropdown>
      ))}
    </nav>
  )
}
