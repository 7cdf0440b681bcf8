import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import { sweepRows } from '../../kernel/jobs/retention.ts'
import type { Services } from '../../kernel/module/context.ts'
import { cleaning } from '../audits/index.ts'
import { jobExecution } from './job-execution.ts'
import { carriedCommandTable, executionFileTable } from './playbook-run/evidence-tables.ts'
import { outputFolder, outputTable } from './run/output-store.ts'
import { sweepUploads } from './transfer/uploads.ts'

const dayLength = 86_400_000

/** Removes the folders of executions whose files are older than `days`. */
async function sweepFiles(services: Services, days: number): Promise<void> {
  const before = Date.now() - days * dayLength
  const root = outputFolder(services)
  const namesIn = (path: string) => readdir(path).catch((): string[] => [])
  for (const part of await namesIn(root))
    for (const execution of await namesIn(join(root, part))) {
      const path = join(root, part, execution)
      const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? {}
      if (mtimeMs !== undefined && mtimeMs < before) await rm(path, { recursive: true, force: true })
    }
}

const swept = [outputTable.name, executionFileTable.name, carriedCommandTable.name, jobExecution.table]

/** Nightly: deletes executions of jobs and their output when they are older than the setting. */
export const sweepExecutions = defineJob<object>({
  name: 'ops.sweep-executions',
  delivery: 'idempotent',
  schedule: '0 2 * * *',
  timeout: 3_600_000,
  async run(ctx, _payload, job) {
    const days = cleaning.of(ctx).JOB_EXECUTION_KEEP_DAYS
    for (const table of swept) {
      const gone = await sweepRows(ctx, table, 'date_created', days, job.signal)
      if (gone > 0) await job.log(`${table}: ${gone}`)
    }
    await sweepFiles(ctx.services, days)
    await sweepUploads(ctx.services)
  },
})
