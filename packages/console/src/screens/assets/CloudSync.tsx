import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { CloudDownload } from 'lucide-react'
import { can, licensed, session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

/** Leads from the hosts to the cloud center, which imports them. */
export function CloudSync() {
  if (!can('xpack.view_account') || !licensed(session().settings)) return null
  return (
    <Button icon={<CloudDownload size={16} />} href={`#${pathOf('CloudCenter')}`}>
      {t('cloudCenter')}
    </Button>
  )
}
