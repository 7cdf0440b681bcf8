import { opsMessages } from '@castellan/contract/messages/ops'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { ticketEnded } from '../tickets/index.ts'
import { adhoc } from './adhoc.ts'
import { evidenceRoutes } from './evidence-routes.ts'
import { executionRoutes } from './execution-routes.ts'
import { hintRoutes } from './hint-routes.ts'
import { job } from './job.ts'
import { jobExecution } from './job-execution.ts'
import { jobLog } from './job-log.ts'
import { outputRoutes } from './output-routes.ts'
import { playbook } from './playbook.ts'
import { checkRoutes } from './playbook-check.ts'
import { playbookFileTable } from './playbook-files.ts'
import { playbookRoutes } from './playbook-routes.ts'
import { carriedCommandTable, executionFileTable } from './playbook-run/evidence-tables.ts'
import { refreshPlaybook, refreshRoutes } from './playbook-source/refresh.ts'
import { sweepExecutions } from './retention.ts'
import { executeJob } from './run/execute.ts'
import { executionSocket } from './run/execution-socket.ts'
import { outputTable } from './run/output-store.ts'
import { goOn } from './run/reviews.ts'
import { commandExecution, fileTransfers, playbookSources } from './settings.ts'
import { taskCenterRoutes } from './task-center.ts'
import { taskLogSocket } from './task-log.ts'
import { taskLogPage, taskMonitorPage } from './task-page.ts'
import { taskRoutes } from './task-routes.ts'
import { toolsSocket } from './tools/tools-socket.ts'
import { transferRoutes } from './transfer/transfer-routes.ts'

export const ops = defineModule({
  app: 'ops',
  texts: opsMessages,
  resources: [adhoc, playbook, job, jobExecution, jobLog],
  tables: [playbookFileTable, outputTable, executionFileTable, carriedCommandTable],
  jobs: [executeJob, sweepExecutions, refreshPlaybook],
  settings: [commandExecution, fileTransfers, playbookSources],
  routes: [
    ...taskCenterRoutes,
    ...taskRoutes,
    taskLogPage,
    taskMonitorPage,
    ...executionRoutes,
    ...outputRoutes,
    ...evidenceRoutes,
    ...playbookRoutes,
    ...hintRoutes,
    ...transferRoutes,
    ...refreshRoutes,
    ...checkRoutes,
  ],
  listens: [on(ticketEnded, goOn)],
  sockets: [taskLogSocket, toolsSocket, executionSocket],
})
