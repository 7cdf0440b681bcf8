import { terminalMessages } from '@castellan/contract/messages/terminal'
import { defineModule } from '../../kernel/module.ts'
import { component, deleteComponent } from './component.ts'
import { configRoute, hostKeySetting, seedHostKey } from './config.ts'
import './orphans.ts'
import { registrationRoutes } from './registration.ts'
import { mySession, session } from './session.ts'
import { sessionControlRoutes } from './session-control.ts'
import { statusRoutes } from './status.ts'
import { commandStorage, replayStorage, seedStorages } from './storage.ts'
import { task } from './task.ts'
import { taskSocket } from './task-socket.ts'

export { component, componentOf } from './component.ts'
export { onSessionStart, type SessionRow, session, sessionsFinished, sessionsStarted } from './session.ts'
export { terminateSessions } from './session-control.ts'

export const terminal = defineModule({
  app: 'terminal',
  texts: terminalMessages,
  resources: [component, session, mySession, task, commandStorage, replayStorage],
  routes: [deleteComponent, configRoute, ...registrationRoutes, ...statusRoutes, ...sessionControlRoutes],
  sockets: [taskSocket],
  settings: [hostKeySetting],
  async seed(ctx) {
    await seedStorages(ctx)
    await seedHostKey(ctx)
  },
  async start(services) {
    // Seeding happens before programs follow each other's settings.
    await services.settings.load()
  },
})
