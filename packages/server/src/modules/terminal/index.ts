import { terminalMessages } from '@castellan/contract/messages/terminal'
import { defineModule } from '../../kernel/module.ts'
import { findResource } from '../../kernel/resource.ts'
import { ensureTally } from '../../kernel/tally.ts'
import { command, commandListRoute } from './command.ts'
import { commandIntakeRoutes } from './command-intake.ts'
import { component, deleteComponents } from './component.ts'
import { configRoute, hostKeySetting, seedHostKey } from './config.ts'
import { connectMethodsRoute } from './connect-methods.ts'
import { deleteEndpoint, endpoint, endpointRule, seedEndpoint } from './endpoint.ts'
import { replayMedia } from './media.ts'
import { metricsRoutes } from './metrics.ts'
import './orphans.ts'
import { registerOwnPrograms } from './own-programs.ts'
import './retention.ts'
import { registrationRoutes } from './registration.ts'
import { mySession, session } from './session.ts'
import { sessionControlRoutes } from './session-control.ts'
import { smartEndpointRoute } from './smart-endpoint.ts'
import { statusRoutes } from './status.ts'
import { commandStorage, replayStorage, seedStorages } from './storage.ts'
import { storageTreeRoute } from './storage-tree.ts'
import { task } from './task.ts'
import { taskSocket } from './task-socket.ts'
import { toolsPage } from './tools-page.ts'

export { component, componentOf } from './component.ts'
export { connectMethod, narrowConnectMethods } from './connect-methods.ts'
export { onSessionStart, type SessionRow, session, sessionsFinished, sessionsStarted } from './session.ts'
export { terminateSessions } from './session-control.ts'
export { endpointFor } from './smart-endpoint.ts'

export const terminal = defineModule({
  app: 'terminal',
  texts: terminalMessages,
  resources: [component, session, mySession, task, command, commandStorage, replayStorage, endpoint, endpointRule],
  routes: [
    ...deleteComponents,
    configRoute,
    ...registrationRoutes,
    commandListRoute,
    ...commandIntakeRoutes,
    storageTreeRoute,
    replayMedia,
    ...deleteEndpoint,
    smartEndpointRoute,
    connectMethodsRoute,
    ...metricsRoutes,
    ...statusRoutes,
    ...sessionControlRoutes,
    toolsPage,
  ],
  sockets: [taskSocket],
  settings: [hostKeySetting],
  async seed(ctx) {
    await seedStorages(ctx)
    await seedEndpoint(ctx)
    await seedHostKey(ctx)
    for (const { key } of [session, command]) await ensureTally(ctx, findResource(key))
  },
  async start(services, role) {
    // Seeding happens before programs follow each other's settings.
    await services.settings.load()
    await registerOwnPrograms(services, role)
  },
})
