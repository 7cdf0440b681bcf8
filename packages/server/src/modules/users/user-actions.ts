import { errors } from '@castellan/contract/messages/errors'
import { usersMessages } from '@castellan/contract/messages/users'
import { type StoredRow, text } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { type Action, type Handling, noContent, type RequestParts } from '../../kernel/http/route.ts'
import { demandSameOrigin } from '../../kernel/http/same-origin.ts'
import { countOf, filtered, namesRows } from '../../kernel/lists/query.ts'
import type { Context } from '../../kernel/module/context.ts'
import { emptyBadRequest, failureAs, invalid, text as say } from '../../kernel/module/errors.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { withAuthority } from './authority.ts'
import { invitation, inviteUsers, removeFromOrganization } from './invitations.ts'
import { unblock } from './login-state.ts'
import { setPassword } from './passwords.ts'
import { identitiesOf, unbindIdentities } from './provider-identity.ts'
import type { UserRow } from './user-fields.ts'
import { tellKeyCleared, tellMfaReset, tellPasswordReset } from './user-messages.ts'
import { demandOwnConfirmation, tellWaysChanged, type WayIn } from './ways-in.ts'

const self = () => findResource('users.user')

async function shown(ctx: Context, id: string): Promise<StoredRow> {
  const row = await ctx.rawDb.selectFrom('users_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return serializeOne(ctx, self(), self().decode(row), 'update')
}

async function changePassword({ ctx, request, row }: Handling & { row: UserRow }): Promise<StoredRow> {
  const sent = objectOf(request.body).password
  if (sent === undefined) throw invalid({ password: [say(errors.required)] })
  if (sent === null) throw invalid({ password: [say(errors.null)] })
  if (typeof sent !== 'string') throw invalid({ password: [say(errors.not_a_string)] })
  const password = decrypted(ctx, sent)
  if (password.trim() === '') throw invalid({ password: [say(errors.blank)] })
  if (password.length > 128) throw invalid({ password: [say(errors.max_length, { max: 128 })] })
  await setPassword(ctx, row, password)
  await tellWaysChanged(ctx, row, ['password'])
  return { password: '' }
}

/** PUT replaces a row, so it must contain all required fields, although none of them is changed here. */
function demandWhole({ method, body }: RequestParts): void {
  if (method !== 'PUT') return
  const sent = objectOf(body)
  const missing = ['name', 'username', 'email'].filter((name) => sent[name] === undefined)
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((name) => [name, [say(errors.required)]])))
}

async function resetPassword({ ctx, request, row }: Handling & { row: UserRow }): Promise<StoredRow> {
  demandWhole(request)
  await setPassword(ctx, row, undefined)
  await tellPasswordReset(ctx, row)
  return shown(ctx, row.id)
}

async function clearPublicKey({ ctx, request, row }: Handling & { row: UserRow }): Promise<StoredRow> {
  demandWhole(request)
  await ctx.rawDb.updateTable('users_user').set({ public_key: null }).where('id', '=', row.id).execute()
  await tellKeyCleared(ctx, row)
  return shown(ctx, row.id)
}

async function resetMfa({ ctx, request, row }: Handling & { row: UserRow }): Promise<StoredRow> {
  demandSameOrigin(ctx, request)
  if (row.id === ctx.me.id) throw failureAs(400, 'error', say(usersMessages.mfa_reset_self))
  await ctx.transaction(async (inside) => {
    await identityCatalogue.resetFactors(inside, { id: row.id })
    await tellMfaReset(inside, row)
  })
  return { msg: 'success' }
}

/** An action that changes ways in: behind authority over others, and behind a confirmation for oneself. */
const changing = (ways: readonly WayIn[], handle: (handling: Handling & { row: UserRow }) => Promise<StoredRow>) =>
  withAuthority(async (handling) => {
    // A key that is not there is not taken away.
    const changed = ways.filter((way) => way !== 'public_key' || handling.row.public_key)
    await demandOwnConfirmation(handling.ctx, handling.row, changed)
    return handle(handling)
  })

async function unbind({ ctx, row }: Handling & { row: UserRow }): Promise<StoredRow> {
  const bound = (await identitiesOf(ctx, row.id)).flatMap(({ provider, identity }) => (identity ? [provider] : []))
  await ctx.transaction(async (inside) => {
    await unbindIdentities(inside, row.id)
    await recordAction(inside, self(), 'notice', row, { unbound_from_providers: bound })
    await tellWaysChanged(inside, row, ['source'])
  })
  return { msg: 'success' }
}

/** Removes users selected by id or by a filter; a filter that matches everyone is rejected. */
async function removeSelected({ ctx, request }: Handling): Promise<unknown> {
  const { query } = request
  const rows = await (await filtered(ctx, self(), query)).execute()
  if (!namesRows(query) && rows.length >= (await countOf(scoped(ctx, self())))) throw emptyBadRequest()
  await removeFromOrganization(
    ctx,
    rows.map((row) => row.id),
  )
  return noContent()
}

const put = ['PUT', 'PATCH'] as const

const passwordFields = { password: text({ max: 128, required: true, verbatim: true }) }

export const userActions: Action<UserRow>[] = [
  {
    path: 'invite',
    methods: ['POST'],
    requires: 'users.invite_user',
    summary: 'Invite users to the current organization',
    statuses: [201],
    fields: { POST: invitation },
    handle: ({ ctx, request }) => inviteUsers(ctx, request.body),
  },
  {
    path: 'remove',
    methods: ['POST'],
    requires: 'users.remove_user',
    summary: 'Remove the selected users from the current organization',
    statuses: [204],
    handle: removeSelected,
  },
  {
    path: 'remove',
    methods: ['POST'],
    detail: true,
    requires: 'users.remove_user',
    summary: 'Remove a user from the current organization',
    statuses: [204],
    handle: async ({ ctx, row }) => {
      await removeFromOrganization(ctx, [row.id])
      return noContent()
    },
  },
  {
    path: 'password',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Set a user’s password',
    fields: { PUT: passwordFields, PATCH: passwordFields },
    handle: changing(['password'], changePassword),
  },
  {
    path: 'password/reset',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Remove a user’s password and send a link to set a new one',
    handle: changing(['password'], resetPassword),
  },
  {
    path: 'pubkey/reset',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Clear a user’s SSH public key',
    handle: changing(['public_key'], clearPublicKey),
  },
  {
    path: 'unblock',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Unblock a user after too many failed sign-ins',
    handle: withAuthority(async ({ ctx, request, row }) => {
      demandWhole(request)
      await unblock(ctx, row)
      return shown(ctx, row.id)
    }),
  },
  {
    path: 'provider-identity',
    methods: ['GET'],
    detail: true,
    requires: 'users.view_user',
    summary: 'As whom the identity providers know a user',
    handle: async ({ ctx, row }) =>
      (await identitiesOf(ctx, row.id)).map(({ provider, identity, dateConfirmed }) => ({
        provider,
        issuer: identity?.issuer ?? '',
        subject: identity?.subject ?? '',
        date_confirmed: formatTimestamp(dateConfirmed, ctx.zone),
      })),
  },
  {
    path: 'provider-identity/unbind',
    methods: put,
    detail: true,
    requires: 'users.change_user',
    summary: 'Unbind a user from its identities at providers; the next sign-in there binds again',
    handle: changing(['source'], unbind),
  },
  {
    path: 'mfa/reset',
    methods: ['GET'],
    acts: true,
    detail: true,
    requires: 'users.change_user',
    summary: 'Remove a user’s second factors',
    handle: withAuthority(resetMfa),
  },
]
