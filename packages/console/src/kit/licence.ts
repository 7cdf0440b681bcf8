/** The licence as the server tells it, and the sentence it deserves (spec 1 §8). */
import { assetLimit } from '@castellan/contract/license'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api/client.ts'
import { staleAfter } from './query-freshness.ts'
import { momentOf } from './row.ts'
import { t } from './text.ts'

export interface Licence {
  date_expired?: string
  /** Assets it allows, see `assetLimit`. */
  asset_count?: number | null
  current_asset_count?: number
  corporation?: string
  is_test?: boolean
}

const day = 86_400_000

/** One question for the banner and the licence's own page. */
export const licenceQuery = () =>
  queryOptions({
    queryKey: ['licence'],
    queryFn: () => call<Licence>('/api/v1/xpack/license/detail', { quiet: true }),
    staleTime: staleAfter(600_000),
    retry: false,
  })

/** What is wrong with a licence, or soon will be; none while all is well. One that ran out is an error. */
export function licenceText(
  licence: Licence,
  now = Date.now(),
): { tone: 'error' | 'warning'; text: string } | undefined {
  const warning = (text: string) => ({ tone: 'warning', text }) as const
  const end = momentOf(licence.date_expired)
  // UTC calendar days, as on the server: a license is valid to the end of its last day.
  const days = end ? Math.floor(end.getTime() / day) - Math.floor(now / day) : undefined
  if (days !== undefined && days < 0) return { tone: 'error', text: t('licenceExpired') }
  if (days !== undefined && days < 7)
    return warning(days === 0 ? t('licenceEndingToday') : t('licenceEnding', { days }))
  if (licence.is_test) return warning(t('licenceTest'))
  const limit = assetLimit(licence.asset_count)
  if (limit !== undefined && (licence.current_asset_count ?? 0) > limit) return warning(t('licenceOver'))
  return undefined
}
