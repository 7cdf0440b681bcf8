import { authenticationMessages } from '@castellan/contract/messages/authentication'
import { on, provide } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { guardedSettingsChanging, settingsAltered } from '../settings/index.ts'
import { ownConfirmation } from '../users/index.ts'
import { accessKey, createKeyRoute } from './access-key.ts'
import { apiRoutes } from './api.ts'
import { cas } from './backends/cas.ts'
import { directory } from './backends/directory.ts'
import { ldap, ldapOptions, radius } from './backends/directory-settings.ts'
import { oauth2 } from './backends/oauth2.ts'
import { openid } from './backends/openid.ts'
import { password } from './backends/password.ts'
import { cas as casSettings, keycloak, oauth2 as oauth2Settings, oidc, saml2 } from './backends/provider-settings.ts'
import { publicKey } from './backends/public-key.ts'
import { saml } from './backends/saml2.ts'
import { ssoToken } from './backends/sso-token.ts'
import { blockRoutes } from './blocked-addresses.ts'
import { captchaRoutes } from './captcha/captcha.ts'
import { bindsNewUsers, chatBackends } from './chats/backends.ts'
import { chatRoutes, feishuEvents } from './chats/bind.ts'
import { demandStepUp } from './confirmation.ts'
import { enrolmentRoutes } from './enrolment-pages.ts'
import { redirectRoutes } from './federated/pages.ts'
import { samlRoutes } from './federated/saml-pages.ts'
import { readUsers } from './ldap/cached-users.ts'
import { ldapRoutes } from './ldap/routes.ts'
import { scheduleSync, syncUsers } from './ldap/sync.ts'
import { directoryUserTable } from './ldap/table.ts'
import { oneTimeCode } from './one-time-code.ts'
import { passkeyBackend, passkeyFactor } from './passkeys/backend.ts'
import { passkey } from './passkeys/passkey.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { passwordPageRoutes } from './password-pages.ts'
import { radiusFactor, radiusPassword } from './radius/backend.ts'
import { recoveryRoutes } from './recovery-pages.ts'
import { revocations, signInsRevoked } from './revocation.ts'
import { otherMethods, passkeys, signatures, signInMethods, signInSessions } from './settings.ts'
import { pendingUser } from './sign-in.ts'
import { signInFinished, signInJudged, signInReviews } from './sign-in-outcomes.ts'
import { signInPageRoutes } from './sign-in-pages.ts'
import { reviewRoutes } from './sign-in-review.ts'
import { smsFactor } from './sms-factor.ts'
import { ssoRoutes } from './sso.ts'
import { sweepSessions } from './sweep.ts'
import { bearerTable, providerSessionTable, sessionTable } from './tables.ts'
import { temporaryPassword } from './temp-tokens/backend.ts'
import { tempToken, tempTokenRoutes, tempTokensRevoked } from './temp-tokens/temp-token.ts'

export { accessKey, createAccessKey } from './access-key.ts'
export { sessionOf } from './api.ts'
export { callerById, type KnownUser, unconfirmedOf } from './callers.ts'
export { demandConfirmation, demandStepUp } from './confirmation.ts'
export { authenticationIdentity } from './identity.ts'
export { formOf, showPage, withCsrf } from './pages.ts'
export { presentCaller } from './provider-standing.ts'
export { signInsRevoked } from './revocation.ts'
export { loginsEnded } from './session.ts'
export { SignInDenied } from './sign-in-denied.ts'
export {
  type LoginFacts,
  type SignInFacts,
  type SignInReviews,
  type SigningIn,
  signInFinished,
  signInJudged,
  signInReviews,
} from './sign-in-outcomes.ts'

export const authentication = defineModule({
  app: 'authentication',
  texts: authenticationMessages,
  resources: [accessKey, passkey, tempToken],
  routes: [
    createKeyRoute,
    ...apiRoutes,
    ...signInPageRoutes,
    ...captchaRoutes,
    ...redirectRoutes,
    ...samlRoutes,
    ...ssoRoutes,
    ...enrolmentRoutes,
    ...passwordPageRoutes,
    ...recoveryRoutes,
    ...blockRoutes,
    ...passkeyRoutes,
    ...tempTokenRoutes,
    ...ldapRoutes,
    ...chatRoutes,
    feishuEvents,
    ...reviewRoutes({ pendingUser }),
  ],
  settings: [
    signInMethods,
    signInSessions,
    otherMethods,
    signatures,
    passkeys,
    ...[ldap, ldapOptions, radius],
    ...[casSettings, oidc, keycloak, saml2, oauth2Settings],
  ],
  identity: {
    // Temporary passwords come before other sources, which must not be sent them.
    backends: [
      ...[password, temporaryPassword, directory, radiusPassword, publicKey],
      ...[openid, cas, saml, oauth2, ssoToken, passkeyBackend],
      ...chatBackends,
    ],
    factors: [oneTimeCode, smsFactor, radiusFactor, passkeyFactor],
  },
  tables: [sessionTable, bearerTable, providerSessionTable, directoryUserTable],
  jobs: [sweepSessions, readUsers, syncUsers],
  ports: [signInReviews],
  provides: [provide(ownConfirmation, { demand: (ctx) => demandStepUp(ctx, 'password') })],
  hooks: [signInJudged, signInFinished, signInsRevoked],
  listens: [
    ...revocations,
    tempTokensRevoked,
    bindsNewUsers,
    on(settingsAltered, (ctx, { after }) => scheduleSync(ctx, after)),
    on(guardedSettingsChanging, (ctx) => demandStepUp(ctx, 'password')),
  ],
  seed: (ctx) => scheduleSync(ctx),
})
