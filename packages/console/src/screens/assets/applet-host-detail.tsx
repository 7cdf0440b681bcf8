import { pathOf } from '@castellan/contract/routes'
import { MonitorCog, ScrollText } from 'lucide-react'
import { AccountTable } from '../../domain/accounts/AccountTable.tsx'
import {
  DeploymentStatus,
  deployApplets,
  deployHost,
  deploymentsUrl,
  hostsUrl,
  Load,
  mayDeploy,
  publications,
} from '../../domain/terminal/applets.tsx'
import { call } from '../../kit/api/client.ts'
import { Connectivity, Protocols } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { type QuickAction, QuickActions } from '../../kit/detail/QuickActions.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { type ListSpec, viewOnly } from '../../kit/list/spec.ts'
import { type Row, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { mayTest, startTask } from './asset-list.tsx'
import { HardwareFacts } from './hardware.tsx'

type Host = WireRow<typeof hostsUrl>
type Context = DetailContext<Host>

const setUp = ({ row, reload }: Context): QuickAction => ({
  key: 'deploy',
  title: t('appletHostDeploy'),
  help: t('appletHostDeployHelp'),
  verb: t('appletDeploy'),
  visible: mayDeploy(),
  run: () => deployHost(row.id, reload),
})

function Overview({ row, reload }: Context) {
  const change = (body: object) => call(`${hostsUrl}${row.id}/`, { method: 'PATCH', body }).then(reload)
  return (
    <>
      <QuickActions
        actions={[
          {
            key: 'active',
            title: t('assetActive'),
            help: t('assetActiveHelp'),
            on: row.is_active === true,
            disabled: !can('terminal.change_applethost') && t('noRight'),
            run: () => change({ is_active: !row.is_active }),
          },
          {
            key: 'refresh',
            title: t('hardware'),
            help: t('hardwareHelp'),
            verb: t('refresh'),
            visible: can('assets.refresh_assethardwareinfo'),
            run: () => startTask(row.id, 'refresh', reload),
          },
          {
            key: 'test',
            title: t('testConnection'),
            help: t('testConnectionHelp'),
            verb: t('test'),
            visible: mayTest(row),
            run: () => startTask(row.id, 'test', reload),
          },
        ]}
      />
      <HardwareFacts row={row} />
    </>
  )
}

const Accounts = ({ row, reload }: Context) => (
  <>
    <QuickActions
      actions={[
        {
          key: 'generate',
          title: t('appletHostGenerate'),
          help: t('appletHostGenerateHelp'),
          verb: t('appletHostGenerateVerb'),
          visible: can('terminal.change_applethost'),
          run: async () => {
            const path = `${hostsUrl}${row.id}/generate-accounts/`
            const { task } = await call<{ task: string }>(path, { method: 'PUT' })
            openTaskLog(task, { onEnd: reload })
          },
        },
      ]}
    />
    <AccountTable asset={row} />
  </>
)

const Applications = (context: Context) => (
  <>
    <QuickActions
      actions={[
        setUp(context),
        {
          key: 'publish',
          title: t('appletHostPublish'),
          help: t('appletHostPublishHelp'),
          verb: t('appletHostPublishVerb'),
          visible: mayDeploy(),
          run: () => deployApplets([context.row.id], undefined, context.reload),
        },
      ]}
    />
    <ListView spec={publications('host', context.row.id)} />
  </>
)

type Deployment = WireRow<typeof deploymentsUrl>

const deployments = (host: string): ListSpec<Deployment> => ({
  id: 'AppletHostDeployments',
  url: deploymentsUrl,
  resource: 'terminal.applethostdeployment',
  noun: 'appletHostDeployment',
  ...viewOnly,
  data: { query: { host }, pollMs: 10_000 },
  columns: {
    shown: ['id', 'date_start', 'date_finished', 'status'],
    fixed: ['id'],
    cells: {
      id: { width: 160, sortable: false, render: (row) => <span className="mono">{row.id.slice(0, 8)}</span> },
      date_start: { width: 190 },
      date_finished: { width: 190 },
      status: { width: 130, render: (row) => <DeploymentStatus row={row} /> },
    },
  },
  row: { nameColumn: 'id', title: (row) => row.id.slice(0, 8), link: () => undefined },
  card: { badge: (row) => <DeploymentStatus row={row} />, time: 'date_start' },
  files: { import: false, export: false },
  search: { inAddress: false },
  actions: {
    ...viewOnly.actions,
    row: [
      {
        key: 'log',
        label: t('taskLog'),
        icon: <ScrollText size={16} />,
        primary: true,
        visible: (row: Row) => Boolean(row.task),
        run: (row: Row) => openTaskLog(String(row.task)),
      },
    ],
  },
})

const Deployments = (context: Context) => (
  <>
    <QuickActions actions={[setUp(context)]} />
    <ListView spec={deployments(context.row.id)} />
  </>
)

export const detail: DetailSpec<Host> = {
  url: hostsUrl,
  path: `${pathOf('Applets')}?activeTab=AppletHosts`,
  resource: 'terminal.applethost',
  noun: 'appletHost',
  icon: () => <MonitorCog size={20} />,
  badge: (row) => <Load row={row} />,
  under: (row) => <span className="mono">{wordOf(row.address)}</span>,
  update: { to: (row) => pathOf('AppletHostUpdate', row.id) },
  facts: [
    'name',
    'category',
    'type',
    { name: 'address', mono: true },
    { name: 'protocols', render: (row) => <Protocols of={row.protocols} most={Number.POSITIVE_INFINITY} /> },
    'platform',
    { name: 'connectivity', render: (row) => <Connectivity value={row.connectivity} /> },
    { name: 'load', render: (row) => <Load row={row} /> },
    'date_synced',
    'auto_create_accounts',
    'accounts_create_amount',
    'is_active',
    'date_created',
    'created_by',
    'comment',
  ],
  sections: (context) => <Overview {...context} />,
  tabs: [
    {
      key: 'Accounts',
      title: 'accounts',
      permission: 'accounts.view_account',
      render: (context) => <Accounts {...context} />,
    },
    {
      key: 'Applets',
      title: 'applets',
      permission: 'terminal.view_appletpublication',
      render: (context) => <Applications {...context} />,
    },
    {
      key: 'Deployments',
      title: 'appletHostDeployments',
      permission: 'terminal.view_applethostdeployment',
      render: (context) => <Deployments {...context} />,
    },
  ],
}
