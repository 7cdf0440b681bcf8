import { pathOf } from '@castellan/contract/routes'
import { FileDiff } from 'lucide-react'
import { useState } from 'react'
import { DiffDialog } from '../../kit/detail/DiffDialog.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { byPerson, nameOf } from './by-person.tsx'
import { readOnly } from './read-only.ts'
import { subjectOf } from './subject.ts'

const url = '/api/v1/audits/operate-logs/'

export const ask: ScreenModule['ask'] = (client, address) => askAhead(client, { ...readOnly, url }, address)

/** Operations with user and object, and values before and after. */
export default function OperateLogs() {
  const [diff, setDiff] = useState<string>()
  const spec: ListSpec<WireRow<typeof url>> = {
    ...readOnly,
    id: 'OperateLogList',
    url,
    path: pathOf('OperateLogList'),
    resource: 'audits.operatelog',
    noun: 'operateLog',
    card: { time: 'datetime', subtitle: (row) => `${wordOf(row.action)} · ${subjectOf(row.resource)}` },
    columns: {
      shown: ['user', 'action', 'resource_type', 'resource', 'remote_addr', 'datetime'],
      fixed: ['user', 'resource'],
      hideFirst: ['remote_addr'],
      cells: {
        user: { ...nameOf('user'), width: 200 },
        resource: { width: 230, render: (row) => subjectOf(row.resource) },
        remote_addr: { mono: true, width: 130 },
        action: { width: 100 },
        resource_type: { width: 160 },
      },
    },
    row: { ...readOnly.row, ...byPerson('user'), link: (row) => pathOf('OperateLogDetail', row.id) },
    actions: {
      ...readOnly.actions,
      row: [
        {
          key: 'diff',
          label: () => t('diffView'),
          icon: <FileDiff size={14} />,
          primary: true,
          run: (row) => setDiff(`${url}${row.id}/?type=action_detail`),
        },
      ],
    },
  }
  return (
    <>
      <ListPage spec={spec} />
      {diff && <DiffDialog url={diff} onClose={() => setDiff(undefined)} />}
    </>
  )
}
