import { pathOf } from '@castellan/contract/routes'
import { FileDiff } from 'lucide-react'
import { useState } from 'react'
import { DiffDialog } from '../../kit/detail/DiffDialog.tsx'
import type { LoadedScreen } from '../../kit/feature.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { byPerson, nameOf } from './by-person.tsx'
import { readOnly } from './read-only.ts'
import { subjectOf } from './subject.ts'

const url = '/api/v1/audits/operate-logs/'

export const ask: LoadedScreen['ask'] = (client, address) => askAhead(client, { ...readOnly, url }, address)

/** Operations with user and object, and values before and after. */
export default function OperateLogs() {
  const [diff, setDiff] = useState<string>()
  const spec: ListSpec = {
    ...readOnly,
    id: 'OperateLogList',
    url,
    path: pathOf('OperateLogList'),
    resource: 'audits.operatelog',
    noun: 'operateLog',
    ...byPerson('user'),
    mobileTime: 'datetime',
    shown: ['user', 'action', 'resource_type', 'resource', 'remote_addr', 'datetime'],
    fixed: ['user', 'resource'],
    hideFirst: ['remote_addr'],
    link: (row) => pathOf('OperateLogDetail', row.id),
    mobileSubtitle: (row) => `${wordOf(row.action)} · ${subjectOf(row.resource)}`,
    cells: {
      user: { ...nameOf('user'), width: 200 },
      resource: { width: 230, render: (row) => subjectOf(row.resource) },
      remote_addr: { mono: true, width: 130 },
      action: { width: 100 },
      resource_type: { width: 160 },
    },
    rowActions: [
      {
        key: 'diff',
        label: () => t('diffView'),
        icon: <FileDiff size={14} />,
        primary: true,
        run: (row) => setDiff(`${url}${row.id}/?type=action_detail`),
      },
    ],
  }
  return (
    <>
      <ListPage spec={spec} />
      {diff && <DiffDialog url={diff} onClose={() => setDiff(undefined)} />}
    </>
  )
}
