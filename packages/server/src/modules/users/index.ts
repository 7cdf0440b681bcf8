import { usersMessages } from '@castellan/contract/messages/users'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { claimedNameTable } from './claimed-names.ts'
import { userGroupRelation } from './group-relation.ts'
import { membersLeft } from './membership.ts'
import { passwordHistoryTable, passwordSet } from './passwords.ts'
import { preferenceRoutes, preferenceTable } from './preference.ts'
import { profileRoutes } from './profile-routes.ts'
import { providerIdentityTable } from './provider-identity.ts'
import { removeFirstPassword, seedUsers } from './seed.ts'
import { loginLimits, passwordSettings, publicKeySignIn, signInSecurity, welcomeMail } from './settings.ts'
import { accountReminders, disablesUnused, passwordReminders } from './upkeep.ts'
import { user } from './user.ts'
import { userGroup } from './user-group.ts'
import { ownConfirmation } from './ways-in.ts'

export { demandAuthority } from './authority.ts'
export { type UserRow, userBy, userByLogin, userNamed } from './find-user.ts'
export { followGroups } from './followed-groups.ts'
export {
  activeUsersOf,
  createFromSource,
  type KnownUser,
  type SourcedUser,
  usernames,
  usersBy,
  usersNamed,
} from './from-source.ts'
export { accountSubject, blockKey, type Counted, countKey, forgetFailedSignIns } from './login-state.ts'
export { membersLeft } from './membership.ts'
export { ownSecretProblem } from './own-secret.ts'
export {
  type PasswordChange,
  type PasswordRules,
  passwordProblem,
  passwordRulesOf,
  passwordSet,
  setPassword,
} from './passwords.ts'

export { filePasswordOf } from './preference.ts'
export { profileOf } from './profile.ts'
export {
  type Confirmation,
  confirmationColumns,
  confirmationsOf,
  confirmedAt,
  confirmIdentity,
  endIdentity,
  identitiesOf,
  providerIdentityTable,
  userIdByIdentity,
} from './provider-identity.ts'
export { publicKeyFacts } from './public-key.ts'
export { type ResetAccess, resetAccess } from './reset-access.ts'
export { type ResetToken, readResetToken, resetPath, resetToken, takeResetToken } from './reset-tokens.ts'
export { isOrgAdmin, isSuperuser, mfaForced } from './role-fields.ts'
export { createServiceAccount } from './service-account.ts'
export { loginLimits, passwordSettings, publicKeySignIn, signInSecurity } from './settings.ts'
export { foldedName, isSameName, isTypedAs, nameKeys } from './sign-in-names.ts'
export { addressFor } from './user-hooks.ts'
export { demandOwnConfirmation, ownConfirmation, tellWaysChanged, type WayIn } from './ways-in.ts'
export { user, userGroup }

export const users = defineModule({
  app: 'users',
  texts: usersMessages,
  resources: [user, userGroup, userGroupRelation],
  routes: [...profileRoutes, ...preferenceRoutes],
  tables: [passwordHistoryTable, preferenceTable, claimedNameTable, providerIdentityTable],
  jobs: [passwordReminders, accountReminders, disablesUnused],
  ports: [ownConfirmation],
  hooks: [passwordSet, membersLeft],
  listens: [on(passwordSet, removeFirstPassword)],
  settings: [passwordSettings, loginLimits, signInSecurity, publicKeySignIn, welcomeMail],
  seed: seedUsers,
})
