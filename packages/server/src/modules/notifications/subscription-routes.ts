import { messageBackends } from '@castellan/contract/choices/notifications'
import { errors } from '@castellan/contract/messages/errors'
import { notificationsMessages } from '@castellan/contract/messages/notifications'
import type { Field } from '../../kernel/fields/field.ts'
import { computed, normalUuid, stringList } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { columnsFor, importRoute } from '../../kernel/files/import.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notAnObject, notFound, text } from '../../kernel/module/errors.ts'
import { enabledBackends } from './backends.ts'
import { receiveBackendsOf, storeBackends } from './subscriptions.ts'

const base = '/api/v1/notifications/'

async function ownSubscription(ctx: Context) {
  return { user_id: ctx.me.id, receive_backends: (await receiveBackendsOf(ctx, [ctx.me.id])).get(ctx.me.id) ?? [] }
}

function demandOwn({ ctx, request }: Handling): void {
  if (normalUuid(request.params.id) !== ctx.me.id) throw notFound(notificationsMessages.usermsgsubscription)
}

/** Parses a list of names; unknown ones are skipped at delivery. */
export function backendList(body: unknown, partial: boolean): string[] | undefined {
  if (Array.isArray(body)) throw invalid({ non_field_errors: [notAnObject(body)] })
  const sent = objectOf(body).receive_backends
  if (sent === undefined) {
    if (partial) return undefined
    throw invalid({ receive_backends: [text(errors.required)] })
  }
  if (sent === null) throw invalid({ receive_backends: [text(errors.null)] })
  if (!Array.isArray(sent)) throw invalid({ receive_backends: [text(errors.not_a_list, { type: typeof sent })] })
  const wrong = sent.findIndex((name) => typeof name !== 'string')
  if (wrong >= 0) throw invalid({ receive_backends: { [wrong]: [text(errors.not_a_string)] } })
  return sent
}

/** The names of backends, for OPTIONS. */
export const backendsField: Field = {
  ...stringList({ required: true }),
  meta: () => ({ child: { type: 'string', required: true, read_only: false, write_only: false } }),
}
const fields = { user_id: computed('field', {}), receive_backends: backendsField }

export const subscriptionRoutes = [
  importRoute({
    url: `${base}user-msg-subscription/`,
    title: 'subscriptions',
    requires: 'valid',
    fields,
    columns: columnsFor('notifications', fields),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}backends/`,
    requires: 'valid',
    summary: 'The notification backends of this installation',
    handle: ({ ctx }) =>
      enabledBackends(ctx).map((name) => ({ name, name_display: messageBackends[name][ctx.language] })),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}user-msg-subscription/`,
    requires: 'valid',
    summary: 'The own subscription, as a list of one',
    fields: { GET: fields },
    handle: async ({ ctx, request }) => pagedReply(ctx, request, listOf([await ownSubscription(ctx)])),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}user-msg-subscription/:id/`,
    requires: 'valid',
    summary: 'The own subscription',
    fields: { GET: fields },
    handle: (handling) => {
      demandOwn(handling)
      return ownSubscription(handling.ctx)
    },
  }),
  defineRoute({
    method: ['PUT', 'PATCH'],
    path: `${base}user-msg-subscription/:id/`,
    requires: 'valid',
    summary: 'Choose notification backends',
    fields: { PUT: fields, PATCH: fields },
    handle: async (handling) => {
      demandOwn(handling)
      const { ctx, request } = handling
      const names = backendList(request.body, request.method === 'PATCH')
      if (names) await storeBackends(ctx, ctx.me.id, names)
      return ownSubscription(ctx)
    },
  }),
]
