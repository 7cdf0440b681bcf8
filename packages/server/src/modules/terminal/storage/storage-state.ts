import type { Present } from '../../../kernel/fields/field.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { waitingCommandTable } from '../commands/waiting-command.ts'
import type { StorageKind } from './storage-names.ts'
import { storedFileTable } from './stored-file.ts'

const tableOf = (kind: StorageKind) => (kind === 'command' ? waitingCommandTable : storedFileTable).name

/** Files or commands that refer to a storage. */
export async function heldBy(ctx: Context, kind: StorageKind, id: string): Promise<number> {
  const all = ctx.rawDb
    .selectFrom(tableOf(kind))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('storage_id', '=', id)
  // What a search server has stays there, and is no longer listed; files would be lost to those who look for them.
  const row = await (kind === 'command' ? all.where('state', '=', 'waiting') : all).executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** How many files or commands wait on the server for each storage. */
export async function loadWaiting(ctx: Context, kind: StorageKind): Promise<Present> {
  const rows = await ctx.rawDb
    .selectFrom(tableOf(kind))
    .select((eb) => ['storage_id', eb.fn.countAll<number>().as('count')])
    .where('state', '=', 'waiting')
    .groupBy('storage_id')
    .execute()
  const counts = new Map(rows.map((row) => [row.storage_id, Number(row.count)]))
  return ({ id }) => counts.get(String(id)) ?? 0
}

/** Why files or commands still wait for each storage; empty when nothing failed. */
export async function loadProblems(ctx: Context, kind: StorageKind): Promise<Present> {
  const rows = await ctx.rawDb
    .selectFrom(tableOf(kind))
    .select((eb) => ['storage_id', eb.fn.max<string>('error').as('error')])
    .where('state', '=', 'waiting')
    .where('error', 'is not', null)
    .groupBy('storage_id')
    .execute()
  const errors = new Map(rows.map((row) => [row.storage_id, String(row.error)]))
  return ({ id }) => errors.get(String(id)) ?? ''
}
