/** The license as reported by the server, and its notice. */
import { assetLimit } from '@castellan/contract/license'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api/client.ts'
import { staleAfter } from './query-freshness.ts'
import { timestampOf } from './row.ts'
import { t } from './text.ts'

export interface License {
  date_expired?: string
  /** Asset limit, see `assetLimit`. */
  asset_count?: number | null
  current_asset_count?: number
  corporation?: string
  is_test?: boolean
}

const day = 86_400_000

/** Shared query of the banner and the license page. */
export const licenseQuery = () =>
  queryOptions({
    queryKey: ['license'],
    queryFn: () => call<License>('/api/v1/xpack/license/detail', { quiet: true }),
    staleTime: staleAfter(600_000),
    retry: false,
  })

/** The current or upcoming problem of a license; none if there is none. Expiry is an error. */
export function licenseText(
  license: License,
  now = Date.now(),
): { tone: 'error' | 'warning'; text: string } | undefined {
  const warning = (text: string) => ({ tone: 'warning', text }) as const
  const end = timestampOf(license.date_expired)
  // UTC calendar days, as on the server: a license is valid to the end of its last day.
  const days = end ? Math.floor(end.getTime() / day) - Math.floor(now / day) : undefined
  if (days !== undefined && days < 0) return { tone: 'error', text: t('licenseExpired') }
  if (days !== undefined && days < 7)
    return warning(days === 0 ? t('licenseEndingToday') : t('licenseEnding', { days }))
  if (license.is_test) return warning(t('licenseTest'))
  const limit = assetLimit(license.asset_count)
  if (limit !== undefined && (license.current_asset_count ?? 0) > limit) return warning(t('licenseOver'))
  return undefined
}
