/** Asks before a link, the back button or a closed tab takes a form with unsaved changes away. */
import { Modal } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { t } from './text.ts'
import { forgetUnsaved, hasUnsaved, useHasUnsaved } from './unsaved.ts'

const tabOf = (search: string): string | null => new URLSearchParams(search).get('activeTab')

/** Once, around every screen: a router has one blocker. */
export function LeaveGuard() {
  const unsaved = useHasUnsaved()
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
