import { errors } from '@castellan/contract/messages/errors'
import { usersMessages } from '@castellan/contract/messages/users'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text } from '../../kernel/module/errors.ts'
import type { Verb } from '../../kernel/resource/resource.ts'
import { mailServer, subscribeUsers } from '../notifications/index.ts'
import { holdingsOf } from '../rbac/index.ts'
import { demandAuthority, demandAuthorityForChanges } from './authority.ts'
import { checkNames, claimNames } from './claimed-names.ts'
import { leaveOrganization, settleNewUsers } from './membership.ts'
import { notePartialChange } from './partial-changes.ts'
import { setPasswords } from './passwords.ts'
import { isSuperuser } from './role-fields.ts'
import type { UserChange, UserHooks, UserRow } from './user-fields.ts'
import { welcome } from './user-messages.ts'
import { demandOwnConfirmation, tellWaysChanged, waysChanged } from './ways-in.ts'

/** This user always remains usable, so that the first administrator cannot be locked out. */
export const firstAdministrator = 'admin'

const domain = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,250}[\p{L}\p{N}])?$/u

/**
 * The default e-mail address: the username if it is an address, else with the configured suffix. A suffix that is no
 * domain would keep every user from being created.
 */
export const addressFor = (username: string, suffix: string): string => {
  const wanted = suffix.trim().replace(/^@/, '')
  return username.includes('@') ? username : `${username}@${domain.test(wanted) ? wanted : 'example.com'}`
}

/** Only a system administrator removes another one from an organization. */
export async function userGuard(ctx: Context, row: UserRow, verb: Verb | 'action'): Promise<void> {
  if (verb === 'retrieve' || !ctx.caller) return
  if (!ctx.caller.isSuperuser && isSuperuser(await holdingsOf(ctx, [row.id]), row.id)) throw permissionDenied()
  if (verb === 'delete' && row.username === firstAdministrator) throw permissionDenied(text(errors.is_builtin))
}

/** Restores fields that users cannot change about themselves. */
function keepOwn(ctx: Context, change: UserChange): void {
  if (!change.before || change.before.id !== ctx.caller?.id) return
  change.row.is_active = change.before.is_active
  delete change.values.system_roles
  delete change.values.org_roles
}

/**
 * A component's account vouches for client addresses and verified keys, and reads credentials: a caller who could turn
 * an account into one could impersonate anyone.
 */
function demandRightToMakeComponents(ctx: Context, { before, row }: UserChange): void {
  if (!ctx.caller || Boolean(row.is_service_account) === Boolean(before?.is_service_account)) return
  // Nobody becomes one: whoever holds a credential of theirs would be trusted like a component with it.
  if (before || !ctx.caller.isSuperuser) throw permissionDenied(text(usersMessages.component_fixed))
}

export const userHooks: UserHooks = {
  async beforeDelete(ctx, rows) {
    await demandAuthority(
      ctx,
      rows.map(({ id }) => id),
    )
  },

  prepare(ctx, input) {
    const body = { ...input }
    if (body.email === '' && typeof body.username === 'string' && body.username)
      body.email = addressFor(body.username, mailServer.of(ctx).EMAIL_SUFFIX)
    if (body.name === '' && body.username) body.name = body.username
    // The server sets the author of a change.
    delete body.updated_by
    return body
  },

  async validate(ctx, changes, problem) {
    await checkNames(ctx, changes, problem)
    for (const change of changes) {
      demandRightToMakeComponents(ctx, change)
      if (change.row.username === firstAdministrator) change.row.is_active = true
      // An empty key leaves the existing one unchanged.
      if (!change.values.public_key && change.before) change.row.public_key = change.before.public_key
      keepOwn(ctx, change)
    }
    await demandAuthorityForChanges(ctx, changes)
    for (const { before, row, values } of changes)
      if (before) await demandOwnConfirmation(ctx, before, waysChanged(before, row, values))
  },

  async afterSave(ctx, changes) {
    if (changes.some(({ mode, partial }) => mode === 'update' && partial)) notePartialChange(ctx)
    await claimNames(ctx, changes)
    const created = changes.filter((change) => change.mode === 'create')
    const made = created.map((change) => change.row)
    await settleNewUsers(ctx, made)
    await subscribeUsers(ctx, made)
    const chosen = changes.filter(
      ({ mode, values }) => values.password && (mode === 'update' || values.password_strategy === 'custom'),
    )
    await setPasswords(
      ctx,
      chosen.map(({ row, values }) => ({ row, password: String(values.password) })),
    )
    // Sent after the password is stored, because the link is bound to it.
    await welcome(
      ctx,
      created
        .filter(({ row }) => row.source === 'local' && !row.is_service_account)
        .map(({ row, values }) => ({ row, chosen: values.password_strategy === 'custom' && Boolean(values.password) })),
    )
    // What a source changes in its own users, nobody did to them.
    if (ctx.caller)
      for (const { before, row, values } of changes)
        if (before) await tellWaysChanged(ctx, before, waysChanged(before, row, values))
    const left = changes.filter(({ mode, values }) => mode === 'update' && values.org_roles?.length === 0)
    if (left.length > 0 && !ctx.isRootOrg)
      await leaveOrganization(
        ctx,
        left.map(({ row }) => row.id),
        ctx.orgId,
      )
  },
}
