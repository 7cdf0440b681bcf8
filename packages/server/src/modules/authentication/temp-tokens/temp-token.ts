import {
  boolean,
  computed,
  datetime,
  describedAs,
  nullableDatetime,
  type StoredRow,
  text,
} from '../../../kernel/fields/index.ts'
import { created, defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { on } from '../../../kernel/module/hooks.ts'
import { recordSaves } from '../../../kernel/resource/changes.ts'
import { getById, insertRow, updateRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import { hashed, randomText } from '../../../kernel/security/random.ts'
import { owner, ownRows } from '../own-rows.ts'
import { signInsRevoked } from '../revocation.ts'

/** How long a temporary password can be used, in milliseconds. */
const lifetime = 300_000
export const secretLength = 36

const isValid = ({ verified, date_expired }: StoredRow) => !verified && Number(date_expired) > Date.now()

/** A password that its owner can use once, within minutes, where the own one should not be typed. */
export const tempToken = defineResource({
  app: 'authentication',
  name: 'temptoken',
  path: 'temp-tokens',
  scope: 'global',
  bulk: false,
  verbs: ['list', 'retrieve'],
  imports: 'authentication.add_temptoken',
  idWritable: false,
  fields: {
    username: describedAs(text({ max: 128, readOnly: true }), { max_length: undefined }),
    /** Shown once, in the response that creates the token. */
    secret: computed('string', {}),
    verified: boolean({ readOnly: true, default: false }),
    is_valid: computed('boolean', { wire: (_value, _ctx, row) => isValid(row) }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    date_verified: nullableDatetime({ readOnly: true }),
    date_expired: datetime({ readOnly: true }),
  },
  columns: { user: owner, secret_hash: text({ max: 64 }) },
  hidden: (_ctx, verb, use) => (verb === 'create' || use === 'options' ? [] : ['secret']),
  defaultOrder: ['-date_created'],
  visible: ownRows,
  indexes: [['user_id', 'secret_hash'], ['date_expired']],
  display: (row) => String(row.username),
})

type TempToken = Row<typeof tempToken>

const logged = (ctx: Context, mode: 'create' | 'update', row: TempToken, before?: TempToken) =>
  recordSaves(ctx, tempToken, [{ mode, partial: false, before, row, values: {}, input: {}, index: 0 }])

async function create({ ctx }: Handling): Promise<unknown> {
  const secret = randomText(secretLength)
  const row = await insertRow(ctx, tempToken, {
    user_id: ctx.me.id,
    username: ctx.me.username,
    secret_hash: hashed(secret),
    date_expired: ctx.now + lifetime,
  })
  await logged(ctx, 'create', row)
  return created({ ...(await serializeOne(ctx, tempToken, row)), secret })
}

async function expire({ ctx, request }: Handling): Promise<unknown> {
  const before = await getById(ctx, tempToken, request.params.id ?? '')
  if (!isValid(before)) return serializeOne(ctx, tempToken, before)
  await updateRow(ctx, tempToken, before.id, { date_expired: ctx.now })
  const row = await getById(ctx, tempToken, before.id)
  await logged(ctx, 'update', row, before)
  return serializeOne(ctx, tempToken, row)
}

/** Uses up a temporary password. Of concurrent uses only one succeeds. */
export const useTempToken = (ctx: Context, userId: string, secret: string): Promise<boolean> =>
  ctx.transaction(async (inside) => {
    const unused = await inside.rawDb
      .selectFrom(tempToken.table)
      .select(['id', 'verified'])
      .where('user_id', '=', userId)
      .where('secret_hash', '=', hashed(secret))
      .where('date_expired', '>', ctx.now)
      .where('date_verified', 'is', null)
      .executeTakeFirst()
    if (!unused) return false
    const used = await inside.rawDb
      .updateTable(tempToken.table)
      .set({ date_verified: ctx.now })
      .where('id', '=', unused.id)
      .where('date_verified', 'is', null)
      .executeTakeFirst()
    if (Number(used.numUpdatedRows) !== 1) return false
    await updateRow(inside, tempToken, unused.id, { verified: true })
    return true
  })

export const tempTokenRoutes = [
  defineRoute({
    method: 'POST',
    path: tempToken.url,
    requires: 'authentication.add_temptoken',
    summary: 'Create a temporary password; it is returned only now',
    statuses: [201],
    handle: create,
  }),
  defineRoute({
    method: 'PATCH',
    path: `${tempToken.url}:id/`,
    requires: 'authentication.change_temptoken',
    summary: 'A temporary password, of which nothing can be changed',
    handle: async ({ ctx, request }) =>
      serializeOne(ctx, tempToken, await getById(ctx, tempToken, request.params.id ?? '')),
  }),
  defineRoute({
    method: 'PATCH',
    path: `${tempToken.url}:id/expire/`,
    requires: 'authentication.change_temptoken',
    summary: 'Expire a temporary password',
    handle: expire,
  }),
]

/** Who may no longer be signed in must not come back by a password made before. */
export const tempTokensRevoked = on(signInsRevoked, async (ctx, userIds) => {
  for (const id of userIds)
    await ctx.rawDb
      .updateTable(tempToken.table)
      .set({ date_expired: ctx.now })
      .where('user_id', '=', id)
      .where('date_expired', '>', ctx.now)
      .execute()
})
