/** Asks for confirmation before a link, the back button or a closed tab discards unsaved changes. */
import { Modal } from 'antd'
import { useEffect } from 'react'
import { useBlocker, useLocation, useNavigate } from 'react-router'
import { t } from './text.ts'
import { forgetUnsaved, hasUnsaved, useHasUnsaved } from './unsaved.ts'

/** The application path that a click on a plain link navigates to. */
function placeOf(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const href = link?.getAttribute('href')
  return href?.startsWith('#/') && (link?.target ?? '') === '' ? href.slice(1) : undefined
}

const tabOf = (search: string): string | null => new URLSearchParams(search).get('activeTab')

/** Index of the current history entry. */
let place = 0

/**
 * Numbers history entries created by typed addresses the same as the router numbers its own. Without an index, the
 * router cannot compute how far to go back and lets the navigation pass without asking. Call it before the router is
 * created: window listeners run in the order of registration.
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

/** Render once, around all screens: a router supports one blocker. */
export function LeaveGuard() {
  const unsaved = useHasUnsaved()
  const go = useNavigate()
  useNumberedHistory()
  // Filters and pages change the query but do not leave the form. Another tab of the page does not leave it either.
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
  // A plain link changes the address without the router, which then can neither ask nor go back.
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
