/** Parameters of the methods of all platforms that a form is about. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { WidgetProps } from '../../kit/form/spec.ts'
import { idsOf } from '../../kit/form/widgets/names.ts'
import { at, type Row } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { useDebounced } from '../../kit/use-debounced.ts'
import { ParamsField } from './MethodParams.tsx'

/** How long a choice of assets rests before their platforms are read. Milliseconds. */
const pauseMs = 500

/** Of the methods of one automation, `with.automation`: `push_account` or `change_secret`. */
export function PlatformParams({ field, values, ...widget }: WidgetProps) {
  const kind = String(field.with?.automation)
  const chosen = {
    asset_ids: idsOf(values.assets),
    node_ids: idsOf(values.nodes),
    platform_ids: idsOf(values.platforms),
  }
  const body = useDebounced(JSON.stringify(chosen), pauseMs)
  const mayRead = can('assets.view_platform')
  const platforms = useQuery({
    queryKey: ['platforms-of', body, ...audience()],
    enabled: mayRead,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call<Row[]>('/api/v1/assets/platforms/filter-nodes-assets/', {
        method: 'POST',
        body: JSON.parse(body),
        quiet: true,
        signal,
      }),
  })
  const methods = (platforms.data ?? [])
    .filter((platform) => at(platform, 'automation.ansible_enabled') === true)
    .filter((platform) => at(platform, `automation.${kind}_enabled`) === true)
    .map((platform) => String(at(platform, `automation.${kind}_method`) ?? ''))
  const none = mayRead ? (platforms.data?.length === 0 ? t('paramsNeedAssets') : undefined) : t('noRight')
  return <ParamsField {...widget} methods={methods.filter(Boolean)} none={none} />
}
