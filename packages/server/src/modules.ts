import type { Identity } from './kernel/http/identity.ts'
import type { Services } from './kernel/module/context.ts'
import { kernel } from './kernel/module/kernel-module.ts'
import { connectModules, type Module } from './kernel/module/module.ts'
import { accounts } from './modules/accounts/index.ts'
import { acls } from './modules/acls/index.ts'
import { applets } from './modules/applets/index.ts'
import { assets } from './modules/assets/index.ts'
import { audits } from './modules/audits/index.ts'
import { authentication, authenticationIdentity } from './modules/authentication/index.ts'
import { cloud } from './modules/cloud/index.ts'
import { common } from './modules/common/index.ts'
import { connectionTokens } from './modules/connection-tokens/index.ts'
import { notifications } from './modules/notifications/index.ts'
import { ops } from './modules/ops/index.ts'
import { orgs, resolveOrg } from './modules/orgs/index.ts'
import { perms } from './modules/perms/index.ts'
import { placeOf as placeInOrg, rbac, permissionsOf as rbacPermissions } from './modules/rbac/index.ts'
import { settings } from './modules/settings/index.ts'
import { terminal } from './modules/terminal/index.ts'
import { tickets } from './modules/tickets/index.ts'
import { users } from './modules/users/index.ts'
import { xpack } from './modules/xpack/index.ts'

/** Every module of the server, those that others stand on first. The only list of them. */
export const modules: readonly Module[] = connectModules([
  kernel,
  xpack,
  settings,
  orgs,
  rbac,
  notifications,
  users,
  authentication,
  assets,
  accounts,
  cloud,
  terminal,
  applets,
  audits,
  perms,
  tickets,
  acls,
  connectionTokens,
  common,
  ops,
])

/** The modules behind the kernel's ports: identity, organizations and permissions. */
export const identity: Identity = { ...authenticationIdentity, resolveOrg }
export const permissionsOf: Services['permissionsOf'] = rbacPermissions
export const placeOf: Services['placeOf'] = placeInOrg
