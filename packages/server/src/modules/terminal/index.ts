import { terminalMessages } from '@castellan/contract/messages/terminal'
import { ensureDailyCounts } from '../../kernel/daily-counts.ts'
import { defineModule } from '../../kernel/module.ts'
import { findResource } from '../../kernel/resource.ts'
import { command, commandListRoute } from './commands/command.ts'
import { commandIntakeRoutes } from './commands/command-intake.ts'
import { component, deleteComponents } from './components/component.ts'
import { configRoute, hostKey, seedHostKey } from './components/config.ts'
import { metricsRoutes } from './components/metrics.ts'
import { registerOwnPrograms } from './components/own-programs.ts'
import { registrationRoutes } from './components/registration.ts'
import { statusRoutes } from './components/status.ts'
import { connectMethodRules, connectMethodsRoute } from './endpoints/connect-methods.ts'
import { deleteEndpoint, endpoint, endpointRule, seedEndpoint } from './endpoints/endpoint.ts'
import { smartEndpointRoute } from './endpoints/smart-endpoint.ts'
import { toolsPage } from './endpoints/tools-page.ts'
import { sweepSessions } from './retention.ts'
import { replayMedia } from './sessions/media.ts'
import { cleanOrphans } from './sessions/orphans.ts'
import { mySession, session, sessionsStored } from './sessions/session.ts'
import { sessionControlRoutes } from './sessions/session-control.ts'
import { commandAlerts, componentOptions, components, security, sessionRetention, sessionRules } from './settings.ts'
import { commandStorage, replayStorage, seedStorages } from './storage/storage.ts'
import { storageTreeRoute } from './storage/storage-tree.ts'
import { task } from './task.ts'
import { taskSocket } from './task-socket.ts'

export { component, componentOf } from './components/component.ts'
export { connectMethod, connectMethodRules } from './endpoints/connect-methods.ts'
export { endpointFor } from './endpoints/smart-endpoint.ts'
export { organizationOfConnection } from './sessions/evidence.ts'
export { type SessionRow, session, sessionsFinished, sessionsStarted, sessionsStored } from './sessions/session.ts'
export { reportableSessions } from './sessions/session-components.ts'
export { terminateSessions } from './sessions/session-control.ts'
export { sessionRetention } from './settings.ts'

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
  jobs: [sweepSessions, cleanOrphans],
  hooks: [sessionsStored],
  ports: [connectMethodRules],
  settings: [hostKey, components, sessionRules, sessionRetention, commandAlerts, security, componentOptions],
  async seed(ctx) {
    await seedStorages(ctx)
    await seedEndpoint(ctx)
    await seedHostKey(ctx)
    for (const { key } of [session, command]) await ensureDailyCounts(ctx, findResource(key))
  },
  async start(services, role) {
    // Seeding wrote settings before change events are followed, so they are loaded again.
    await services.settings.load()
    await registerOwnPrograms(services, role)
  },
})
