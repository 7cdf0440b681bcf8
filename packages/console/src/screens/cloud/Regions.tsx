/** The regions of the chosen account; others can be entered. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { WidgetProps } from '../../kit/form/spec.ts'
import { rawOf } from '../../kit/row.ts'
import { Select } from '../../kit/Select.tsx'
import { t } from '../../kit/text.ts'

interface Answer {
  regions: { id: string; name: string }[]
}

const idOf = (value: unknown): string => String(rawOf(Array.isArray(value) ? value[0] : value) ?? '')

export function Regions({ id, aria, value, onChange, invalid, disabled, values }: WidgetProps) {
  const account = idOf(values.account)
  const read = useQuery({
    queryKey: ['cloud-regions', account, ...audience()],
    enabled: account !== '',
    retry: false,
    queryFn: () => call<Answer>('/api/v1/xpack/cloud/regions/', { query: { account_id: account }, quiet: true }),
  })
  return (
    <>
      <Select
        id={id}
        {...aria}
        mode="tags"
        tokenSeparators={[',', ' ']}
        status={invalid ? 'error' : undefined}
        disabled={disabled || account === ''}
        loading={read.isFetching}
        placeholder={account === '' ? t('cloudAccountFirst') : undefined}
        value={(Array.isArray(value) ? value : []).map(String)}
        options={(read.data?.regions ?? []).map((region) => ({
          value: region.id,
          label: region.name === region.id ? region.id : `${region.name} (${region.id})`,
        }))}
        onChange={onChange}
      />
      {read.error && (
        <span className="is-danger small" role="alert">
          {read.error.message}
        </span>
      )}
    </>
  )
}
