/** The announcement of the installation. Closed by the user, it is not shown again. */
import { Alert } from 'antd'
import { useState } from 'react'
import { useSession } from './session.ts'
import { t } from './text.ts'

const key = 'AnnouncementViewed'

export function Announcement() {
  const { settings } = useSession()
  const { ID = '', SUBJECT = '', CONTENT = '', LINK = '' } = settings.ANNOUNCEMENT ?? {}
  const [closed, setClosed] = useState(() => localStorage.getItem(key) === ID)
  if (!settings.ANNOUNCEMENT_ENABLED || closed || !(SUBJECT || CONTENT)) return null
  return (
    <Alert
      className="gap-below"
      type="info"
      showIcon
      title={SUBJECT || CONTENT}
      description={
        <>
          {SUBJECT && <p className="pre-line">{CONTENT}</p>}
          {LINK && (
            <a className="linkish" href={LINK} target="_blank" rel="noreferrer noopener">
              {t('viewMore')}
            </a>
          )}
        </>
      }
      closable={{
        onClose: () => {
          localStorage.setItem(key, ID)
          setClosed(true)
        },
      }}
    />
  )
}
