import { opsMessages } from '@castellan/contract/messages/ops'
import { defineModule } from '../../kernel/module.ts'
import { commandExecution } from './settings.ts'
import { taskLogSocket } from './task-log.ts'
import { taskLogPage } from './task-page.ts'
import { taskRoutes } from './task-routes.ts'

export const ops = defineModule({
  app: 'ops',
  texts: opsMessages,
  settings: [commandExecution],
  routes: [...taskRoutes, taskLogPage],
  sockets: [taskLogSocket],
})
