import { errors } from '@castellan/contract/messages/errors'
import {
  boolean,
  datetime,
  describedAs,
  integer,
  nullableDatetime,
  nullableText,
  text,
} from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text as said } from '../../../kernel/module/errors.ts'
import { decoded } from '../../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'
import { demandOwnConfirmation, tellWaysChanged, userBy } from '../../users/index.ts'
import { owner, ownRows } from '../own-rows.ts'

/** Nobody types these, so OPTIONS names no length. */
const unlimited = { max_length: undefined }

/** Everybody has only their own keys, so the owner is the caller. */
const ownerOf = (ctx: Context) => userBy(ctx, 'id', ctx.me.id)

const isSwitched = ({ before, row }: { before?: object | undefined; row: { is_active: boolean } }): boolean =>
  before !== undefined && (before as { is_active: boolean }).is_active !== row.is_active

async function demandConfirmed(ctx: Context, changed: readonly unknown[]): Promise<void> {
  const row = changed.length > 0 ? await ownerOf(ctx) : undefined
  if (row) await demandOwnConfirmation(ctx, row, ['passkey'])
}

async function tellOwner(ctx: Context, changed: readonly unknown[]): Promise<void> {
  const row = changed.length > 0 ? await ownerOf(ctx) : undefined
  if (row) await tellWaysChanged(ctx, row, ['passkey'])
}

/** A public key of a user's authenticator. Its private half never leaves the device. */
export const passkey = defineResource({
  app: 'authentication',
  name: 'passkey',
  path: 'passkeys',
  scope: 'global',
  bulk: false,
  // Keys are created by the ceremony of `routes.ts`.
  verbs: ['list', 'retrieve', 'update', 'delete'],
  imports: 'authentication.add_passkey',
  idWritable: false,
  fieldOrder: 'declared',
  fields: {
    name: describedAs(text({ max: 128, readOnly: true }), unlimited),
    is_active: describedAs(boolean({ default: true }), { default: undefined }),
    platform: describedAs(text({ max: 64, readOnly: true }), unlimited),
    created_by: describedAs(nullableText({ max: 128, readOnly: true }), unlimited),
    date_last_used: nullableDatetime({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
  },
  columns: {
    user: owner,
    credential_id: text({ max: 1400 }),
    /** COSE key, base64url. */
    public_key: text({ max: 4096 }),
    /** Signatures so far, as the authenticator counts them; many always say 0. */
    counter: integer({ default: 0 }),
    /** How browsers reach the authenticator: `internal,hybrid`. */
    transports: text({ max: 255 }),
  },
  unique: [['credential_id']],
  indexes: [['user_id']],
  visible: ownRows,
  display: (row) => String(row.name),
  hooks: {
    validate: (ctx, changes) => demandConfirmed(ctx, changes.filter(isSwitched)),
    afterSave: (ctx, changes) => tellOwner(ctx, changes.filter(isSwitched)),
    beforeDelete: demandConfirmed,
    afterDelete: tellOwner,
  },
})

export type PasskeyRow = Row<typeof passkey>

/** The keys of a user; also disabled ones, which must not be registered twice. */
export async function passkeysOf(ctx: Context, userId: string): Promise<PasskeyRow[]> {
  const rows = await ctx.rawDb
    .selectFrom(passkey.table)
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('date_created')
    .execute()
  return rows.map((row) => decoded(passkey, row))
}

/** The key with a credential id, whosoever it is. */
export async function passkeyWith(ctx: Context, credentialId: string): Promise<PasskeyRow | undefined> {
  const row = await ctx.rawDb
    .selectFrom(passkey.table)
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row && decoded(passkey, row)
}

/**
 * Records a use. False when the counter did not rise: a copy of the key exists, or two answers arrived in the wrong
 * order.
 */
export async function recordUse(ctx: Context, row: PasskeyRow, counter: number): Promise<boolean> {
  const result = await ctx.rawDb
    .updateTable(passkey.table)
    .set({ counter, date_last_used: ctx.now })
    .where('id', '=', row.id)
    // Authenticators without a counter always say 0.
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export const unreadable = () => failureAs(400, 'error', said(errors.passkey_unreadable))
