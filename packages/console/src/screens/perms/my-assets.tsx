import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Popover, Segmented, Skeleton } from 'antd'
import { SquareTerminal, Star } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Connectivity } from '../../kit/cells.tsx'
import { Facts } from '../../kit/detail/Facts.tsx'
import { TextDialog } from '../../kit/dialog/TextDialog.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import { type ListSpec, viewOnly } from '../../kit/list/spec.ts'
import { PageHead, useScreen } from '../../kit/page.tsx'
import { type Row, rowsIn, wordOf, wordsOf } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { chosenBy, useChosenNode } from '../../kit/tree/chosen.ts'
import type { TreeNode } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'

const mine = '/api/v1/perms/users/self/'
const favorites = '/api/v1/assets/favorite-assets/'
/** Favorites that are still granted. */
export const favoriteAssets = `${mine}nodes/favorite/assets/`

/** Ids of the user's favorites, and a function to change them. */
export function useFavorites() {
  const client = useQueryClient()
  const key = ['favorites', ...audience()]
  const read = useQuery({
    queryKey: key,
    queryFn: () => call<{ asset: string }[] | { results: { asset: string }[] }>(favorites, { quiet: true }),
  })
  const ids = new Set(rowsIn(read.data).map((item) => item.asset))
  return {
    has: (id: string) => ids.has(id),
    ids,
    toggle: async (id: string) => {
      if (ids.has(id)) await call(favorites, { method: 'DELETE', query: { asset: id } })
      else await call(favorites, { method: 'POST', body: { asset: id } })
      toast.ok(t(ids.has(id) ? 'favoriteRemoved' : 'favoriteAdded'))
      await client.invalidateQueries({ queryKey: key })
      await client.invalidateQueries({ predicate: (query) => String(query.queryKey[1]).startsWith(favoriteAssets) })
    },
  }
}

type Which = 'all' | 'favorites'

/** The granted asset with its permitted protocols and accounts, which lists do not carry. */
const useGranted = (id: string) =>
  useQuery({
    queryKey: ['my-asset', id, ...audience()],
    queryFn: () => call<Row>(`${mine}assets/${id}/`, { quiet: true }),
  })

function GrantedAccounts({ id }: { id: string }) {
  const read = useGranted(id)
  if (read.isPending) return <Skeleton.Input active size="small" />
  if (read.error) return <span className="is-danger">{read.error.message}</span>
  const names = wordsOf(read.data.permed_accounts)
  if (names.length === 0) return <span className="muted">{t('accountsNone')}</span>
  return (
    <ul className="plain">
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
}

/** The accounts of one asset, asked for when they are wanted. */
function AccountsCell({ row }: { row: Row }) {
  return (
    <Popover trigger="click" title={t('accounts')} content={<GrantedAccounts id={row.id} />} destroyOnHidden>
      <button type="button" className="linkish" aria-label={t('accountsOf', { name: wordOf(row.name) })}>
        {t('show')}
      </button>
    </Popover>
  )
}

function AssetDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const read = useGranted(row.id)
  const full = read.data ?? row
  return (
    <TextDialog title={wordOf(row.name)} width={600} onClose={onClose}>
      <Facts
        row={full}
        fields={{}}
        facts={[
          { name: 'address', label: 'address', mono: true },
          {
            name: 'permed_protocols',
            label: 'protocols',
            render: () => wordsOf(full.permed_protocols).join(', ') || '–',
          },
          { name: 'permed_accounts', label: 'accounts', render: () => wordsOf(full.permed_accounts).join(', ') || '–' },
          { name: 'category', label: 'category' },
          { name: 'type', label: 'type' },
          { name: 'platform', label: 'platform' },
          { name: 'comment', label: 'comment' },
        ]}
      />
    </TextDialog>
  )
}

/** Assets of the selected node, or all. */
const grantedAt = (node: TreeNode | undefined): string =>
  node?.meta.type === 'node' ? `${mine}nodes/${node.meta.data?.id}/assets/` : `${mine}assets/`

export const ask: ScreenModule['ask'] = (client, address) =>
  askAhead(client, { url: grantedAt(chosenBy(address)) }, address)

/** Assets granted to the user: by node, by name, favorites. Connect is one click away. */
export default function MyAssets() {
  const screen = useScreen()
  const favorite = useFavorites()
  const [which, setWhich] = useState<Which>('all')
  const [node, setNode] = useChosenNode()
  const [shown, setShown] = useState<Row>()
  const spec: ListSpec = {
    id: 'MyAssets',
    url: which === 'favorites' ? favoriteAssets : grantedAt(node),
    resource: 'assets.asset',
    noun: 'asset',
    texts: { empty: 'myAssetsEmpty' },
    columns: {
      extra: ['accounts'],
      shown: ['name', 'platform', 'accounts', 'connectivity', 'is_active', 'comment'],
      fixed: ['name'],
      exclude: ['spec_info', 'address'],
      cells: {
        name: {
          render: (row) => (
            <button type="button" className="plain" onClick={() => setShown(row)}>
              {wordOf(row.name)}
            </button>
          ),
        },
        accounts: { label: t('accounts'), width: 110, sortable: false, render: (row) => <AccountsCell row={row} /> },
        connectivity: { width: 120, render: (row) => <Connectivity value={row.connectivity} /> },
        comment: { width: 220 },
      },
    },
    row: {
      link: () => undefined,
      icon: (row) => (
        <button
          type="button"
          className={favorite.has(row.id) ? 'star on' : 'star'}
          aria-pressed={favorite.has(row.id)}
          aria-label={t('favorite')}
          onClick={() => void attempt(() => favorite.toggle(row.id))}
        >
          <Star size={16} />
        </button>
      ),
      secondary: { field: 'address', render: (row) => <span className="mono">{wordOf(row.address)}</span> },
    },
    card: { badge: (row) => <Connectivity value={row.connectivity} /> },
    ...viewOnly,
    files: { import: false, export: false },
    actions: {
      ...viewOnly.actions,
      row: [
        {
          key: 'connect',
          label: () => t('connect'),
          icon: <SquareTerminal size={14} />,
          primary: true,
          alwaysVisible: true,
          disabledReason: (row) => (row.is_active === false ? t('assetDisabled') : undefined),
          href: (row) => `/luna/?login_to=${row.id}`,
        },
        {
          key: 'star',
          label: (row) => t(favorite.has(row.id) ? 'favoriteRemove' : 'favoriteAdd'),
          icon: <Star size={14} />,
          run: (row) => favorite.toggle(row.id),
        },
      ],
    },
  }
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)}>
        <Segmented
          aria-label={t(screen.title)}
          value={which}
          onChange={setWhich}
          options={[
            { value: 'all', label: t('all') },
            { value: 'favorites', label: t('favorites') },
          ]}
        />
      </PageHead>
      <TreeBeside
        id="MyAssets"
        chosen={node}
        onChoose={setNode}
        tree={(choose) => (
          <AssetTree url={`${mine}nodes/children/tree/`} searchable={false} selected={node?.id} onSelect={choose} />
        )}
      >
        <ListView key={which} spec={spec} />
      </TreeBeside>
      {shown && <AssetDialog row={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}
