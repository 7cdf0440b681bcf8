import { errors } from '@castellan/contract/messages/errors'
import type { PermissionCode } from '@castellan/contract/permissions'
import type { Context } from './context.ts'
import { notAuthenticated, permissionDenied, text } from './errors.ts'

type Code = PermissionCode
/**
 * What a route demands. A code (or several, all needed; or `a | b`, any suffices), or one of the words:
 * `public` nobody needs to be known; `authenticated` somebody known, even if expired;
 * `valid` a known, active, unexpired person; `superuser`; `nobody` refuses everyone but the superuser.
 */
export type Requirement =
  | Code
  | readonly Code[]
  // Both sides typed would be a union of a hundred thousand texts, more than the compiler takes; a test knows the rest.
  | `${Code} | ${string}`
  | 'public'
  | 'authenticated'
  | 'valid'
  | 'superuser'
  | 'nobody'

/** Whether the caller meets a requirement. The only place that decides it. */
export function meets(ctx: Context, requirement: Requirement): boolean {
  if (requirement === 'public') return true
  const caller = ctx.caller
  if (!caller) return false
  if (requirement === 'authenticated') return true
  if (!caller.isActive || caller.isExpired) return false
  if (requirement === 'valid' || caller.isSuperuser) return true
  if (requirement === 'superuser' || requirement === 'nobody' || ctx.isOutsider) return false
  return holds(ctx, requirement)
}

/** Lets the caller pass or throws 401 or 403. */
export function demand(ctx: Context, requirement: Requirement): void {
  if (meets(ctx, requirement)) return
  if (!ctx.caller) throw notAuthenticated()
  throw ctx.isOutsider ? permissionDenied(text(errors.not_in_organization)) : permissionDenied()
}

/** Throws 403 for every caller but the account of a component, whatever rights they hold. */
export function demandComponent(ctx: Context): void {
  if (!ctx.caller?.isServiceAccount) throw permissionDenied(text(errors.components_only))
}

/** Whether codes are held: every entry of a list, any alternative of an entry. */
export function holds(ctx: Context, codes: string | readonly string[]): boolean {
  return [codes].flat().every((entry) => entry.split('|').some((code) => ctx.can(code.trim())))
}
