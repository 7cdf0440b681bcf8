import { authenticationMessages } from '@castellan/contract/messages/authentication'
import {
  addressItem,
  boolean,
  computed,
  datetime,
  nullableDatetime,
  secret,
  stringList,
} from '../../kernel/fields/index.ts'
import { created, defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, render, text } from '../../kernel/module/errors.ts'
import { recordSaves } from '../../kernel/resource/changes.ts'
import { insertRow, lockRow } from '../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { randomText } from '../../kernel/security/random.ts'
import { tellWaysChanged, userBy } from '../users/index.ts'
import { demandStepUp } from './confirmation.ts'
import { owner, ownRows } from './own-rows.ts'

/** Maximum number of keys per user. */
const mostKeys = 10
const secretLength = 36

export const accessKey = defineResource({
  app: 'authentication',
  name: 'accesskey',
  path: 'access-keys',
  scope: 'global',
  bulk: false,
  // Keys are created by the route below: the secret is shown once, and the number is limited.
  verbs: ['list', 'retrieve', 'update', 'delete'],
  imports: 'authentication.add_accesskey',
  idWritable: false,
  fieldOrder: ['id', 'is_active', 'date_created', 'date_last_used', 'ip_group', 'secret'],
  fields: {
    /** Shown once, in the response that creates the key. */
    secret: { ...computed('string', {}), readOnly: false, meta: () => ({ max_length: secretLength }) },
    ip_group: stringList({
      max: 1024,
      default: ['*'],
      item: addressItem,
    }),
    is_active: boolean({ default: true }),
    date_created: datetime({ readOnly: true }),
    date_last_used: nullableDatetime({ readOnly: true }),
  },
  columns: {
    user: owner,
    sealed_secret: secret(),
  },
  hidden: (_ctx, verb) => (verb === 'create' ? [] : ['secret']),
  search: ['id'],
  orderable: ['is_active', 'date_created', 'date_last_used'],
  visible: ownRows,
  indexes: [['user_id']],
  display: (row) => String(row.id),
  hooks: {
    // Where a key may be used from, and whether at all, is as much as a new key.
    validate(ctx, changes) {
      const isWider = changes.some(
        ({ before, row }) =>
          before &&
          row.is_active &&
          (!before.is_active || JSON.stringify(before.ip_group) !== JSON.stringify(row.ip_group)),
      )
      if (isWider) demandStepUp(ctx, 'password')
    },
  },
})

/** A key regardless of its owner, for authenticating a request. */
export async function accessKeyById(ctx: Context, id: string): Promise<Row<typeof accessKey> | undefined> {
  const { reader } = ctx.services.database
  const row = await reader.selectFrom(accessKey.table).selectAll().where('id', '=', id).executeTakeFirst()
  return row && (accessKey.decode(row) as Row<typeof accessKey>)
}

/** Creates a key and its secret, which cannot be read again. */
export async function createAccessKey(
  ctx: Context,
  userId: string,
): Promise<{ row: Row<typeof accessKey>; secret: string }> {
  const plain = randomText(secretLength)
  const row = await insertRow(ctx, accessKey, { user_id: userId, sealed_secret: plain })
  const change = { mode: 'create' as const, partial: false, before: undefined, row, values: {}, input: {}, index: 0 }
  await recordSaves(ctx, accessKey, [change])
  return { row, secret: plain }
}

export const createKeyRoute = defineRoute({
  method: 'POST',
  path: accessKey.url,
  requires: 'authentication.add_accesskey',
  confirm: 'password',
  summary: 'Create an access key; its secret is returned only now',
  statuses: [201],
  async handle({ ctx }) {
    // The lock keeps two concurrent calls from both taking the last free slot.
    await lockRow(ctx, 'users_user', ctx.me.id)
    const own = await ctx.rawDb.selectFrom(accessKey.table).select('id').where('user_id', '=', ctx.me.id).execute()
    if (own.length >= mostKeys)
      throw new ApiError(400, 'too many keys', (language) => [
        render(text(authenticationMessages.access_keys_full, { count: mostKeys }), language),
      ])
    const { row, secret: plain } = await createAccessKey(ctx, ctx.me.id)
    const holder = await userBy(ctx, 'id', ctx.me.id)
    if (holder) await tellWaysChanged(ctx, holder, ['access_key'])
    return created({ ...(await serializeOne(ctx, accessKey, row)), secret: plain })
  },
})
