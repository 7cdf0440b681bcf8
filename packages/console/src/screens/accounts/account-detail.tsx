import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Eye, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { accountsUrl } from '../../kit/accounts/address.ts'
import SecretViewer from '../../kit/accounts/SecretViewer.tsx'
import { call } from '../../kit/api/client.ts'
import { Connectivity } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { type Row, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'

function ViewSecret({ row }: { row: Row }) {
  const [open, setOpen] = useState(false)
  if (!can('accounts.view_accountsecret')) return null
  return (
    <>
      <Button type="primary" icon={<Eye size={16} />} onClick={() => setOpen(true)}>
        {t('secretView')}
      </Button>
      {open && <SecretViewer account={row} onClose={() => setOpen(false)} />}
    </>
  )
}

function Actions({ row, reload }: DetailContext) {
  const may = can('accounts.change_account')
  const change = (body: unknown) => call(`${accountsUrl}${row.id}/`, { method: 'PATCH', body }).then(reload)
  return (
    <QuickActions
      actions={[
        {
          key: 'active',
          title: t('accountActive'),
          on: row.is_active === true,
          disabled: !may && t('noRight'),
          run: () => change({ is_active: !row.is_active }),
        },
        {
          key: 'privileged',
          title: t('privileged'),
          help: t('privilegedHelp'),
          on: row.privileged === true,
          disabled: !may && t('noRight'),
          run: () => change({ privileged: !row.privileged }),
        },
        {
          key: 'verify',
          title: t('accountVerify'),
          help: t('accountVerifyHelp'),
          verb: t('test'),
          visible: can('accounts.verify_account') && !inRoot(),
          run: async () => {
            const { task } = await call<{ task: string }>(`${accountsUrl}tasks/`, {
              method: 'POST',
              body: { action: 'verify', accounts: [row.id] },
            })
            openTaskLog(task, { onEnd: reload })
          },
        },
      ]}
    />
  )
}

export const detail: DetailSpec = {
  url: accountsUrl,
  path: pathOf('AssetAccountList'),
  resource: 'accounts.account',
  noun: 'account',
  icon: () => <KeyRound size={20} />,
  under: (row) => (
    <>
      <span className="mono">{wordOf(row.username)}</span> · {wordOf(row.asset)}
    </>
  ),
  update: false,
  main: ({ row }) => <ViewSecret row={row} />,
  facts: [
    'asset',
    { name: 'username', mono: true },
    'secret_type',
    'privileged',
    { name: 'connectivity', render: (row) => <Connectivity value={row.connectivity} /> },
    'su_from',
    'source',
    'version',
    'date_verified',
    'date_created',
    'date_updated',
    'created_by',
    'comment',
    { name: 'id', mono: true },
  ],
  sections: (context) => <Actions {...context} />,
}
