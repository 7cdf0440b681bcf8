/** Objects of another list: pages of ten, searched on the server. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { audience } from '../../api/metadata.ts'
import { lazyComponent } from '../../lazy-component.tsx'
import { type Page, type Row, wordOf } from '../../row.ts'
import { Select } from '../../Select.tsx'
import { t } from '../../text.ts'
import { useDebounced } from '../../use-debounced.ts'
import type { Aria, Source, WidgetProps } from '../spec.ts'
import { hasName, idOf, isNamed, itemsOf, rowsOf, unnamedIn, useNames } from './names.ts'

const AssetPicker = lazyComponent(() => import('../../tree/AssetPicker.tsx'))
const TreePicker = lazyComponent(() => import('../../tree/TreePicker.tsx'))

const pageSize = 10
/** Distance from the end of the list, in pixels, at which the next page is loaded. */
const near = 600

/** Pages of options, and the labels of values given as plain ids. */
function useOptions(source: Source, unnamed: readonly string[]) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const search = useDebounced(text.trim(), 240)
  const pages = useInfiniteQuery({
    queryKey: ['options', source.url, search, ...audience()],
    enabled: opened,
    initialPageParam: 0,
    retry: (count, error) => count < 2 && !(error instanceof ApiError),
    queryFn: ({ pageParam, signal }) =>
      call<Page | Row[]>(source.url, { query: { offset: pageParam, limit: pageSize, search }, quiet: true, signal }),
    getNextPageParam: (last, all) =>
      !Array.isArray(last) && all.length * pageSize < last.count ? all.length * pageSize : undefined,
  })
  const rows = new Map<string, Row>()
  for (const row of pages.data?.pages.flatMap(rowsOf) ?? []) rows.set(idOf(row), row)
  return {
    text,
    setText,
    open: () => setOpened(true),
    rows: [...rows.values()],
    named: useNames(source, unnamed),
    loading: pages.isFetching || search !== text.trim(),
    hasMore: pages.hasNextPage,
    more: () => pages.hasNextPage && !pages.isFetching && void pages.fetchNextPage(),
    // Users without permission to list the objects can leave the current values unchanged.
    forbidden: pages.error instanceof ApiError && pages.error.status === 403,
    failed: pages.error?.message,
  }
}

export function Remote({ id, aria, value, onChange, field, info, invalid, disabled }: WidgetProps) {
  const source = field.source as Source | undefined
  if (!source) return <Select id={id} {...aria} disabled placeholder={t('noSource')} />
  const many = !(field.choices?.single ?? info.type === 'object_related_field')
  return (
    <RemoteSelect
      {...{
        id,
        aria,
        value,
        onChange,
        invalid,
        disabled,
        source,
        many,
        clearable: !info.required,
        placeholder: field.texts?.placeholder,
      }}
    />
  )
}

/** The value for entered text, if it may create an object. */
const made = (source: Source, text: string): Record<string, unknown> | undefined =>
  typeof source.create === 'object' ? source.create.make(text) : { name: text }

/** Why entered text creates nothing. */
const hintOf = ({ create }: Source): string =>
  t((typeof create === 'object' ? create.hint : undefined) ?? 'nothingFound')

const newKey = 'new:'

export function RemoteSelect({
  id,
  aria,
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
  aria?: Aria
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
  const items = useMemo(() => itemsOf(value), [value])
  const unnamed = useMemo(() => unnamedIn(value, source), [value, source])
  const options = useOptions(source, unnamed)
  const label = source.label ?? ((row: Row) => wordOf(row))
  const known = new Map<string, unknown>()
  for (const row of [...items.filter(hasName), ...options.named, ...options.rows]) known.set(idOf(row), row)
  const shown = items.map((item) => {
    const row = known.get(idOf(item)) as Row | undefined
    return { value: idOf(item), label: row ? (isNamed(row, source) ? label(row) : wordOf(row)) : '…' }
  })
  const locked = new Set(source.locked)
  const selectable = (row: Row) => !locked.has(idOf(row)) && (source.selectable?.(row) ?? true)
  const inTree = many && (source.inTree === true || source.tree !== undefined)
  const [picking, setPicking] = useState(false)
  const list = options.rows.map((row) => ({ value: idOf(row), label: label(row), disabled: !selectable(row) }))
  const typed = options.text.trim()
  const fresh = source.create && typed !== '' && !options.loading && !list.some((option) => option.label === typed)
  const creatable = fresh && made(source, typed) !== undefined
  const back = (key: string): unknown =>
    key.startsWith(newKey) ? made(source, key.slice(newKey.length)) : (known.get(key) ?? key)
  return (
    <>
      <Select
        id={id}
        {...aria}
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
        open={inTree ? false : undefined}
        showSearch={inTree ? false : { filterOption: false, onSearch: options.setText }}
        options={creatable ? [{ value: newKey + typed, label: t('createValue', { name: typed }) }, ...list] : list}
        notFoundContent={
          options.loading ? t('loading') : (options.failed ?? (fresh ? hintOf(source) : t('nothingFound')))
        }
        onOpenChange={(open) => {
          if (inTree) setPicking(open)
          else if (open) options.open()
          else options.setText('')
        }}
        onPopupScroll={(event) => {
          const box = event.currentTarget
          if (box.scrollHeight - box.scrollTop - box.clientHeight < near) options.more()
        }}
        onChange={(next: { value: string } | { value: string }[] | null | undefined) => {
          if (Array.isArray(next)) onChange(next.map((item) => back(item.value)))
          else onChange(next ? back(next.value) : null)
        }}
      />
      {options.forbidden && <small className="muted">{t('mayNotList')}</small>}
      {picking && source.tree && (
        <TreePicker
          {...source.tree}
          title={title ?? t(source.tree.kind === 'node' ? 'nodesChoose' : 'assetsChoose')}
          chosen={items.map((item) => (known.get(idOf(item)) ?? { id: idOf(item) }) as Row)}
          onClose={() => setPicking(false)}
          onPick={(rows) => {
            onChange(rows)
            setPicking(false)
          }}
        />
      )}
      {picking && !source.tree && (
        <AssetPicker
          url={source.url}
          title={title ?? t('assetsChoose')}
          chosen={new Map(items.map((item) => [idOf(item), (known.get(idOf(item)) ?? { id: idOf(item) }) as Row]))}
          may={selectable}
          onClose={() => setPicking(false)}
          onPick={(rows) => {
            const old = new Map(items.map((item) => [idOf(item), item]))
            const added = rowsOf(rows.filter((row) => !old.has(row.id)))
            onChange([...rows.filter((row) => old.has(row.id)).map((row) => old.get(row.id)), ...added])
            setPicking(false)
          }}
        />
      )}
    </>
  )
}
