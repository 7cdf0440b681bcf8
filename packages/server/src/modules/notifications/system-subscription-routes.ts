import {
  systemMessageCategories,
  systemMessageCategoryOf,
  systemMessageTypes,
} from '@castellan/contract/choices/notifications'
import { errors } from '@castellan/contract/messages/errors'
import { notificationsMessages } from '@castellan/contract/messages/notifications'
import { base, type Field, type StoredRow } from '../../kernel/fields/field.ts'
import { computed, keyOf, normalUuid, text as words } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { columnsFor, importRoute } from '../../kernel/files/import.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notFound, quoted, text } from '../../kernel/module/errors.ts'
import { fieldsInfo, itemInfo } from '../../kernel/resource/metadata.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { backendList, backendsField } from './subscription-routes.ts'
import {
  receiverList,
  type SystemMessageType,
  storeSubscription,
  subscriptionOf,
  systemMessages,
} from './system-subscriptions.ts'

const path = '/api/v1/notifications/system-msg-subscription/'
const requires = 'settings.change_systemmsgsubscription'

async function shown(ctx: Context, type: SystemMessageType): Promise<StoredRow> {
  const subscription = await subscriptionOf(ctx, type)
  return {
    message_type: type,
    message_type_label: systemMessageTypes[type][ctx.language],
    ...subscription,
    receivers: await receiverList(ctx, subscription),
  }
}

async function everything(ctx: Context): Promise<StoredRow[]> {
  const categories = Object.keys(systemMessageCategories) as (keyof typeof systemMessageCategories)[]
  const found: StoredRow[] = []
  for (const category of categories) {
    const children: StoredRow[] = []
    for (const type of systemMessages)
      if (systemMessageCategoryOf[type] === category) children.push(await shown(ctx, type))
    found.push({ category, category_label: systemMessageCategories[category][ctx.language], children })
  }
  return found
}

/** Ids of visible rows, as sent for a field. */
async function idList(ctx: Context, field: string, resource: string, sent: unknown): Promise<string[]> {
  if (!Array.isArray(sent)) throw invalid({ [field]: [text(errors.not_a_list, { type: typeof sent })] })
  const ids = sent.map((item) => {
    const id = normalUuid(keyOf(item))
    if (!id) throw invalid({ [field]: [text(errors.not_a_uuid, { input: quoted(item) })] })
    return id
  })
  if (ids.length === 0) return []
  const rows = await scoped(ctx, findResource(resource)).where('t.id', 'in', ids).execute()
  const known = new Set(rows.map((row) => row.id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw invalid({ [field]: [text(errors.does_not_exist, { pk: missing })] })
  return [...new Set(ids)]
}

async function change({ ctx, request }: Handling): Promise<StoredRow> {
  const type = systemMessages.find((one) => one === request.params.type)
  if (!type) throw notFound(notificationsMessages.systemmsgsubscription)
  const sent = objectOf(request.body)
  const before = await subscriptionOf(ctx, type)
  await storeSubscription(ctx, type, {
    users: sent.users === undefined ? before.users : await idList(ctx.acrossOrgs(), 'users', 'users.user', sent.users),
    groups: sent.groups === undefined ? before.groups : await idList(ctx, 'groups', 'users.usergroup', sent.groups),
    receive_backends: backendList(sent, request.method === 'PATCH') ?? before.receive_backends,
  })
  return shown(ctx, type)
}

const fields = {
  message_type: words({ readOnly: true }),
  message_type_label: computed('field', {}),
  users: base('field', { required: true }),
  groups: base('field', { required: true }),
  receive_backends: backendsField,
  receivers: computed('field', {}),
}
const categoryFields: Record<string, Field> = {
  category: words({ required: true }),
  category_label: words({ required: true }),
  children: {
    ...base('field', { required: true }),
    meta: (ctx) => itemInfo(fieldsInfo(ctx, 'notifications', fields), { required: true }),
  },
}

export const systemSubscriptionRoutes = [
  importRoute({ url: path, title: 'system messages', requires, fields, columns: columnsFor('notifications', fields) }),
  defineRoute({
    method: 'GET',
    path,
    requires,
    summary: 'Subscriptions of system messages',
    fields: { GET: categoryFields },
    handle: ({ ctx }) => everything(ctx),
  }),
  defineRoute({
    method: ['PUT', 'PATCH'],
    path: `${path}:type/`,
    requires,
    summary: 'Change the subscription of a type of system message',
    fields: { PUT: fields, PATCH: fields },
    handle: change,
  }),
]
