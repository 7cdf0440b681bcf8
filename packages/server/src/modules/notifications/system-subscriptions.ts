import { systemMessageCategoryOf, systemMessageTypes } from '@castellan/contract/choices/notifications'
import { roleIds } from '@castellan/contract/ids'
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { accountOf, type BackendName, backendNames, enabledBackends, type Receiver } from './backends.ts'
import { type Notice, tellInLanguages } from './notify.ts'
import { commandWatchers } from './settings.ts'

export type SystemMessageType = keyof typeof systemMessageTypes
export const systemMessages = Object.keys(systemMessageTypes) as SystemMessageType[]

/** Subscriptions of system messages; a type without a row has its default. */
export const systemSubscriptionTable: TableShape = {
  name: 'notifications_systemmsgsubscription',
  columns: {
    message_type: { type: 'text' },
    /** Ids, as JSON. */
    users: { type: 'json' },
    groups: { type: 'json' },
    receive_backends: { type: 'json' },
    date_updated: { type: 'timestamp' },
  },
  primaryKey: ['message_type'],
  unique: [],
  indexes: [],
}

export interface Subscription {
  users: string[]
  groups: string[]
  receive_backends: string[]
}

async function administrators(ctx: Context): Promise<string[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('rbac_rolebinding')
    .select('user_id')
    .where('role_id', '=', roleIds.systemAdmin)
    .execute()
  return rows.map((row) => row.user_id)
}

async function watchersOfCommands(ctx: Context): Promise<string[]> {
  const addresses = commandWatchers
    .of(ctx)
    .SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER.split(/[,\s]+/)
    .filter(Boolean)
  if (addresses.length === 0) return []
  const rows = await ctx.rawDb.selectFrom('users_user').select('id').where('email', 'in', addresses).execute()
  return rows.map((row) => row.id)
}

async function defaultOf(ctx: Context, type: SystemMessageType): Promise<Subscription> {
  if (type === 'StorageConnectivityMessage') return { users: [], groups: [], receive_backends: enabledBackends(ctx) }
  const watching = systemMessageCategoryOf[type] === 'terminal' ? watchersOfCommands : administrators
  return { users: await watching(ctx), groups: [], receive_backends: ['email'] }
}

/** The receivers and backends of a type of system message. */
export async function subscriptionOf(ctx: Context, type: SystemMessageType): Promise<Subscription> {
  const row = await ctx.rawDb
    .selectFrom('notifications_systemmsgsubscription')
    .selectAll()
    .where('message_type', '=', type)
    .executeTakeFirst()
  if (!row) return defaultOf(ctx, type)
  return {
    users: JSON.parse(row.users),
    groups: JSON.parse(row.groups),
    receive_backends: JSON.parse(row.receive_backends),
  }
}

export async function storeSubscription(ctx: Context, type: SystemMessageType, value: Subscription): Promise<void> {
  const row = {
    users: JSON.stringify(value.users),
    groups: JSON.stringify(value.groups),
    receive_backends: JSON.stringify(value.receive_backends),
    date_updated: ctx.now,
  }
  await ctx.rawDb
    .insertInto('notifications_systemmsgsubscription')
    .values({ message_type: type, ...row })
    .onConflict((conflict) => conflict.column('message_type').doUpdateSet(row))
    .execute()
}

type NamedReceiver = Receiver & { name: string; username: string }

/** The users of a subscription: named ones and members of named groups. */
export async function receiversOf(ctx: Context, { users, groups }: Subscription): Promise<NamedReceiver[]> {
  const ids = new Set(users)
  if (groups.length > 0)
    for (const row of await ctx.rawDb
      .selectFrom('users_user_groups')
      .select('user_id')
      .where('usergroup_id', 'in', groups)
      .execute())
      ids.add(row.user_id)
  const found: NamedReceiver[] = []
  const wanted = [...ids]
  for (const some of batches(wanted))
    found.push(
      ...(await ctx.rawDb
        .selectFrom('users_user')
        .select(['id', 'name', 'username', 'email', 'wecom_id', 'dingtalk_id', 'feishu_id'])
        .where('id', 'in', some)
        .orderBy('name')
        .execute()),
    )
  return found
}

/** Each receiver with the backends by which they can be reached. */
export async function receiverList(ctx: Context, subscription: Subscription): Promise<StoredRow[]> {
  const ways = backendNames.filter((name) => subscription.receive_backends.includes(name))
  return (await receiversOf(ctx, subscription)).map((user) => ({
    id: user.id,
    name: `${user.name}(${user.username})`,
    ...Object.fromEntries(ways.map((name: BackendName) => [name, accountOf(name, user) !== ''])),
  }))
}

/** Notifies the subscribers of a type of system message by the backends of the subscription. */
export async function notifySubscribers(ctx: Context, type: SystemMessageType, notice: Notice): Promise<void> {
  const subscription = await subscriptionOf(ctx, type)
  const receivers = await receiversOf(ctx, subscription)
  await tellInLanguages(ctx, receivers, notice, () => subscription.receive_backends)
}
