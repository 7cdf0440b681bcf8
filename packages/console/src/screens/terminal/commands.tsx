import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { AccountOf, Named, Time } from '../../kit/cells.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { nameParts, wordOf } from '../../kit/row.ts'
import { Select } from '../../kit/Select.tsx'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { output, Risk, toneOf } from './risk.tsx'

interface Store {
  id: string
  name: string
  title?: string
  valid?: boolean
  isParent?: boolean
}

/** Command storages that can be queried; most installations have one. */
function useStores() {
  return useQuery({
    queryKey: ['command-stores', ...audience()],
    queryFn: async () => {
      const all = await call<Store[]>('/api/v1/terminal/command-storages/tree/', { query: { real: 1 }, quiet: true })
      return all.filter((store) => !store.isParent)
    },
  })
}

const listOf = (store: string): ListSpec<WireRow<'/api/v1/terminal/commands/'>> => ({
  id: 'CommandList',
  url: '/api/v1/terminal/commands/',
  data: { query: { command_storage_id: store }, order: '-timestamp' },
  resource: 'terminal.command',
  noun: 'command',
  texts: { empty: 'commandsEmpty' },
  search: { dateRange: true },
  card: {
    time: 'timestamp',
    subtitle: (row) => `${nameParts(row.user).name} · ${nameParts(row.account).inner}@${nameParts(row.asset).name}`,
    badge: (row) => <Risk row={row} />,
  },
  row: { nameColumn: 'input', link: () => undefined, tone: toneOf, details: output },
  columns: {
    shown: ['input', 'risk_level', 'user', 'asset', 'account', 'remote_addr', 'session', 'timestamp'],
    fixed: ['input'],
    hideFirst: ['remote_addr', 'account', 'session'],
    exclude: ['output', 'timestamp_display', 'org_id'],
    cells: {
      input: { width: 280, render: (row) => <span className="mono">{wordOf(row.input)}</span> },
      risk_level: { width: 130, render: (row) => <Risk row={row} /> },
      user: { width: 150, render: (row) => <Named of={row.user} /> },
      asset: { width: 170, render: (row) => <Named of={row.asset} /> },
      account: { mono: true, width: 120, render: (row) => <AccountOf of={row.account} /> },
      remote_addr: { mono: true, width: 130 },
      session: {
        width: 90,
        render: (row) =>
          can('terminal.view_session') ? (
            <a href={`#${pathOf('SessionDetail', wordOf(row.session))}`}>{t('open')}</a>
          ) : (
            '–'
          ),
      },
      timestamp: { width: 120, render: (row) => <Time value={row.timestamp} /> },
    },
  },
  actions: { update: false, clone: false, remove: false },
  files: { import: false },
})

/** All recorded commands with their risk level. */
export default function Commands() {
  const stores = useStores()
  const [chosen, setChosen] = useState<string>()
  const store = chosen ?? stores.data?.find((item) => item.valid !== false)?.id ?? ''
  if (stores.isPending) return null
  const choose = (id: string) => {
    if (stores.data?.find((item) => item.id === id)?.valid === false) return toast.error(t('storeUnreachable'))
    setChosen(id)
  }
  const head =
    (stores.data?.length ?? 0) > 1 ? (
      <Select
        aria-label={t('commandStore')}
        popupMatchSelectWidth={false}
        value={store}
        options={stores.data?.map((item) => ({ value: item.id, label: item.name }))}
        onChange={choose}
      />
    ) : undefined
  return <ListPage spec={listOf(store)} head={head} />
}
