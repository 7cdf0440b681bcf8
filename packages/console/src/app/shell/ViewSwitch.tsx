/** View switcher, with a one-time hint. */
import type { View } from '@castellan/contract/routes'
import { Alert, Button, Dropdown, type MenuProps } from 'antd'
import { ArrowLeft, ChevronDown } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { useMobile } from '../../browser/media.ts'
import { choosesOnly } from '../../kit/menu.ts'
import { useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { openViews, views } from '../views.ts'

const hintKey = 'viewSwitcherTip'
/** Duration of the highlight after page load in ms; one pulse takes a second (CSS). */
const flashing = 2000

const listeners = new Set<() => void>()
const isRead = () => localStorage.getItem(hintKey) === '1'
function read(): void {
  localStorage.setItem(hintKey, '1')
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** One-time hint about the view switcher, in the page flow so that it covers nothing. */
export function ViewHint({ view }: { view: View }) {
  const mobile = useMobile()
  const { profile } = useSession()
  const known = useSyncExternalStore(subscribe, isRead)
  const open = openViews(profile)
  // Not in profile or settings, so not on the improvement page of a first login.
  if (known || mobile || open.length < 2 || !open.some((facts) => facts.view === view)) return null
  return (
    <Alert
      banner
      type="info"
      title={t('viewHint')}
      action={
        <Button size="small" type="primary" onClick={read}>
          {t('viewHintRead')}
        </Button>
      }
    />
  )
}

export function ViewSwitch({ view }: { view: View }) {
  const go = useNavigate()
  const { profile } = useSession()
  const [pulse, setPulse] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPulse(false), flashing)
    return () => clearTimeout(timer)
  }, [])
  const here = views.find((facts) => facts.view === view)
  const open = openViews(profile)
  const [only] = open
  if (only && open.length === 1)
    return only === here ? (
      <span className="switch alone">
        <b>{t(only.title)}</b>
      </span>
    ) : (
      <Button type="text" className="switch" icon={<ArrowLeft size={14} />} href={`#${only.root}`}>
        {t(only.title)}
      </Button>
    )
  const items: MenuProps['items'] = open.map((facts) => ({
    key: facts.view,
    label: t(facts.title),
    onClick: () => {
      localStorage.setItem('PreView', facts.view)
      go(facts.root)
    },
  }))
  return (
    <Dropdown
      autoFocus
      menu={{ items, onClick: choosesOnly, selectedKeys: [view] }}
      trigger={['click']}
      onOpenChange={(opened) => opened && read()}
    >
      <Button type="text" className={pulse ? 'switch pulse' : 'switch'}>
        <b>{here && t(here.title)}</b>
        <ChevronDown size={14} />
      </Button>
    </Dropdown>
  )
}
