import type { AssetCategory } from '@castellan/contract/asset-types'
import { useQuery } from '@tanstack/react-query'
import { Input, Modal, Skeleton } from 'antd'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { readStored } from '../../browser/local-storage.ts'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Failed } from '../../kit/list/states.tsx'
import { type Row, rawOf, rowsIn, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { categoryOf, createPath } from './categories.ts'
import { KindIcon } from './kinds.tsx'

const recentKey = 'RecentPlatforms'

const recent = (): string[] => readStored<string[]>(recentKey) ?? []

/** What kind of asset to make: the platforms used lately, then those of one category by type, or all by category. */
export function PlatformPicker({
  node,
  category,
  onClose,
}: {
  node?: string
  category?: AssetCategory
  onClose: () => void
}) {
  const go = useNavigate()
  const [text, setText] = useState('')
  const read = useQuery({
    queryKey: ['platforms', category, ...audience()],
    queryFn: () => call<Row[] | { results: Row[] }>('/api/v1/assets/platforms/', { query: { category }, quiet: true }),
  })
  const all = rowsIn(read.data)
  const found = all.filter(
    (row) => row.name !== 'Gateway' && wordOf(row.name).toLowerCase().includes(text.trim().toLowerCase()),
  )
  const lately = recent()
    .map((id) => found.find((row) => String(row.id) === id))
    .filter((row): row is Row => row !== undefined)
  const groups = Map.groupBy(found, (row) => wordOf(category ? row.type : row.category))
  const choose = (row: Row) => {
    localStorage.setItem(
      recentKey,
      JSON.stringify([String(row.id), ...recent().filter((id) => id !== String(row.id))].slice(0, 8)),
    )
    onClose()
    go(createPath(categoryOf(row), { node, platform: String(row.id), type: String(rawOf(row.type)) }))
  }
  const group = (title: string, rows: readonly Row[]) => (
    <section key={title} className="gap-above">
      <h3 className="small muted">{title}</h3>
      <div className="tiles">
        {rows.map((row) => (
          <button type="button" key={row.id} onClick={() => choose(row)}>
            <KindIcon row={row} />
            <span className="clip">{wordOf(row.name)}</span>
          </button>
        ))}
      </div>
    </section>
  )
  return (
    <Modal open width={720} title={t('platformPick')} footer={null} onCancel={onClose}>
      <Input
        data-first
        allowClear
        prefix={<Search size={14} />}
        placeholder={t('platformFind')}
        aria-label={t('platformFind')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {read.isPending && <Skeleton active title={false} />}
      {read.error && <Failed error={read.error} retry={() => void read.refetch()} />}
      {lately.length > 0 && group(t('platformRecent'), lately)}
      {[...groups].map(([title, rows]) => group(title, rows))}
    </Modal>
  )
}
