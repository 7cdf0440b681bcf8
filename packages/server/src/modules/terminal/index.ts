import { terminalMessages } from '@castellan/contract/messages/terminal'
import { ensureDailyCounts } from '../../kernel/lists/daily-counts.ts'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { membersLeft } from '../users/index.ts'
import { command } from './commands/command.ts'
import { commandIntakeRoutes } from './commands/command-intake.ts'
import { commandListRoute } from './commands/command-list.ts'
import { moveCommands } from './commands/move-commands.ts'
import { storeCommands } from './commands/store-commands.ts'
import { waitingCommandTable } from './commands/waiting-command.ts'
import { component, deleteComponents } from './components/component.ts'
import { configRoute, hostKey, seedHostKey } from './components/config.ts'
import { componentLoadTable, loadHistoryRoutes, measureLoads } from './components/load-history.ts'
import { metricsRoutes } from './components/metrics.ts'
import { registerOwnPrograms } from './components/own-programs.ts'
import { hostRegistration, registrationRoutes } from './components/registration.ts'
import { statusRoutes } from './components/status.ts'
import { appletMethods, connectMethodRules, connectMethodsRoute } from './endpoints/connect-methods.ts'
import { deleteEndpoint, endpoint, endpointRule, seedEndpoint } from './endpoints/endpoint.ts'
import { listenPortsRoute, listenPortTable } from './endpoints/listen-ports.ts'
import { smartEndpointRoute } from './endpoints/smart-endpoint.ts'
import { toolsPage } from './endpoints/tools-page.ts'
import { sweepSessions } from './retention.ts'
import { replayMedia } from './sessions/media.ts'
import { cleanOrphans } from './sessions/orphans.ts'
import { mySession, session, sessionsStored } from './sessions/session.ts'
import { sessionControlRoutes } from './sessions/session-control.ts'
import { ticketSessions } from './sessions/ticket-sessions.ts'
import { commandAlerts, componentOptions, components, security, sessionRetention, sessionRules } from './settings.ts'
import { commandRules, endJoins, joinRecord, joinRoute, joinRules } from './sharing/join-record.ts'
import { sessionSharing } from './sharing/session-sharing.ts'
import { moveFiles } from './storage/move-files.ts'
import { commandStorage, replayStorage, seedStorages } from './storage/storage.ts'
import { storageRoutes } from './storage/storage-routes.ts'
import { storageTreeRoute } from './storage/storage-tree.ts'
import { storeFiles } from './storage/store-files.ts'
import { storedFileTable } from './storage/stored-file.ts'
import { testStorages } from './storage/test-storages.ts'
import { task } from './task.ts'
import { taskSocket } from './task-socket.ts'

export { type JobCommand, tellOfJobCommands } from './commands/command-alerts.ts'
export { type RunCommand, recordRunCommands } from './commands/run-commands.ts'
export { component, componentOf, removeComponent } from './components/component.ts'
export { type Load, livingBeats, loadOf } from './components/heartbeat.ts'
export { hostRegistration } from './components/registration.ts'
export { type AppletMethod, appletMethods, connectMethod, connectMethodRules } from './endpoints/connect-methods.ts'
export { assetBehindPort, listenPortsUrl } from './endpoints/listen-ports.ts'
export { endpointFor } from './endpoints/smart-endpoint.ts'
export { organizationOfConnection } from './sessions/evidence.ts'
export { type SessionRow, session, sessionsFinished, sessionsStarted, sessionsStored } from './sessions/session.ts'
export { reportableSessions } from './sessions/session-components.ts'
export { terminateSessions } from './sessions/session-control.ts'
export { approvalDecided, runningSessions, ticketSessions } from './sessions/ticket-sessions.ts'
export { sessionRetention } from './settings.ts'
export { commandRules, joinRules } from './sharing/join-record.ts'
export { shorten } from './shorten.ts'
export { findMedia } from './storage/media-files.ts'
export { putStream } from './storage/put-stream.ts'
export { replayStorage } from './storage/storage.ts'
export { keepFile } from './storage/store-files.ts'

export const terminal = defineModule({
  app: 'terminal',
  texts: terminalMessages,
  resources: [
    ...[component, session, mySession, sessionSharing, joinRecord, task],
    ...[command, commandStorage, replayStorage, endpoint, endpointRule],
  ],
  routes: [
    ...deleteComponents,
    configRoute,
    ...registrationRoutes,
    commandListRoute,
    ...commandIntakeRoutes,
    storageTreeRoute,
    ...storageRoutes,
    replayMedia,
    ...deleteEndpoint,
    smartEndpointRoute,
    listenPortsRoute,
    connectMethodsRoute,
    ...metricsRoutes,
    ...loadHistoryRoutes,
    ...statusRoutes,
    ...sessionControlRoutes,
    joinRoute,
    toolsPage,
  ],
  sockets: [taskSocket],
  tables: [storedFileTable, waitingCommandTable, componentLoadTable, listenPortTable],
  jobs: [testStorages, measureLoads, sweepSessions, cleanOrphans, storeFiles, moveFiles, storeCommands, moveCommands],
  hooks: [sessionsStored],
  listens: [on(membersLeft, (ctx, { userIds, orgId }) => endJoins(ctx, userIds, orgId))],
  ports: [connectMethodRules, commandRules, joinRules, ticketSessions, appletMethods, hostRegistration],
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
