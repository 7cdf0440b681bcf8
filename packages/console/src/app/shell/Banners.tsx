/** Sentences above every page: licence, password about to run out (spec 1 §8, shell sheet §9.5). */
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { licenceQuery, licenceText } from '../../kit/licence.ts'
import { momentOf } from '../../kit/row.ts'
import { can, useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const day = 86_400_000

/** Password of a local person that ran out or will within five days. */
export function passwordText(
  source: unknown,
  updated: unknown,
  life: number | undefined,
  now = Date.now(),
): string | undefined {
  const changed = momentOf(updated)
  if (source !== 'local' || !changed || !life) return undefined
  const left = life - Math.floor((now - changed.getTime()) / day)
  if (left <= 0) return t('passwordExpired')
  return left <= 5 ? t('passwordEnding', { days: left }) : undefined
}

export function Banners() {
  const { profile, settings } = useSession()
  const licence = useQuery({
    ...licenceQuery(),
    enabled: settings.XPACK_ENABLED === true && can('settings.change_license'),
  })
  const about = licence.data && licenceText(licence.data)
  const password = passwordText(
    profile.source?.value,
    profile.date_password_last_updated,
    settings.SECURITY_PASSWORD_EXPIRATION_TIME,
  )
  return (
    <>
      {about && (
        <Alert
          banner
          type="error"
          title={
            <>
              {about} <a href="#/settings/license">{t('licenceShow')}</a>
            </>
          }
        />
      )}
      {password && (
        <Alert banner type="warning" title={<a href="#/profile/setting?activeTab=PasswordUpdate">{password}</a>} />
      )}
    </>
  )
}
