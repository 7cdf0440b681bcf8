// Lists out of a million executions of jobs: processor time of a page for their owner, and for an auditor.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { multiply } from './many-tickets.ts'
import { processorPerRequest, report } from './results.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' } } })
const count = Number(values.count)
const pageSize = 15

const columns: Readonly<Record<string, string>> = {
  id: "printf('%08x-0000-4000-8000-%012x', n, n)",
  material: "'shell:uptime ' || n",
  // A thousand a day.
  date_created: 'date_created - n * 86400',
  date_start: 'date_start - n * 86400',
  date_finished: 'date_finished - n * 86400',
  status: "case when n % 20 = 0 then 'failed' else 'success' end",
}

const product = await startProduct()
try {
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const host = await admin.collection('assets/hosts').create({
    ...{ name: 'host', address: '127.0.0.1', platform: 1, nodes_display: ['/Default'] },
    protocols: [{ name: 'ssh', port: 1 }],
  })
  const { task_id: id } = await admin.request<{ task_id: string }>('POST', '/api/v1/ops/jobs/', {
    ...{ assets: [host.id], module: 'shell', args: 'uptime', runas: 'root', instant: true, is_periodic: false },
  })
  const job = await admin.request<{ job_id: string }>('GET', `/api/v1/ops/job-execution/task-detail/${id}/`)
  while (!(await admin.request<{ is_finished: boolean }>('GET', `/api/v1/ops/job-executions/${id}/`)).is_finished);
  const database = new DatabaseSync(join(product.dataDir, 'castellan.db'))
  database.exec('pragma busy_timeout = 60000')
  database.exec('begin immediate')
  multiply(database, 'ops_jobexecution', 'id', id, count, columns)
  database.exec('commit')
  database.exec('analyze')
  database.close()
  const pid = (await product.status()).programs.server.pid ?? 0
  for (const [what, path] of [
    ['own executions: first page', 'ops/job-executions/?'],
    ['own executions: page in the middle', `ops/job-executions/?offset=${count / 2}&`],
    ['own executions: last page', `ops/job-executions/?offset=${count - pageSize}&`],
    ['own executions: failed ones', 'ops/job-executions/?status=failed&'],
    ['own executions: of one job', `ops/job-executions/?job_id=${job.job_id}&`],
    ['own executions: search', `ops/job-executions/?search=${encodeURIComponent('uptime 4711')}&`],
    ['job log: first page', 'audits/job-logs/?'],
    ['job log: page in the middle', `audits/job-logs/?offset=${count / 2}&`],
  ] as const)
    report([
      {
        what: `${what}, of ${count}`,
        value: await processorPerRequest(admin, pid, `/api/v1/${path}limit=${pageSize}`),
        unit: 'ms',
        limit: { most: 3 },
      },
    ])
} finally {
  await product.stop()
}
