/** From one view to another; a hint tells once that there are several (spec 1 §2, spec 2 §4). */
import type { View } from '@castellan/contract/routes'
import { Button, Dropdown, type MenuProps, Popover } from 'antd'
import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMobile } from '../../kit/media.ts'
import { choosesOnly } from '../../kit/menu.ts'
import { useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { mayEnter, views } from '../views.ts'

const hintKey = 'viewSwitcherTip'
/** How long the switch draws attention to itself after the page was loaded, ms; one pulse is a second (css). */
const flashing = 2000

function useHint(several: boolean): [boolean, () => void] {
  const mobile = useMobile()
  const [read, setRead] = useState(() => localStorage.getItem(hintKey) === '1')
  return [
    several && !read && !mobile,
    () => {
      localStorage.setItem(hintKey, '1')
      setRead(true)
    },
  ]
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
  const open = views.filter((facts) => facts.switchable && mayEnter(facts.view, profile))
  // At home in none of them, as whoever signs in for the first time, nobody looks for another one.
  const [hinting, read] = useHint(open.length > 1 && here?.switchable === true)
  const items: MenuProps['items'] = open.map((facts) => ({
    key: facts.view,
    label: t(facts.title),
    onClick: () => {
      localStorage.setItem('PreView', facts.view)
      go(facts.root)
    },
  }))
  return (
    <Popover
      open={hinting}
      // It lies over the page's head, so it goes with the first click beside it.
      trigger={['click']}
      onOpenChange={(opened) => opened || read()}
      placement="bottomLeft"
      title={t('viewHintTitle')}
      content={
        <div className="view-hint">
          <p>{t('viewHint')}</p>
          <Button size="small" type="primary" onClick={read}>
            {t('viewHintRead')}
          </Button>
        </div>
      }
    >
      <span>
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
      </span>
    </Popover>
  )
}
