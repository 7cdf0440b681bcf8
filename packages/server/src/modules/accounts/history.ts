import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import type { Context } from '../../kernel/module/context.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import type { AccountRow } from './account-fields.ts'
import { secretTypeWire } from './secret-type.ts'
import { openSecret, openSecrets } from './vault/vault-entries.ts'
import { noteNewSecrets } from './vault/vault-move.ts'

/** Every secret an account has had, sealed. Outlives the account: an old password may be needed again. */
export const historyTable: TableShape = {
  name: 'accounts_accounthistory',
  columns: {
    id: { type: 'serial' },
    account_id: { type: 'uuid' },
    secret: { type: 'text', nullable: true },
    secret_type: { type: 'text' },
    version: { type: 'integer' },
    history_date: { type: 'timestamp' },
    history_user_id: { type: 'uuid', nullable: true },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['account_id', 'id']],
}

/** The column that earlier secrets are bound to. */
const secretPlace = `${historyTable.name}.secret`

/** Stores the current secrets of accounts in the history. `by`: the id of the user who changed them. */
export async function remember(
  ctx: Context,
  rows: readonly { id: unknown; secret: Sealed | string | null; secret_type: string; version: number }[],
  by: string | null = ctx.caller?.id ?? null,
): Promise<void> {
  for (const some of batches(rows, 100))
    await ctx.rawDb
      .insertInto(historyTable.name)
      .values(
        some.map(({ id, secret, secret_type, version }) => ({
          account_id: id,
          secret: ctx.services.vault.stored(secret, secretPlace),
          secret_type,
          version,
          history_date: ctx.now,
          history_user_id: by,
        })),
      )
      .execute()
  await noteNewSecrets(ctx)
}

/**
 * The number of secrets each account has had. The next one gets this number as its version: the first and the second
 * are both version 1.
 */
export async function amountsKept(ctx: Context, ids: readonly unknown[]): Promise<(id: unknown) => number> {
  const amounts = new Map<unknown, number>()
  for (const some of batches(ids))
    for (const { account_id, kept } of await ctx.rawDb
      .selectFrom(historyTable.name)
      .select(['account_id', (eb) => eb.fn.countAll().as('kept')])
      .where('account_id', 'in', some)
      .groupBy('account_id')
      .execute())
      amounts.set(account_id, Number(kept))
  return (id) => amounts.get(id) ?? 0
}

/**
 * Earlier secrets of an account, newest first and opened, without the current one. Callers must have checked the
 * permission to read secrets.
 */
export async function earlierSecrets(
  ctx: Context,
  account: Pick<AccountRow, 'id' | 'secret' | 'secret_type'>,
): Promise<StoredRow[]> {
  const rows = await ctx.rawDb
    .selectFrom(historyTable.name)
    .selectAll()
    .where('account_id', '=', account.id)
    .orderBy('id', 'desc')
    .execute()
  const sealed = rows.map(({ id, secret }) => ({ id, secret: secret ? new Sealed(secret, secretPlace) : null }))
  const secrets = await openSecrets(ctx, 'history', sealed)
  const opened = rows.map((row) => ({
    id: Number(row.id),
    secret: secrets.get(String(row.id)) ?? '',
    secret_type: secretTypeWire(ctx, row.secret_type),
    version: Number(row.version),
    history_date: formatTimestamp(Number(row.history_date), ctx.zone),
    history_user: row.history_user_id,
  }))
  const present = await openSecret(ctx, 'account', account)
  const newest = opened[0]
  return newest && newest.secret === present && newest.secret_type.value === account.secret_type
    ? opened.slice(1)
    : opened
}

/** One earlier secret of an account, opened. Callers must have checked the permission to read secrets. */
export async function earlierSecret(
  ctx: Context,
  accountId: string,
  id: number,
): Promise<{ secret: string; secret_type: string } | undefined> {
  const row = await ctx.rawDb
    .selectFrom(historyTable.name)
    .select(['secret', 'secret_type'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row?.secret) return undefined
  const secret = await openSecret(ctx, 'history', { id, secret: new Sealed(row.secret, secretPlace) })
  return { secret, secret_type: row.secret_type }
}
