import { cloudLabels, providerAttributes } from '@castellan/contract/messages/cloud'
import { defineModule } from '../../kernel/module/module.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { licenseState } from '../xpack/index.ts'
import { account } from './account.ts'
import { syncExecution } from './execution.ts'
import { instance } from './instance.ts'
import { sweepExecutions } from './retention.ts'
import { cloudRoutes } from './routes.ts'
import { strategy, strategyAction, strategyRule } from './strategy.ts'
import { syncJob } from './sync/job.ts'
import { syncTask } from './task.ts'

/** The cloud center: accounts at providers, and assets that are made of their machines. */
export const cloud = defineModule({
  app: 'xpack',
  texts: { ...providerAttributes, ...cloudLabels },
  isAvailable: (services) => licenseState(services).extended,
  resources: [
    account,
    strategy,
    strategyRule,
    strategyAction,
    syncTask,
    syncExecution,
    instance,
  ] as readonly Resource[],
  routes: cloudRoutes,
  jobs: [syncJob, sweepExecutions],
})
