/** Jobs: commands and playbooks that are kept, run by hand or by schedule. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { ChevronDown, CirclePlay, Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { EngineNotice } from '../../domain/ops/EngineNotice.tsx'
import { secondsOf } from '../../domain/ops/run-cells.tsx'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Time } from '../../kit/cells.tsx'
import { Card } from '../../kit/charts/Card.tsx'
import { Plot } from '../../kit/charts/Plot.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormContext, FormSpec } from '../../kit/form/spec.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { exactTime, type Row, rowsIn, timestampOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { executionList } from './executions.tsx'
import { commandField, isType } from './job-fields.tsx'
import { executionsUrl, jobsUrl as url } from './quick-command.ts'
import { ParameterDialog, parametersOf, startJob } from './run-job.tsx'

type Job = WireRow<typeof url, 'asset_amount'>

const shared = { url, resource: 'ops.job', noun: 'job', path: pathOf('JobList') } as const

const mayRun = () => can('ops.add_jobexecution') && !inRoot()
const totals = ({ summary }: Job) => (summary ?? { total: 0, success: 0 }) as { total: number; success: number }

function Create() {
  const go = useNavigate()
  if (!can('ops.add_job') || inRoot()) return null
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'adhoc', label: t('jobCreateAdhoc') },
          { key: 'playbook', label: t('jobCreatePlaybook') },
        ],
        onClick: ({ key }) => go(`${pathOf('JobCreate')}?type=${key}`),
      }}
    >
      <Button type="primary" icon={<Plus size={16} />}>
        {t('jobCreate')} <ChevronDown size={14} />
      </Button>
    </Dropdown>
  )
}

/** Runs a job, after its parameters were entered, and opens the execution. */
function useRun() {
  const go = useNavigate()
  const [asking, setAsking] = useState<Row>()
  const open = (id: string) => go(pathOf('ExecutionDetail', id))
  return {
    run: (job: Row) => {
      if (Object.keys(parametersOf(job)).length > 0) setAsking(job)
      else void attempt(async () => open(await startJob(job.id)))
    },
    dialog: asking && <ParameterDialog job={asking} onStarted={open} onClose={() => setAsking(undefined)} />,
  }
}

const listSpec = (run: (job: Row) => void): ListSpec<Job> => ({
  ...shared,
  id: 'JobList',
  texts: { empty: 'jobsEmpty' },
  files: { import: false, export: false },
  row: { secondary: 'args' },
  card: { time: 'date_last_run' },
  columns: {
    extra: ['asset_amount'],
    shown: ['name', 'type', 'asset_amount', 'average_time_cost', 'summary', 'comment', 'date_last_run'],
    fixed: ['name'],
    exclude: ['parameters_define', 'assets', 'run_after_save', 'instant'],
    cells: {
      type: { width: 110 },
      asset_amount: {
        label: t('assets'),
        width: 90,
        align: 'right',
        sortable: false,
        render: (row) => String((row.assets as string[] | null)?.length ?? 0),
      },
      average_time_cost: { width: 130, align: 'right', render: (row) => secondsOf(row.average_time_cost) },
      summary: {
        label: t('taskCount'),
        width: 130,
        align: 'right',
        sortable: false,
        render: (row) => `${totals(row).success}/${totals(row).total}`,
      },
      date_last_run: { width: 150, render: (row) => <Time value={row.date_last_run} /> },
    },
  },
  actions: {
    toolbar: Create,
    clone: false,
    update: { visible: () => !inRoot() },
    row: [
      {
        key: 'run',
        label: () => t('run'),
        icon: <CirclePlay size={14} />,
        primary: true,
        visible: mayRun,
        run: (row: Job) => run(row),
      },
    ],
  },
})

export function JobList() {
  const { run, dialog } = useRun()
  return (
    <>
      <ListPage spec={listSpec(run) as ListSpec} />
      {dialog}
    </>
  )
}

