import type { Services } from './kernel/context.ts'
import type { Identity } from './kernel/http/identity.ts'
import type { Module } from './kernel/module.ts'
import { authentication, authenticationIdentity } from './modules/authentication/index.ts'
import { orgs, resolveOrg } from './modules/orgs/index.ts'
import { rbac, permissionsOf as rbacPermissions } from './modules/rbac/index.ts'
import { users } from './modules/users/index.ts'

/** Every module of the server, those that others stand on first. The only list of them. */
export const modules: readonly Module[] = [orgs, rbac, users, authentication]

/** Who a request comes from, what an organisation is called, what a person may do: the modules behind the kernel's ports. */
export const identity: Identity = { ...authenticationIdentity, resolveOrg }
export const permissionsOf: Services['permissionsOf'] = rbacPermissions
