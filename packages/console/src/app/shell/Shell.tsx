/** The frame around every screen. */
import { pathOf, type View, viewOf } from '@castellan/contract/routes'
import { App, Drawer } from 'antd'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { toTitle } from '../../browser/focus-restore.ts'
import { useFocusScope } from '../../browser/focus-scope.ts'
import { useMobile } from '../../browser/media.ts'
import { hooks } from '../../kit/api/client.ts'
import { confirm } from '../../kit/confirm.ts'
import { LeaveGuard } from '../../kit/LeaveGuard.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { CloseContext, OrganizationsContext, TitleContext } from '../../kit/page.tsx'
import { session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { forgetUnsaved } from '../../kit/unsaved.ts'
import { setWindowTitle } from '../../kit/window-title.ts'
import { litPath, screenAt } from '../screens.ts'
import { toLogin } from '../startup.ts'
import { mayEnter, preferredView } from '../views.ts'
import { Announcer } from './Announcer.tsx'
import { Banners } from './Banners.tsx'
import { ConfirmDialog } from './Confirm.tsx'
import { Brand } from './Mark.tsx'
import { OrganizationSelect, useOrganizations } from './OrganizationSelect.tsx'
import { QuestionDialog } from './Question.tsx'
import { Sidebar, SideMenu, useSidebar } from './Sidebar.tsx'
import { useScrollPlace } from './scroll-place.ts'
import { TabStrip, useVisited } from './Tabs.tsx'
import { TopBar } from './TopBar.tsx'
import { type TypeAhead, typeAhead } from './type-ahead.ts'
import { ViewHint } from './ViewSwitch.tsx'

const Palette = lazyComponent(() => import('./Palette.tsx'))

// The address changes with every page of a list: components that do not use it must not re-render.
const StillSidebar = memo(Sidebar)
const StillTopBar = memo(TopBar)
const StillBanners = memo(Banners)
const StillConfirmDialog = memo(ConfirmDialog)
const StillQuestionDialog = memo(QuestionDialog)

/** A message with a link. */
function Linked({ text, link }: { text: string; link: { text: string; to: string } }) {
  const [before, ...after] = text.split(link.text)
  return (
    <span>
      {before}
      <a href={`#${link.to}`}>{link.text}</a>
      {after.join(link.text)}
    </span>
  )
}

/** One message at a time; a sign-in dialog after the session has ended. */
function useMessages(): void {
  const { message } = App.useApp()
  const shown = useRef(0)
  useEffect(() => {
    toast.listen(({ kind, text, seconds, link }) => {
      // A message with the same key would inherit the remaining time of the previous one.
      message.destroy(shown.current)
      shown.current++
      void message.open({
        key: shown.current,
        type: kind === 'ok' ? 'success' : 'error',
        content: link ? <Linked text={text} link={link} /> : text,
        duration: seconds,
      })
    })
    hooks.flash = toast.error
    hooks.otherPerson = () => {
      forgetUnsaved()
      location.reload()
    }
    // Every rejected request triggers it: one dialog is enough.
    hooks.signedOut = () =>
      confirm({
        title: t('signedOutTitle'),
        text: t('signedOutText'),
        verb: t('signInAgain'),
        run: async () => {
          // The dialog has warned that they are lost.
          forgetUnsaved()
          toLogin()
        },
      })
  }, [message])
}

function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
}

/** The view of a path; if there is none or it is forbidden, the previous or the preferred view. */
function useView(pathname: string): View {
  const own = viewOf(pathname)
  const last = useRef<View>(undefined)
  last.current =
    (own && mayEnter(own, session().profile) ? own : undefined) ??
    last.current ??
    preferredView(session().profile, localStorage.getItem('PreView')).view
  return last.current
}

export function Shell() {
  useMessages()
  useFocusScope()
  const box = useScrollPlace()
  const { pathname } = useLocation()
  const mobile = useMobile()
  const screen = screenAt(pathname)
  const view = useView(pathname)
  const [open, toggleSidebar] = useSidebar()
  const [drawer, setDrawer] = useState(false)
  const [palette, setPalette] = useState<TypeAhead>()
  const [turn, setTurn] = useState(0)
  const organizations = useOrganizations(view)
  const { tabs, setTabs, setTitle, closeThis } = useVisited(view)
  useEffect(() => {
    if (pathname) setDrawer(false)
  }, [pathname])
  const typed = useRef<TypeAhead>(undefined)
  const showPalette = useCallback(() => {
    typed.current ??= typeAhead()
    setPalette(typed.current)
  }, [])
  const closePalette = () => {
    typed.current?.take()
    typed.current = undefined
    setPalette(undefined)
  }
  const showMenu = useCallback(() => setDrawer(true), [])
  usePaletteKey(showPalette)
  const title = screen && t(screen.title)
  useEffect(() => setWindowTitle(title), [title])
  const lit = screen ? litPath(screen) : pathname
  return (
    <div className={open ? 'shell' : 'shell closed'}>
      <button type="button" className="skip" onClick={toTitle}>
        {t('skipToContent')}
      </button>
      {!mobile && <StillSidebar view={view} lit={lit} open={open} onToggle={toggleSidebar} />}
      <StillTopBar view={view} screen={screen} onMenu={showMenu} onSearch={showPalette} />
      <TabStrip view={view} tabs={tabs} setTabs={setTabs} onRefresh={() => setTurn(turn + 1)} />
      <main className="content" id="content" ref={box}>
        <ViewHint view={view} />
        <StillBanners onLicense={pathname === pathOf('License')} />
        <TitleContext value={setTitle}>
          <CloseContext value={closeThis}>
            <OrganizationsContext value={organizations}>
              <Outlet key={`${pathname}#${turn}`} />
            </OrganizationsContext>
          </CloseContext>
        </TitleContext>
      </main>
      {mobile && drawer && (
        <Drawer open placement="left" size={280} title={<Brand />} onClose={() => setDrawer(false)}>
          <OrganizationSelect view={view} screen={screen} />
          <nav aria-label={t('menu')}>
            <SideMenu view={view} lit={lit} onGo={() => setDrawer(false)} />
          </nav>
        </Drawer>
      )}
      {palette && <Palette typed={palette} onClose={closePalette} />}
      <Announcer />
      <StillConfirmDialog />
      <StillQuestionDialog />
      <LeaveGuard />
    </div>
  )
}
