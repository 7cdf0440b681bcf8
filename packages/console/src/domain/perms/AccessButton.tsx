import { Button } from 'antd'
import { CircleQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { Row } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const Drawer = lazyComponent(() => import('./AccessDrawer.tsx').then(({ AccessDrawer }) => ({ default: AccessDrawer })))

/** Opens the access explanation. Visible to users who may view permissions. */
export function AccessButton(about: { user?: Row; asset?: Row }) {
  const [open, setOpen] = useState(false)
  if (!can('perms.view_assetpermission') || inRoot()) return null
  return (
    <>
      <Button icon={<CircleQuestionMark size={16} />} onClick={() => setOpen(true)}>
        {t('accessWhy')}
      </Button>
      {open && <Drawer {...about} onClose={() => setOpen(false)} />}
    </>
  )
}
