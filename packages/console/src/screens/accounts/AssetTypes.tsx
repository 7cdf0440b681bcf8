import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { WidgetProps } from '../../kit/form/spec.ts'
import { Select } from '../../kit/Select.tsx'

interface Category {
  value: string
  label: string
  types: readonly { value: string; label: string }[]
}

/** Types of assets, by category. */
export function AssetTypes({ id, aria, value, onChange, invalid, disabled }: WidgetProps) {
  const categories = useQuery({
    queryKey: ['categories', ...audience()],
    queryFn: () => call<Category[]>('/api/v1/assets/categories/', { quiet: true }),
  })
  const options = (categories.data ?? [])
    .filter(({ types }) => types.length > 0)
    .map(({ label, types }) => ({ label, options: types.map((type) => ({ value: type.value, label: type.label })) }))
  return (
    <Select<string[], { value?: string; label: string; options?: { value: string; label: string }[] }>
      id={id}
      {...aria}
      mode="multiple"
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
      options={options}
      loading={categories.isLoading}
      disabled={disabled}
      {...(invalid ? { status: 'error' as const } : {})}
      showSearch={{ optionFilterProp: 'label' }}
    />
  )
}
