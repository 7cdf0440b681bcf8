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

/** Lets the caller pass or throws 401 or 403. The only place that decides it. */
export function demand(ctx: Context, requirement: Requirement): void {
  if (requirement === 'public') return
  const caller = ctx.caller
  if (!caller) throw notAuthenticated()
  if (requirement === 'authenticated') return
  if (!caller.isActive || caller.isExpired) throw permissionDenied()
  if (requirement === 'valid' || caller.isSuperuser) return
  if (requirement === 'superuser' || requirement === 'nobody') throw permissionDenied()
  if (ctx.isOutsider) throw permissionDenied(text(errors.not_in_organization))
  if (!holds(ctx, requirement)) throw permissionDenied()
}

/** Throws 403 for every caller but the account of a component, whatever rights they hold. */
export function demandComponent(ctx: Context): void {
  if (!ctx.caller?.isServiceAccount) throw permissionDenied(text(errors.components_only))
}

/** Whether codes are held: every entry of a list, any alternative of an entry. */
export function holds(ctx: Context, codes: string | readonly string[]): boolean {
  return [codes].flat().every((entry) => entry.split('|').some((code) => ctx.can(code.trim())))
}
