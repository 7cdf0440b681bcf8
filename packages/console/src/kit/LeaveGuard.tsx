/** Asks before a link, the back button or a closed tab takes a form with unsaved changes away. */
import { Modal } from 'antd'
import { useEffect } from 'react'
import { useBlocker, useLocation, useNavigate } from 'react-router'
import { t } from './text.ts'
import { forgetUnsaved, hasUnsaved, useHasUnsaved } from './unsaved.ts'

/** The place in the application a click on a plain link leads to. */
function placeOf(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const href = link?.getAttribute('href')
  return href?.startsWith('#/') && (link?.target ?? '') === '' ? href.slice(1) : undefined
}

const tabOf = (search: string): string | null => new URLSearchParams(search).get('activeTab')

/** Number of the place in the history that is shown. */
let place = 0

/**
 * Numbers the places in the history that come from typed addresses as the router numbers its own: without a number it
 * cannot tell how far back it was, and lets the change pass without asking. Called before the router is made: what is
 * told to a window is heard in the order in which the listeners came.
 */
export function numberHistory(): void {
  addEventListener('popstate', () => {
    if (typeof history.state?.idx === 'number') return
    history.replaceState({ ...history.state, idx: place + 1 }, '')
  })
}

function useNumberedHistory(): void {
  const location = useLocation()
  useEffect(() => {
    const known: unknown = location && history.state?.idx
    if (typeof known === 'number') place = known
  }, [location])
}

/** Once, around every screen: a router has one blocker. */
export function LeaveGuard() {
  const unsaved = useHasUnsaved()
  const go = useNavigate()
  useNumberedHistory()
  // Filters and pages change the query and leave the form; another tab of the page does not.
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      hasUnsaved() && (from.pathname !== to.pathname || tabOf(from.search) !== tabOf(to.search)),
  )
  useEffect(() => {
    if (!unsaved) return
    const stop = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', stop)
    return () => removeEventListener('beforeunload', stop)
  }, [unsaved])
  // A plain link changes the address behind the router's back, which then can neither ask nor go back to where it was.
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const place = placeOf(event)
      if (place === undefined) return
      event.preventDefault()
      void go(place)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [go])
  return (
    <LeaveDialog
      open={blocker.state === 'blocked'}
      onLeave={() => {
        forgetUnsaved()
        blocker.proceed?.()
      }}
      onStay={() => blocker.reset?.()}
    />
  )
}

export function LeaveDialog({ open, onLeave, onStay }: { open: boolean; onLeave: () => void; onStay: () => void }) {
  return (
    <Modal
      open={open}
      width={460}
      title={t('leaveTitle')}
      okText={t('leaveVerb')}
      okButtonProps={{ danger: true }}
      cancelText={t('leaveStay')}
      onOk={onLeave}
      onCancel={onStay}
    >
      {t('leaveText')}
    </Modal>
  )
}