async function initial({ query }: FormContext): Promise<Row> {
  const id = query.get('id')
  const type = query.get('type') === 'playbook' ? 'playbook' : 'adhoc'
  const start = {
    id: '',
    type,
    module: 'shell',
    runas: 'root',
    runas_policy: 'skip',
    timeout: -1,
    is_periodic: false,
    crontab: '0 0 * * *',
    parameters_define: '{}',
  }
  if (!id) return start
  if (type === 'playbook') return { ...start, playbook: id }
  const { module, args } = await call<Row>(`/api/v1/ops/adhocs/${id}/`)
  return { ...start, module, args }
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  initial,
  saved: { to: () => pathOf('JobList'), detail: (saved) => pathOf('JobDetail', saved.id) },
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'type'] },
    { key: 'task', title: 'jobTask', fields: ['module', 'args', 'playbook', 'chdir', 'timeout'] },
    { key: 'asset', title: 'jobTargets', fields: ['assets', 'runas', 'runas_policy'] },
    { key: 'plan', title: 'planSchedule', fields: ['run_after_save', 'is_periodic', 'crontab'] },
    { key: 'parameters', title: 'jobParameters', fields: ['use_parameter_define', 'parameters_define'], folded: true },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: {
    name: { validation: { required: true } },
    type: { state: { hidden: () => true } },
    module: { state: { hidden: isType('adhoc') } },
    args: { ...commandField, state: { hidden: isType('adhoc') }, validation: { required: true } },
    playbook: {
      source: { url: '/api/v1/ops/playbooks/' },
      state: { hidden: isType('playbook') },
      validation: { required: true },
    },
    chdir: { state: { hidden: isType('adhoc') }, layout: { mono: true } },
    timeout: { texts: { help: 'jobTimeoutHelp' } },
    assets: {
      label: 'assets',
      source: {
        url: '/api/v1/perms/users/self/assets/',
        plain: true,
        tree: {
          url: '/api/v1/perms/users/self/nodes/children-with-assets/tree/',
          searchUrl: '/api/v1/perms/users/self/assets/tree/',
          kind: 'asset',
        },
      },
      validation: { required: true },
    },
    crontab: { widget: 'cron', state: { enableWhen: { is_periodic: true } } },
    parameters_define: {
      widget: 'code',
      with: { language: 'json' },
      texts: { help: 'jobParametersHelp' },
      state: { enableWhen: { use_parameter_define: true } },
    },
  },
}

function RunButton({ row }: DetailContext<Job>) {
  const { run, dialog } = useRun()
  if (!mayRun()) return null
  return (
    <>
      <Button type="primary" icon={<CirclePlay size={16} />} onClick={() => run(row)}>
        {t('run')}
      </Button>
      {dialog}
    </>
  )
}

/** Recent executions that the chart is drawn of. */
const recent = 200

/** Successful and failed executions by day. */
function SuccessOverTime({ row }: DetailContext<Job>) {
  const runs = useQuery({
    queryKey: ['job-chart', `${executionsUrl}?job_id=${row.id}`, ...audience()],
    queryFn: () => call(executionsUrl, { query: { job_id: row.id, limit: recent, offset: 0 }, quiet: true }),
  })
  const rows = rowsIn(runs.data as never) as readonly WireRow<typeof executionsUrl>[]
  const days = new Map<string, { ok: number; failed: number }>()
  for (const { date_created, is_success, is_finished } of [...rows].reverse()) {
    const day = timestampOf(date_created)?.toISOString().slice(5, 10)
    if (!day || !is_finished) continue
    const { ok, failed } = days.get(day) ?? { ok: 0, failed: 0 }
    days.set(day, is_success ? { ok: ok + 1, failed } : { ok, failed: failed + 1 })
  }
  const counts = [...days.values()]
  return (
    <Card title={t('jobSuccess')}>
      <Plot
        chart="job-success"
        label={t('jobSuccess')}
        days={runs.data === undefined ? undefined : [...days.keys()]}
        series={[
          { name: t('succeeded'), values: counts.map(({ ok }) => ok) },
          { name: t('failed'), values: counts.map(({ failed }) => failed) },
        ]}
      />
    </Card>
  )
}

function NextRuns({ row }: DetailContext<Job>) {
  const read = useQuery({
    queryKey: ['next-runs', row.id, row.date_updated, ...audience()],
    queryFn: () => call<string[]>(`${url}${row.id}/next-runs/`, { quiet: true }),
    enabled: row.is_periodic,
  })
  if (!row.is_periodic || !read.data?.length) return null
  return (
    <Card title={t('jobNextRuns')}>
      <ol className="in-card">
        {read.data.map((date) => {
          const timestamp = timestampOf(date)
          return <li key={date}>{timestamp ? exactTime(timestamp) : date}</li>
        })}
      </ol>
    </Card>
  )
}

export const detail: DetailSpec<Job> = {
  ...shared,
  headActions: (context) => <RunButton {...context} />,
  facts: [
    'name',
    'type',
    { name: 'module', visible: (row) => row.type.value === 'adhoc' },
    { name: 'args', mono: true, visible: (row) => row.type.value === 'adhoc' },
    { name: 'playbook', visible: (row) => row.type.value === 'playbook' },
    { name: 'average_time_cost', render: (row) => secondsOf(row.average_time_cost) },
    'date_last_run',
    'date_updated',
    'date_created',
    'comment',
  ],
  sections: (context) => (
    <>
      {context.row.type.value === 'playbook' && <EngineNotice />}
      <NextRuns {...context} />
      <SuccessOverTime {...context} />
    </>
  ),
  tabs: [
    {
      key: 'History',
      title: 'executions',
      permission: 'ops.view_jobexecution',
      render: ({ row }) => <ListView<WireRow<typeof executionsUrl>> spec={executionList(row.id)} />,
    },
  ],
}
