import { authenticationMessages } from '@castellan/contract/messages/authentication'
import { defineModule } from '../../kernel/module.ts'
import { accessKey, createKeyRoute } from './access-key.ts'
import { apiRoutes } from './api.ts'
import { enrolmentRoutes } from './enrolment-pages.ts'
import { passwordPageRoutes } from './password-pages.ts'
import { recoveryRoutes } from './recovery-pages.ts'
import { revocations, signInsRevoked } from './revocation.ts'
import { signInFinished } from './sign-in-outcomes.ts'
import { signInPageRoutes } from './sign-in-pages.ts'
import { sweepSessions } from './sweep.ts'
import { bearerTable, sessionTable } from './tables.ts'

export { accessKey, createAccessKey } from './access-key.ts'
export { sessionOf } from './api.ts'
export { callerById } from './callers.ts'
export { demandConfirmation } from './confirmation.ts'
export { authenticationIdentity } from './identity.ts'
export { showPage } from './pages.ts'
export { signInsRevoked } from './revocation.ts'
export { loginsEnded } from './session.ts'
export { type LoginFacts, signInFinished } from './sign-in-outcomes.ts'

export const authentication = defineModule({
  app: 'authentication',
  texts: authenticationMessages,
  resources: [accessKey],
  routes: [
    createKeyRoute,
    ...apiRoutes,
    ...signInPageRoutes,
    ...enrolmentRoutes,
    ...passwordPageRoutes,
    ...recoveryRoutes,
  ],
  tables: [sessionTable, bearerTable],
  jobs: [sweepSessions],
  hooks: [signInFinished, signInsRevoked],
  listens: revocations,
})
