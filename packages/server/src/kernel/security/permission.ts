import { errors } from '@castellan/contract/messages/errors'
import type { PermissionCode } from '@castellan/contract/permissions'
import type { Context } from '../module/context.ts'
import { notAuthenticated, permissionDenied, text } from '../module/errors.ts'

type Code = PermissionCode
/**
 * Access requirement of a route: a permission code (or several, all required; or `a | b`, any suffices), or one of:
 * `public` no sign-in; `authenticated` any signed-in caller, even an expired one; `valid` a signed-in, active,
 * unexpired user; `superuser`; `nobody` only the superuser.
 */
export type Requirement =
  | Code
  | readonly Code[]
  // Typing both sides would make a union of a hundred thousand texts, more than the compiler accepts; a test checks the
  // second code.
  | `${Code} | ${string}`
  | 'public'
  | 'authenticated'
  | 'valid'
  | 'superuser'
  | 'nobody'

/** Whether the caller meets a requirement. All access checks use this function. */
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

/** Throws 401 or 403 unless the caller meets the requirement. */
export function demand(ctx: Context, requirement: Requirement): void {
  if (meets(ctx, requirement)) return
  if (!ctx.caller) throw notAuthenticated()
  throw ctx.isOutsider ? permissionDenied(text(errors.not_in_organization)) : permissionDenied()
}

/** Throws 403 for every caller except the account of a component, whatever permissions they hold. */
export function demandComponent(ctx: Context): void {
  if (!ctx.caller?.isServiceAccount) throw permissionDenied(text(errors.components_only))
}

/** Throws 401 or 403 unless the caller may call a route; every request passes here before its handler. */
export function demandAccess(
  ctx: Context,
  { requires, componentsOnly }: { requires: Requirement; componentsOnly?: boolean | undefined },
): void {
  demand(ctx, requires)
  if (componentsOnly) demandComponent(ctx)
}

/** Whether the caller holds the codes: every entry of a list, any alternative of an entry. */
export function holds(ctx: Context, codes: string | readonly string[]): boolean {
  return [codes].flat().every((entry) => entry.split('|').some((code) => ctx.can(code.trim())))
}
