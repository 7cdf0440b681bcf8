import { type AssetCategory, assetCategories } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { ChevronDown, Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { call, withQuery } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Protocols } from '../../kit/cells.tsx'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import type { Tab } from '../../kit/page.tsx'
import { staleAfter } from '../../kit/query-freshness.ts'
import { type Row, rawOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { categoryOf } from './categories.ts'
import { KindIcon } from './kinds.tsx'
import { confirmImport, platformsUrl } from './platform-effects.tsx'

interface CategoryWithTypes {
  value: AssetCategory
  types: readonly { value: string; label: string }[]
}

const path = pathOf('PlatformList')

const kindOf = (row: Row) => ({ category: categoryOf(row), type: String(rawOf(row.type)) })

/** The types of a category; of custom assets also a new one. */
function createMenu({ value: category, types }: CategoryWithTypes) {
  return function CreatePlatform() {
    const go = useNavigate()
    if (!can('assets.add_platform')) return null
    const open = (type: string) => go(withQuery(pathOf('PlatformCreate'), { category, type }))
    const items = types.map(({ value, label }) => ({ key: value, label, onClick: () => void open(value) }))
    if (category === 'custom') items.push({ key: '', label: t('platformNewType'), onClick: () => void open('') })
    return (
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button type="primary" icon={<Plus size={16} />}>
          {t('platformCreate')}
          <ChevronDown size={14} />
        </Button>
      </Dropdown>
    )
  }
}

const listOf = (one: CategoryWithTypes): ListSpec<WireRow<typeof platformsUrl>> => ({
  id: 'PlatformList',
  url: withQuery(platformsUrl, { category: one.value }),
  path,
  resource: 'assets.platform',
  noun: 'platform',
  texts: { empty: 'platformsEmpty', help: 'platformsHelp' },
  columns: {
    shown: ['name', 'category', 'type', 'protocols', 'internal'],
    fixed: ['name'],
    hideFirst: ['internal', 'protocols'],
    exclude: ['automation', 'custom_fields'],
    cells: {
      protocols: { width: 280, render: (row) => <Protocols of={row.protocols} most={3} /> },
      internal: { width: 100 },
      category: { width: 170 },
    },
  },
  row: { icon: (row) => <KindIcon row={row} />, secondary: 'comment' },
  actions: {
    toolbar: createMenu(one),
    update: {
      to: (row) => withQuery(pathOf('PlatformUpdate', row.id), kindOf(row)),
      visible: (row) => row.internal !== true,
    },
    clone: { to: (row) => withQuery(pathOf('PlatformCreate'), { ...kindOf(row), clone_from: row.id }) },
    remove: { visible: (row) => row.internal !== true, batch: false },
  },
  bulk: false,
  files: { beforeUpdate: confirmImport },
})

/** Platforms by category. */
export default function Platforms() {
  const read = useQuery({
    queryKey: ['categories', ...audience()],
    queryFn: () => call<CategoryWithTypes[]>('/api/v1/assets/categories/', { quiet: true }),
    staleTime: staleAfter(600_000),
  })
  const known = new Map(read.data?.map((one) => [one.value, one]))
  // A category without types, such as custom before its first platform, is not answered.
  const tabs = assetCategories
    .filter((value) => known.has(value) || value === 'custom')
    .map(
      (value): Tab => ({
        key: value,
        title: `${value}s`,
        render: () => <ListView anywhere spec={listOf(known.get(value) ?? { value, types: [] })} />,
      }),
    )
  return read.isPending ? null : <TabbedListPage tabs={tabs} fallback="host" />
}
