/** Objects of another list: pages of ten, searched by the server (spec 2 §9). */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { call, selectionToken } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { audience } from '../../api/metadata.ts'
import { type Page, type Row, wordOf } from '../../row.ts'
import { t } from '../../text.ts'
import type { Source, WidgetProps } from '../spec.ts'

const pageSize = 10
type Item = { id?: string; pk?: string; value?: string | number; [key: string]: unknown }
type Option = { value: string; label: string; row: Row }

const idOf = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return String(item)
  const it = item as Item
  return String(it.id ?? it.pk ?? it.value)
}

const hasName = (item: unknown): item is Row =>
  typeof item === 'object' &&
  item !== null &&
  Object.keys(item).some((key) => ['name', 'label', 'display_name', 'full_value'].includes(key))

const rowsOf = (answer: Page | Row[]): Row[] => (Array.isArray(answer) ? answer : answer.results)

function useLater<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return later
}

/** Pages of options, and the names of values that came as bare ids. */
export function useOptions(source: Source, unnamed: readonly string[]) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const search = useLater(text, 240)
  const pages = useInfiniteQuery({
    queryKey: ['options', source.url, search, ...audience()],
    enabled: opened,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call<Page | Row[]>(source.url, { query: { offset: pageParam, limit: pageSize, search }, quiet: true, signal }),
    getNextPageParam: (last, all) =>
      !Array.isArray(last) && all.length * pageSize < last.count ? all.length * pageSize : undefined,
  })
  const names = useQuery({
    queryKey: ['names', source.url, unnamed.join(), ...audience()],
    enabled: unnamed.length > 0,
    staleTime: 60_000,
    queryFn: async () =>
      rowsOf(await call<Page | Row[]>(source.url, { query: { spm: await selectionToken(unnamed) }, quiet: true })),
  })
  return {
    setText,
    open: () => setOpened(true),
    rows: pages.data?.pages.flatMap(rowsOf) ?? [],
    named: names.data ?? [],
    loading: pages.isFetching,
    more: () => pages.hasNextPage && !pages.isFetching && void pages.fetchNextPage(),
    // Who may not list the objects may still keep those that are set.
    forbidden: pages.error instanceof ApiError && pages.error.status === 403,
  }
}

export function Remote({ id, value, onChange, field, info, invalid, disabled }: WidgetProps) {
  const source = field.source as Source | undefined
  if (!source) return <Select id={id} disabled placeholder={t('noSource')} />
  const many = !(field.single ?? info.type === 'object_related_field')
  return (
    <RemoteSelect
      {...{
        id,
        value,
        onChange,
        invalid,
        disabled,
        source,
        many,
        clearable: !info.required,
        placeholder: field.placeholder,
      }}
    />
  )
}

export function RemoteSelect({
  id,
  value,
  onChange,
  invalid,
  disabled,
  source,
  many,
  clearable,
  placeholder,
  title,
}: {
  id?: string
  value: unknown
  onChange: (value: unknown) => void
  invalid?: boolean
  disabled?: boolean
  source: Source
  many: boolean
  clearable?: boolean
  placeholder?: string
  title?: string
}) {
  const items = useMemo(
    () => (Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value]),
    [value],
  )
  const unnamed = useMemo(() => items.filter((item) => !hasName(item)).map(idOf), [items])
  const options = useOptions(source, unnamed)
  const label = source.label ?? ((row: Row) => wordOf(row))
  const known = new Map<string, Row>()
  for (const row of [...items.filter(hasName), ...options.named, ...options.rows]) known.set(idOf(row), row)
  const shown = items.map((item) => {
    const row = known.get(idOf(item))
    return { value: idOf(item), label: row ? label(row) : '…' }
  })
  const list: Option[] = options.rows.map((row) => ({ value: idOf(row), label: label(row), row }))
  const back = (key: string): unknown => known.get(key) ?? key
  return (
    <Select
      id={id}
      labelInValue
      mode={many ? 'multiple' : undefined}
      value={many ? shown : (shown[0] ?? null)}
      disabled={disabled || options.forbidden}
      status={invalid ? 'error' : undefined}
      allowClear={clearable}
      aria-label={title}
      placeholder={placeholder ?? t('choose')}
      maxTagCount={10}
      loading={options.loading}
      showSearch={{ filterOption: false, onSearch: options.setText }}
      options={list}
      notFoundContent={options.loading ? t('loading') : t('nothingFound')}
      onOpenChange={(open) => {
        if (open) options.open()
        else options.setText('')
      }}
      onPopupScroll={(event) => {
        const box = event.currentTarget
        if (box.scrollHeight - box.scrollTop - box.clientHeight < 80) options.more()
      }}
      onChange={(next: { value: string } | { value: string }[] | null | undefined) => {
        if (Array.isArray(next)) onChange(next.map((item) => back(item.value)))
        else onChange(next ? back(next.value) : null)
      }}
    />
  )
}
