import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { useState } from 'react'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { DiffDialog } from '../../kit/detail/DiffDialog.tsx'
import { type Row, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { subjectOf } from './subject.ts'

function Diff({ row }: { row: Row }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>
        {t('diffView')}
      </Button>
      {open && (
        <DiffDialog url={`/api/v1/audits/operate-logs/${row.id}/?type=action_detail`} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

export const detail: DetailSpec<WireRow<'/api/v1/audits/operate-logs/'>> = {
  url: '/api/v1/audits/operate-logs/',
  path: pathOf('OperateLogList'),
  resource: 'audits.operatelog',
  noun: 'operateLog',
  title: (row) => [wordOf(row.action), wordOf(row.resource_type), subjectOf(row.resource)].filter(Boolean).join(' · '),
  activity: false,
  update: false,
  remove: false,
  headActions: ({ row }) => <Diff row={row} />,
  facts: [
    { name: 'user', parted: true },
    'action',
    'resource_type',
    'resource',
    { name: 'remote_addr', mono: true },
    'datetime',
    { name: 'id', mono: true },
  ],
}
