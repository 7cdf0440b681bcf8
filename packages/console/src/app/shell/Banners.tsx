/** Sentences above every page: licence, password about to run out (spec 1 §8, shell sheet §9.5). */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { licenceQuery, licenceText } from '../../kit/licence.ts'
import { passwordText } from '../../kit/password-age.ts'
import { can, useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { StatementCounts } from './StatementCounts.tsx'

/** @param onLicence true on the license page, which needs no link to itself */
export function Banners({ onLicence }: { onLicence: boolean }) {
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
      <StatementCounts />
      {about && (
        <Alert
          banner
          type={about.tone}
          title={
            <>
              {about.text} {!onLicence && <a href={`#${pathOf('License')}`}>{t('licenceShow')}</a>}
            </>
          }
        />
      )}
      {password && (
        <Alert
          banner
          type="warning"
          title={<a href={`#${pathOf('ProfileSetting')}?activeTab=PasswordUpdate`}>{password}</a>}
        />
      )}
    </>
  )
}
