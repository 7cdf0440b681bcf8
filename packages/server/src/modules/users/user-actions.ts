import { randomBytes } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { usersMessages } from '@castellan/contract/messages/users'
import type { Context } from '../../kernel/context.ts'
import { decrypted } from '../../kernel/encrypted.ts'
import { emptyBadRequest, failureAs, invalid, permissionDenied, text as say } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { text } from '../../kernel/fields/index.ts'
import { filtered } from '../../kernel/query.ts'
import { presentOne } from '../../kernel/read.ts'
import { findResource } from '../../kernel/resource.ts'
import { type Action, type Handling, noContent } from '../../kernel/route.ts'
import { invitation, inviteUsers, removeFromOrganisation } from './invitations.ts'
import { unblock } from './login-state.ts'
import { setPassword } from './passwords.ts'
import { tellKeyCleared, tellMfaReset, tellPasswordReset } from './user-messages.ts'

const self = () => findResource('users.user')

async function shown(ctx: Context, id: string): Promise<AnyRow> {
  const row = await ctx.unscoped.selectFrom('users_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return presentOne(ctx, self(), self().decode(row), 'update')
}

async function changePassword({ ctx, request, row }: Handling & { row: AnyRow }): Promise<AnyRow> {
  const sent = (request.body as AnyRow | undefined)?.password
  if (sent === undefined || sent === null) throw invalid({ password: [say(errors.required)] })
  if (typeof sent !== 'string') throw invalid({ password: [say(errors.not_a_string)] })
  const password = decrypted(ctx, sent)
  if (password.trim() === '') throw invalid({ password: [say(errors.blank)] })
  if (password.length > 128) throw invalid({ password: [say(errors.max_length, { max: 128 })] })
  await setPassword(ctx, row, password)
  return { password: '' }
}

async function resetPassword({ ctx, row }: Handling & { row: AnyRow }): Promise<AnyRow> {
  await setPassword(ctx, row, randomBytes(24).toString('base64url'))
  await tellPasswordReset(ctx, row)
  return shown(ctx, row.id)
}

async function clearPublicKey({ ctx, row }: Handling & { row: AnyRow }): Promise<AnyRow> {
  await ctx.unscoped.updateTable('users_user').set({ public_key: null }).where('id', '=', row.id).execute()
  await tellKeyCleared(ctx, row)
  return shown(ctx, row.id)
}

/**
 * The contract makes this a GET that changes something. A page elsewhere must not be able to send a signed-in
 * administrator here, so a request that a browser says comes from another site is refused.
 */
async function resetMfa({ ctx, request, row }: Handling & { row: AnyRow }): Promise<AnyRow> {
  const from = request.headers['sec-fetch-site']
  if (ctx.credential === 'session' && from !== undefined && from !== 'same-origin') throw permissionDenied()
  if (row.id === ctx.me.id) throw failureAs(400, 'error', say(usersMessages.mfa_reset_self))
  await ctx.transaction(async (inside) => {
    await inside.unscoped.updateTable('users_user').set({ otp_secret: null }).where('id', '=', row.id).execute()
    await tellMfaReset(inside, row)
  })
  return { msg: 'success' }
}

async function removeSelected({ ctx, request }: Handling): Promise<unknown> {
  const { oid: _oid, ...selection } = request.query
  if (!Object.values(selection).some(Boolean)) throw emptyBadRequest()
  const rows = await (await filtered(ctx, self(), request.query)).execute()
  await removeFromOrganisation(
    ctx,
    rows.map((row) => row.id),
  )
  return noContent()
}

const put = ['PUT', 'PATCH'] as const

const passwordFields = { password: text({ max: 128, required: true, verbatim: true }) }

export const userActions: Action[] = [
  {
    path: 'invite',
    methods: ['POST'],
    requires: 'users.invite_user',
    summary: 'Give people a place in the current organisation',
    fields: { POST: invitation },
    handle: ({ ctx, request }) => inviteUsers(ctx, request.body),
  },
  {
    path: 'remove',
    methods: ['POST'],
    requires: 'users.remove_user',
    summary: 'Take the selected people out of the current organisation',
    handle: removeSelected,
  },
  {
    path: 'remove',
    methods: ['POST'],
    detail: true,
    requires: 'users.remove_user',
    summary: 'Take somebody out of the current organisation',
    handle: async ({ ctx, row }) => {
      await removeFromOrganisation(ctx, [row.id])
      return noContent()
    },
  },
  {
    path: 'password',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Set somebody’s password',
    fields: { PUT: passwordFields, PATCH: passwordFields },
    handle: changePassword,
  },
  {
    path: 'password/reset',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Take somebody’s password away and send them a link to set a new one',
    handle: resetPassword,
  },
  {
    path: 'pubkey/reset',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Clear somebody’s SSH public key',
    handle: clearPublicKey,
  },
  {
    path: 'unblock',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Let somebody sign in again after too many failures',
    handle: async ({ ctx, row }) => {
      await unblock(ctx, row)
      return shown(ctx, row.id)
    },
  },
  {
    path: 'mfa/reset',
    methods: ['GET'],
    detail: true,
    requires: 'users.change_user',
    summary: 'Take somebody’s second factors away',
    handle: resetMfa,
  },
]
