import { authenticationMessages } from '@castellan/contract/messages/authentication'
import { defineModule } from '../../kernel/module.ts'
import { accessKey, createKeyRoute } from './access-key.ts'
import { apiRoutes } from './api.ts'
import { ldap, ldapOptions, radius } from './backends/directory-settings.ts'
import { password } from './backends/password.ts'
import { cas, keycloak, oauth2, oidc, saml2 } from './backends/provider-settings.ts'
import { publicKey } from './backends/public-key.ts'
import { blockRoutes } from './blocked-addresses.ts'
import { enrolmentRoutes } from './enrolment-pages.ts'
import { oneTimeCode } from './one-time-code.ts'
import { passwordPageRoutes } from './password-pages.ts'
import { recoveryRoutes } from './recovery-pages.ts'
import { redirectRoutes } from './redirect-pages.ts'
import { revocations, signInsRevoked } from './revocation.ts'
import { otherMethods, passkeys, signInMethods, signInSessions } from './settings.ts'
import { signInFinished, signInJudged } from './sign-in-outcomes.ts'
import { signInPageRoutes } from './sign-in-pages.ts'
import { sweepSessions } from './sweep.ts'
import { bearerTable, sessionTable } from './tables.ts'

export { accessKey, createAccessKey } from './access-key.ts'
export { sessionOf } from './api.ts'
export { callerById } from './callers.ts'
export { demandConfirmation } from './confirmation.ts'
export { authenticationIdentity } from './identity.ts'
export { showPage } from './pages.ts'
export { Refusal } from './refusal.ts'
export { signInsRevoked } from './revocation.ts'
export { loginsEnded } from './session.ts'
export { type LoginFacts, signInFinished, signInJudged } from './sign-in-outcomes.ts'

export const authentication = defineModule({
  app: 'authentication',
  texts: authenticationMessages,
  resources: [accessKey],
  routes: [
    createKeyRoute,
    ...apiRoutes,
    ...signInPageRoutes,
    ...redirectRoutes,
    ...enrolmentRoutes,
    ...passwordPageRoutes,
    ...recoveryRoutes,
    ...blockRoutes,
  ],
  settings: [
    signInMethods,
    signInSessions,
    otherMethods,
    passkeys,
    ...[ldap, ldapOptions, radius],
    ...[cas, oidc, keycloak, saml2, oauth2],
  ],
  identity: { backends: [password, publicKey], factors: [oneTimeCode] },
  tables: [sessionTable, bearerTable],
  jobs: [sweepSessions],
  hooks: [signInJudged, signInFinished, signInsRevoked],
  listens: revocations,
})
