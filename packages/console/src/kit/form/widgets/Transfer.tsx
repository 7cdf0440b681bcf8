/** Selection from many objects: a page of ten with checkboxes on the left, the selected ones on the right. */
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import { Pager } from '../../Pager.tsx'
import { number, type Page, type Row, wordOf } from '../../row.ts'
import { t } from '../../text.ts'
import { useDebounced } from '../../use-debounced.ts'
import type { Source, WidgetProps } from '../spec.ts'
import { hasName, idOf, isNamed, rowsOf, useNames } from './names.ts'

const pageSize = 10

export default function Transfer({ value, onChange, field, disabled }: WidgetProps) {
  const source = field.source as Source
  const label = source.label ?? ((row: Row) => wordOf(row))
  const items = useMemo(() => (Array.isArray(value) ? value : []), [value])
  const chosen = new Set(items.map(idOf))
  const [page, setPage] = useState(1)
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), 240)
  const found = useQuery<Page>({
    queryKey: ['options', source.url, search, page, ...audience()],
    placeholderData: (old) => old,
    queryFn: ({ signal }) =>
      call<Page>(source.url, {
        query: { offset: (page - 1) * pageSize, limit: pageSize, search },
        quiet: true,
        signal,
      }),
  })
  const unnamed = useMemo(() => items.filter((item) => !isNamed(item, source)).map(idOf), [items, source])
  const names = useNames(source, unnamed)
  const known = new Map<string, Row>()
  for (const row of [...items.filter(hasName), ...names, ...(found.data ? rowsOf(found.data) : [])])
    known.set(idOf(row), row)
  const put = (id: string, on: boolean) => {
    const row = known.get(id) ?? id
    onChange(on ? [...items, row] : items.filter((item) => idOf(item) !== id))
  }
  const word = (id: string) => {
    const row = known.get(id)
    return row ? (isNamed(row, source) ? label(row) : wordOf(row)) : '…'
  }
  return (
    <div className="transfer">
      <section aria-label={t('available')}>
        <Input.Search
          allowClear
          aria-label={t('filter')}
          placeholder={t('filter')}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setPage(1)
          }}
        />
        <div className="transfer-list" aria-busy={found.isFetching}>
          {found.data?.results.map((row) => (
            <Checkbox
              key={row.id}
              checked={chosen.has(row.id)}
              disabled={disabled}
              onChange={(event) => put(row.id, event.target.checked)}
            >
              {label(row)}
            </Checkbox>
          ))}
          {found.data?.results.length === 0 && <span className="muted small">{t('nothingFound')}</span>}
          {found.error && <span className="is-danger small">{found.error.message}</span>}
        </div>
        <Pager simple page={page} size={pageSize} total={found.data?.count ?? 0} onChange={setPage} />
      </section>
      <section aria-label={t('chosen')}>
        <div className="section-head">
          <b>{t('selected', { count: number(items.length) })}</b>
          <Button size="small" type="text" disabled={disabled || items.length === 0} onClick={() => onChange([])}>
            {t('clear')}
          </Button>
        </div>
        <ul className="transfer-list">
          {[...chosen].map((id) => (
            <li key={id}>
              <span className="clip grow">{word(id)}</span>
              <Button
                type="text"
                size="small"
                icon={<X size={14} />}
                disabled={disabled}
                aria-label={t('removeName', { name: word(id) })}
                onClick={() => put(id, false)}
              />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
