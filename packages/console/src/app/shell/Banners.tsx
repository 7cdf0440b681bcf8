/** Banners above every page: license, expiring password. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { licenseQuery, licenseText } from '../../kit/license.ts'
import { passwordText } from '../../kit/password-age.ts'
import { can, useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { StatementCounts } from './StatementCounts.tsx'

/** @param onLicense true on the license page, which needs no link to itself */
export function Banners({ onLicense }: { onLicense: boolean }) {
  const { profile, settings } = useSession()
  const license = useQuery({
    ...licenseQuery(),
    enabled: settings.XPACK_ENABLED === true && can('settings.change_license'),
  })
  const about = license.data && licenseText(license.data)
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
              {about.text} {!onLicense && <a href={`#${pathOf('License')}`}>{t('licenseShow')}</a>}
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
