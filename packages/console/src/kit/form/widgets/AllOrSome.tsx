import { useQuery } from '@tanstack/react-query'
import { Radio } from 'antd'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import { type Page, rowsIn } from '../../row.ts'
import { Select } from '../../Select.tsx'
import { t } from '../../text.ts'
import type { Source, WidgetProps } from '../spec.ts'

/** `["all"]`, or a list of values. */
export default function AllOrSome({ id, aria, value, onChange, field, disabled }: WidgetProps) {
  const list = Array.isArray(value) ? (value as string[]) : ['all']
  const some = !list.includes('all')
  const source = field.source as Source
  const options = useQuery({
    queryKey: ['options', source.url, 'all', ...audience()],
    enabled: some,
    queryFn: () => call<Page | { value: string; label: string }[]>(source.url, { quiet: true }),
  })
  const rows = rowsIn<object>(options.data) as readonly {
    value?: string
    name?: string
    label?: string
  }[]
  return (
    <div className="stack-8">
      <Radio.Group
        id={id}
        {...aria}
        value={some ? 'some' : 'all'}
        disabled={disabled}
        options={[
          { value: 'all', label: t('all') },
          { value: 'some', label: t('specified') },
        ]}
        onChange={(event) => onChange(event.target.value === 'some' ? [] : ['all'])}
      />
      {some && (
        <Select
          mode="multiple"
          aria-label={t('specified')}
          maxTagCount={10}
          value={list}
          disabled={disabled}
          placeholder={t('choose')}
          options={rows.map((row) => ({
            value: row.value ?? row.name ?? '',
            label: row.label ?? row.name ?? row.value,
          }))}
          onChange={onChange}
        />
      )}
    </div>
  )
}
