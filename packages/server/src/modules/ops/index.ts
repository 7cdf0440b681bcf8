import { opsMessages } from '@castellan/contract/messages/ops'
import { defineModule } from '../../kernel/module.ts'
import { taskLogSocket } from './task-log.ts'
import { taskRoutes } from './task-routes.ts'

export const ops = defineModule({ app: 'ops', texts: opsMessages, routes: taskRoutes, sockets: [taskLogSocket] })
