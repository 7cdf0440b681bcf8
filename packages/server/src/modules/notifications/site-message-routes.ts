import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { Field, StoredRow } from '../../kernel/fields/field.ts'
import { boolean, booleanOf, normalUuid, stringList, text as words } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, type Problem, quoted, text } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { sendSiteMessage, unreadTotal } from './site-messages.ts'

const base = '/api/v1/notifications/site-messages/'
const done = { detail: 'ok' }

function idsOf(field: string, sent: unknown): string[] {
  if (sent === null) throw invalid({ [field]: [text(errors.null)] })
  if (!Array.isArray(sent)) throw invalid({ [field]: [text(errors.not_a_list, { type: typeof sent })] })
  const problems: Record<string, Problem> = {}
  const ids = sent.map((item, index) => {
    const id = normalUuid(item)
    if (!id) problems[index] = [text(errors.not_a_uuid, { input: quoted(item) })]
    return id ?? ''
  })
  if (Object.keys(problems).length > 0) throw invalid({ [field]: problems })
  return ids
}

async function markRead(ctx: Context, ids?: readonly string[]): Promise<void> {
  const mine = ctx.rawDb
    .updateTable('notifications_sitemessage')
    .set({ has_read: true, read_at: ctx.now, date_updated: ctx.now })
    .where('user_id', '=', ctx.me.id)
  if (!ids) await mine.execute()
  else for (const some of batches(ids)) await mine.where('id', 'in', some).execute()
}

async function receiversOf(ctx: Context, body: StoredRow): Promise<string[]> {
  const broadcast = booleanOf(body.is_broadcast ?? false)
  if (broadcast === undefined) throw invalid({ is_broadcast: [text(errors.not_a_boolean)] })
  if (broadcast) {
    const everybody = await ctx.rawDb.selectFrom('users_user').select('id').execute()
    return everybody.map((row) => row.id)
  }
  const [users, groups] = [idsOf('user_ids', body.user_ids ?? []), idsOf('group_ids', body.group_ids ?? [])]
  if (users.length + groups.length === 0) throw invalid({ user_ids: [text(errors.empty_list)] })
  const known = users.length
    ? await ctx.rawDb.selectFrom('users_user').select('id').where('id', 'in', users).execute()
    : []
  const members = groups.length
    ? await ctx.rawDb
        .selectFrom('users_user_groups')
        .select('user_id as id')
        .where('usergroup_id', 'in', groups)
        .execute()
    : []
  return [...known, ...members].map((row) => row.id)
}

const listed = (options: { required?: boolean } = {}): Field => ({
  ...stringList(options),
  meta: () => ({ child: { type: 'string', required: true, read_only: false, write_only: false } }),
})
/** The content of a message, without its receivers. */
const wordFields = {
  subject: words({ max: 1024, required: true }),
  message: words({ max: 100_000, required: true }),
}
const sendFields = {
  subject: words({ required: true }),
  message: words({ required: true }),
  user_ids: listed(),
  group_ids: listed(),
  is_broadcast: boolean(),
}

export const siteMessageRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}unread-total/`,
    requires: 'valid',
    summary: 'Number of own unread site messages',
    describes: base,
    // Told like the list it counts, as clients of the contract expect.
    listed: true,
    handle: async ({ ctx }) => ({ total: await unreadTotal(ctx, ctx.me.id) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: `${base}mark-as-read/`,
    requires: 'valid',
    summary: 'Mark own site messages as read; an empty list means all of them',
    fields: { PATCH: { ids: listed({ required: true }) } },
    handle: async ({ ctx, request }) => {
      const { ids } = objectOf(request.body)
      if (ids === undefined) throw invalid({ ids: [text(errors.required)] })
      const wanted = idsOf('ids', ids)
      await markRead(ctx, wanted.length > 0 ? wanted : undefined)
      return done
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${base}mark-as-read-all/`,
    requires: 'valid',
    summary: 'Mark every own site message as read',
    describes: base,
    handle: async ({ ctx }) => {
      await markRead(ctx)
      return done
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}send/`,
    // Such a message looks like one of the product, so sending one needs a high permission.
    requires: 'settings.change_systemmsgsubscription',
    summary: 'Send a site message to users, groups or everyone',
    fields: { POST: sendFields },
    handle: async ({ ctx, request }) => {
      const body = objectOf(request.body)
      const said = readBody<{ subject: string; message: string }>(ctx, wordFields, body)
      await sendSiteMessage(ctx, await receiversOf(ctx, body), { ...said, senderId: ctx.me.id })
      return done
    },
  }),
]
