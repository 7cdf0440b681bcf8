import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Archive, CirclePlay } from 'lucide-react'
import { userSource } from '../../domain/acls/rule-attributes.ts'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { useScreen } from '../../kit/page.tsx'
import { at, number, type Row, rawOf, wordsOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { AssetTypes } from './AssetTypes.tsx'
import { backupExecutions, executionsTab } from './backup-execution.tsx'

const url = '/api/v1/accounts/account-backup-plans/'
const resource = 'accounts.accountbackupautomation'
const plansTab = 'AccountBackupPlanList'
const path = `${pathOf('AccountBackupList')}?activeTab=${plansTab}`

const mayRun = () => can('accounts.add_accountbackupexecution') && !inRoot()

/** Starts a plan, and shows the log. */
async function execute(row: Row, reload: () => void): Promise<void> {
  const { task } = await call<{ task: string }>('/api/v1/accounts/account-backup-plan-executions/', {
    method: 'POST',
    body: { plan: row.id },
  })
  toast.ok(t('executionStarted'))
  reload()
  openTaskLog(task, { onEnd: reload })
}

const list: ListSpec = {
  id: plansTab,
  url,
  resource,
  path: pathOf('AccountBackupPlanCreate').replace('/create', ''),
  noun: 'backupPlan',
  texts: { empty: 'backupPlansEmpty' },
  columns: {
    shown: ['name', 'org_name', 'is_periodic', 'periodic_display', 'executed_amount'],
    fixed: ['name'],
    cells: {
      org_name: { width: 150 },
      is_periodic: { width: 130 },
      periodic_display: { width: 190 },
      executed_amount: {
        width: 110,
        align: 'right',
        render: (row) =>
          can('accounts.view_accountbackupexecution') ? (
            <a href={`#${pathOf('AccountBackupList')}?activeTab=${executionsTab}&plan_id=${row.id}`}>
              {number(Number(row.executed_amount ?? 0))}
            </a>
          ) : (
            number(Number(row.executed_amount ?? 0))
          ),
      },
    },
  },
  row: { icon: () => <Archive size={16} className="kind" /> },
  actions: {
    create: { label: 'backupPlanCreate' },
    row: [
      {
        key: 'execute',
        label: () => t('execute'),
        icon: <CirclePlay size={14} />,
        primary: true,
        visible: mayRun,
        run: (row, { reload }) => execute(row, reload),
      },
    ],
  },
  files: { import: false, export: false },
}

const storageSource = {
  url: '/api/v1/terminal/replay-storages/?type=sftp',
  label: (row: Row) => {
    const place = [at(row, 'meta.SFTP_HOST'), at(row, 'meta.SFTP_ROOT_PATH')].filter(Boolean).join(':')
    return place ? `${row.name}(${place})` : String(row.name)
  },
}
const users = { source: { ...userSource, url: `${userSource.url}&order=name` } }

const isBy = (type: 'email' | 'object_storage') => (values: Values) => rawOf(values.backup_type) === type
const onlyBy = (type: 'email' | 'object_storage', divided?: string) => ({
  hidden: (values: Values) => !isBy(type)(values) || (divided !== undefined && !values[divided]),
})

/** The parts that the chosen way does not use receive nothing. */
function settled(body: Record<string, unknown>, values: Values): Record<string, unknown> {
  const sent = { ...body }
  if (sent.interval === '') sent.interval = null
  if (sent.zip_encrypt_password === '') delete sent.zip_encrypt_password
  if (!values.is_password_divided_by_email) sent.recipients_part_two = []
  if (!values.is_password_divided_by_obj_storage) sent.obj_recipients_part_two = []
  return sent
}

export const form: FormSpec = {
  url,
  resource,
  noun: 'backupPlan',
  path,
  saved: { detail: (saved) => pathOf('AccountBackupPlanDetail', saved.id) },
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'types'] },
    {
      key: 'backup',
      title: 'backupDelivery',
      help: 'backupDeliveryHelp',
      fields: [
        'backup_type',
        'is_password_divided_by_email',
        'recipients_part_one',
        'recipients_part_two',
        'is_password_divided_by_obj_storage',
        'obj_recipients_part_one',
        'obj_recipients_part_two',
        'zip_encrypt_password',
      ],
    },
    { key: 'timing', title: 'planSchedule', fields: ['is_periodic', 'crontab', 'interval'] },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  initial: () => ({ is_periodic: true, interval: 24 }),
  fields: {
    types: { component: AssetTypes, validation: { required: true } },
    is_password_divided_by_email: { state: onlyBy('email') },
    recipients_part_one: { ...users, state: onlyBy('email'), validation: { required: true } },
    recipients_part_two: {
      ...users,
      state: onlyBy('email', 'is_password_divided_by_email'),
      validation: { required: true },
    },
    is_password_divided_by_obj_storage: { state: onlyBy('object_storage') },
    obj_recipients_part_one: {
      source: storageSource,
      state: onlyBy('object_storage'),
      validation: { required: true },
    },
    obj_recipients_part_two: {
      source: storageSource,
      state: onlyBy('object_storage', 'is_password_divided_by_obj_storage'),
      validation: { required: true },
    },
    zip_encrypt_password: { widget: 'password', sending: { secret: true }, state: onlyBy('object_storage') },
    crontab: {
      layout: { half: true },
      widget: 'cron',
      state: { enableWhen: { is_periodic: true } },
      validation: {
        check: (value, values) => (values.is_periodic && !value && !values.interval ? t('planNeedsTime') : undefined),
      },
    },
    interval: { layout: { half: true }, state: { enableWhen: { is_periodic: true } } },
  },
  submit: { clean: settled },
}

const receivers = (name: string) => ({
  name,
  visible: (row: Row) => wordsOf(row[name]).length > 0,
  render: (row: Row) => wordsOf(row[name]).join(', '),
})

export const detail: DetailSpec = {
  url,
  resource,
  path,
  noun: 'backupPlan',
  icon: () => <Archive size={20} />,
  update: { to: (row) => pathOf('AccountBackupPlanUpdate', row.id) },
  headActions: ({ row, reload }) =>
    mayRun() ? (
      <Button type="primary" icon={<CirclePlay size={16} />} onClick={() => void attempt(() => execute(row, reload))}>
        {t('execute')}
      </Button>
    ) : null,
  facts: [
    { name: 'id', mono: true },
    'name',
    'types',
    'backup_type',
    receivers('recipients_part_one'),
    receivers('recipients_part_two'),
    receivers('obj_recipients_part_one'),
    receivers('obj_recipients_part_two'),
    'periodic_display',
    'crontab',
    'interval',
    'date_created',
    'date_updated',
    'comment',
  ],
  tabs: [
    {
      key: executionsTab,
      title: 'executions',
      visible: () => can('accounts.view_accountbackupexecution'),
      render: ({ row }) => <ListView spec={backupExecutions(row.id)} />,
    },
  ],
}

/** Plans of backups, and their executions, which the second address opens. */
export default function Backup() {
  const { name } = useScreen()
  return (
    <TabbedListPage
      opens={name === 'AccountBackupList' ? undefined : executionsTab}
      tabs={[
        {
          key: plansTab,
          title: 'backupPlans',
          permission: 'accounts.view_accountbackupautomation',
          render: () => <ListView spec={list} />,
        },
        {
          key: executionsTab,
          title: 'executions',
          permission: 'accounts.view_accountbackupexecution',
          render: () => <ListView spec={backupExecutions()} />,
        },
      ]}
    />
  )
}
