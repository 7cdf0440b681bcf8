import { useQuery } from '@tanstack/react-query'
import { Radio, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import type { Page } from '../../row.ts'
import { t } from '../../text.ts'
import type { Source, WidgetProps } from '../spec.ts'

/** `["all"]`, or a list of values. */
export default function AllOrSome({ id, aria, value, onChange, field, disabled }: WidgetProps) {
  const list = Array.isArray(value) ? (value as string[]) : ['all']
  const [some, setSome] = useState(!list.includes('all'))
  const source = field.source as Source
  const options = useQuery({
    queryKey: ['options', source.url, 'all', ...audience()],
    enabled: some,
    queryFn: () => call<Page | { value: string; label: string }[]>(source.url, { quiet: true }),
  })
  const rows = (Array.isArray(options.data) ? options.data : (options.data?.results ?? [])) as {
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
        onChange={(event) => {
          setSome(event.target.value === 'some')
          onChange(event.target.value === 'some' ? [] : ['all'])
        }}
      />
      {some && (
        <Select
          mode="multiple"
          aria-label={t('specified')}
          maxTagCount={10}
          value={list.filter((item) => item !== 'all')}
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
