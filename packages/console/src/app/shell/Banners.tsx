/** Sentences above every page: licence, password about to run out (spec 1 §8, shell sheet §9.5). */
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { call } from '../../kit/api/client.ts'
import { momentOf } from '../../kit/row.ts'
import { can, useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

interface Licence {
  date_expired?: string
  asset_count?: number | null
  current_asset_count?: number
  corporation?: string
  is_test?: boolean
}

const day = 86_400_000

/** The sentence a licence deserves; none while all is well. */
export function licenceText(licence: Licence, now = Date.now()): string | undefined {
  const end = momentOf(licence.date_expired)
  const days = end ? Math.floor((end.getTime() - now) / day) : undefined
  if (days !== undefined && days < 0) return t('licenceExpired')
  if (days !== undefined && days < 7) return t('licenceEnding', { days })
  if (licence.is_test) return t('licenceTest')
  if (licence.asset_count && (licence.current_asset_count ?? 0) > licence.asset_count) return t('licenceOver')
  return undefined
}

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
    queryKey: ['licence'],
    enabled: settings.XPACK_ENABLED === true && can('settings.change_license'),
    queryFn: () => call<Licence>('/api/v1/xpack/license/detail', { quiet: true }),
    staleTime: 600_000,
    retry: false,
  })
  const about = licence.data && licenceText(licence.data)
  const password = passwordText(
    profile.source?.value,
    profile.date_password_last_updated,
    settings.SECURITY_PASSWORD_EXPIRATION_TIME,
  )
  return (
    <>
      {about && <Alert banner type="error" title={about} />}
      {password && (
        <Alert banner type="warning" title={<a href="#/profile/setting?activeTab=PasswordUpdate">{password}</a>} />
      )}
    </>
  )
}
