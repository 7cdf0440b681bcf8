import { LayoutTemplate } from 'lucide-react'
import { AccountTable } from '../../domain/accounts/AccountTable.tsx'
import { nameWithUsername } from '../../domain/accounts/account-form.ts'
import { accountsUrl } from '../../domain/accounts/address.ts'
import { call, withQuery } from '../../kit/api/client.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { accountsTab, type Template, templates } from './template.ts'
import { ViewTemplateSecret } from './template-secret.tsx'

type Context = DetailContext<Template>

const Privileged = ({ row, reload }: Context) => (
  <QuickActions
    actions={[
      {
        key: 'privileged',
        title: t('privileged'),
        help: t('privilegedHelp'),
        on: row.privileged === true,
        disabled: !can('accounts.change_accounttemplate') && t('noRight'),
        run: () =>
          call(`${templates.url}${row.id}/`, { method: 'PATCH', body: { privileged: !row.privileged } }).then(reload),
      },
    ]}
  />
)

/** Accounts that were created from the template, and the action that gives them its present values. */
const Accounts = ({ row, reload }: Context) => (
  <>
    <QuickActions
      actions={[
        {
          key: 'sync',
          title: t('templateSync'),
          help: t('templateSyncHelp'),
          verb: t('synchronize'),
          visible: can('accounts.change_account') && !inRoot(),
          run: async () => {
            const { task } = await call<{ task: string }>(`${templates.url}${row.id}/sync-related-accounts/`, {
              method: 'PATCH',
            })
            openTaskLog(task, { onEnd: reload })
          },
        },
      ]}
    />
    <AccountTable
      url={withQuery(accountsUrl, { source_id: row.id })}
      table={{ id: 'TemplateAccountList', shown: ['name', 'asset', 'secret_type', 'is_active', 'date_created'] }}
      readOnly
    />
  </>
)

export const detail: DetailSpec<Template> = {
  ...templates,
  icon: () => <LayoutTemplate size={20} />,
  under: (row) => <span className="mono">{wordOf(row.username)}</span>,
  headActions: ({ row }) => <ViewTemplateSecret template={row} />,
  facts: [
    { name: 'id', mono: true },
    'name',
    { name: 'username', mono: true },
    'secret_type',
    'secret_strategy',
    { name: 'su_from', render: ({ su_from }) => su_from && nameWithUsername(su_from) },
    'auto_push',
    'is_active',
    'created_by',
    'date_created',
    'date_updated',
    'comment',
  ],
  sections: (context) => <Privileged {...context} />,
  tabs: [
    {
      key: accountsTab,
      title: 'accounts',
      visible: () => can(['accounts.change_accounttemplate', 'accounts.view_account']),
      render: (context) => <Accounts {...context} />,
    },
  ],
}
