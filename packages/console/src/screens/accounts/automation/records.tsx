import { pathOf } from '@castellan/contract/routes'
import { Eye, ListRestart } from 'lucide-react'
import { useState } from 'react'
import { Time } from '../../../kit/cells.tsx'
import type { DetailContext } from '../../../kit/detail/DetailPage.tsx'
import { lazyComponent } from '../../../kit/lazy-component.tsx'
import { ListView } from '../../../kit/list/ListView.tsx'
import { inside, type ListSpec } from '../../../kit/list/spec.ts'
import { at, type Row, wordOf } from '../../../kit/row.ts'
import { can, inRoot } from '../../../kit/session.ts'
import { Dot, Status } from '../../../kit/status.tsx'
import { t } from '../../../kit/text.ts'
import { isRunning, pollMs, useFollowed } from './execution-status.tsx'
import { started } from './executions.tsx'
import type { RecordScreens } from './screens.ts'

const RecordSecret = lazyComponent(() => import('./RecordSecret.tsx'))

/** Whether the secret was set. `error` says why it was not, or why that is unknown. */
function Outcome({ row }: { row: Row }) {
  if (row.is_success === true) return <Status is="ok">{t('outcomeSuccess')}</Status>
  if (row.in_doubt === true) return <Status is="warning">{t('recordInDoubt')}</Status>
  if (row.status === 'pending') return <Dot is="idle">{t('outcomeRemaining')}</Dot>
  return <Status is="danger">{t('outcomeFailed')}</Status>
}

/** An object of a record as a link; without it, the object was deleted. */
const linked = (row: Row, name: 'asset' | 'account', page: 'AssetDetail' | 'AssetAccountDetail') => {
  const id = at(row, `${name}.id`)
  if (!id) return <span className="muted">{t('recordObjectGone')}</span>
  const word = wordOf(row[name])
  return can(`${name}s.view_${name}`) ? <a href={`#${pathOf(page, String(id))}`}>{word}</a> : word
}

const recordList = (
  records: RecordScreens,
  { row: execution, reload }: DetailContext,
  open: (record: Row) => void,
): ListSpec => ({
  ...inside,
  id: 'ExecutionRecords',
  url: records.url,
  data: { query: { execution_id: execution.id }, ...(isRunning(execution) ? { pollMs } : {}) },
  resource: 'accounts.changesecretrecord',
  noun: 'executionRecord',
  texts: { empty: 'executionRecordsEmpty' },
  row: { nameColumn: 'asset', title: (row) => `${wordOf(row.account)} · ${wordOf(row.asset)}` },
  columns: {
    shown: ['asset', 'account', 'date_finished', 'is_success', 'error'],
    exclude: ['id', 'execution'],
    fixed: ['asset'],
    cells: {
      asset: { width: 200, render: (row) => linked(row, 'asset', 'AssetDetail') },
      account: { width: 180, render: (row) => linked(row, 'account', 'AssetAccountDetail') },
      date_finished: { width: 150, render: (row) => <Time value={row.date_finished} /> },
      is_success: { width: 130, render: (row) => <Outcome row={row} /> },
      error: { width: 360, render: (row) => wordOf(row.error) },
    },
  },
  card: {
    badge: (row) => <Outcome row={row} />,
    subtitle: (row) => [wordOf(row.account), wordOf(row.error)].filter(Boolean).join(' · '),
    time: 'date_finished',
  },
  actions: {
    ...inside.actions,
    row: [
      {
        key: 'retry',
        label: () => t('recordRetry'),
        icon: <ListRestart size={14} />,
        visible: (row) => row.is_success !== true && !isRunning(execution) && can(records.retry) && !inRoot(),
        run: (row, acting) =>
          started(`${records.url}execute/`, { record_id: row.id }, () => {
            acting.reload()
            reload()
          }),
      },
      {
        key: 'secret',
        label: () => t('secretView'),
        icon: <Eye size={14} />,
        visible: () => can('accounts.view_accountsecret'),
        run: open,
      },
    ],
  },
})

/** What an execution did to each account, with the secrets it set. */
export function Records({ records, context }: { records: RecordScreens; context: DetailContext }) {
  const [opened, setOpened] = useState<Row>()
  useFollowed(context)
  return (
    <>
      <ListView spec={recordList(records, context, setOpened)} />
      {opened && <RecordSecret record={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
