import { batches } from '../../../db/batches.ts'
import { defineJob, type JobKind } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { componentOf } from '../components/component.ts'
import { type CommandStorageRow, commandStorages, searchDetails } from '../storage/command-storages.ts'
import { type StoredCommand, storeCommandsIn } from '../storage/stores/command-index.ts'
import { failureOf } from '../storage/stores/object-store.ts'
import { type WaitingCommand, waitingCommandTable } from './waiting-command.ts'

/** Commands that are sent at once. */
const page = 500
const patience = 60_000
/** How long stored commands are recognized when they are sent again. Milliseconds. */
const remembered = 86_400_000
const table = waitingCommandTable.name

/** The storage outside of the server for the commands of the calling component; undefined for the server's own. */
export async function storageOfCaller(ctx: Context): Promise<CommandStorageRow | undefined> {
  const own = await componentOf(ctx)
  return own && (await commandStorages(ctx)).find(({ name }) => name === own.command_storage)
}

/** Keeps commands for a storage until it has them. Returns those that were not known yet. */
export async function keepForStorage(
  ctx: Context,
  storage: CommandStorageRow,
  commands: readonly StoredCommand[],
): Promise<StoredCommand[]> {
  const isNew = new Set<string>()
  for (const some of batches(commands)) {
    const inserted = await ctx.rawDb
      .insertInto(table)
      .values(
        some.map((command) => ({
          id: command.id,
          storage_id: storage.id,
          state: 'waiting',
          body: JSON.stringify(command),
          error: null,
          date_created: ctx.now,
        })),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    for (const { id } of inserted) isNew.add(id)
  }
  await ctx.enqueue(storeCommands, {}, { uniqueKey: storeCommands.name })
  return commands.filter(({ id }) => isNew.delete(id))
}

const noteFailure = (ctx: Context, ids: readonly string[], error: string) =>
  ctx.transaction((inside) => inside.rawDb.updateTable(table).set({ error }).where('id', 'in', ids).execute())

/** Sends the waiting commands of one storage, the oldest first. */
async function send(ctx: Context, storage: CommandStorageRow, stop: AbortSignal): Promise<void> {
  let after = ''
  while (!stop.aborted) {
    const rows = await ctx.rawDb
      .selectFrom(table)
      .selectAll()
      .where('storage_id', '=', storage.id)
      .where('state', '=', 'waiting')
      .where('id', '>', after)
      .orderBy('id')
      .limit(page)
      .$castTo<WaitingCommand>()
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const ids = rows.map(({ id }) => id)
    try {
      const commands = rows.map(({ body }) => JSON.parse(body) as StoredCommand)
      const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)])
      const refused = await storeCommandsIn(searchDetails(ctx, storage), commands, signal)
      const stored = ids.filter((id) => !refused.has(id))
      for (const some of batches(stored))
        await ctx.transaction((inside) =>
          inside.rawDb
            .updateTable(table)
            .set({ state: 'stored', body: '', error: null })
            .where('id', 'in', some)
            .execute(),
        )
      for (const [reason, some] of Map.groupBy(refused.keys(), (id) => refused.get(id) ?? ''))
        await noteFailure(ctx, some, reason)
    } catch (error) {
      stop.throwIfAborted()
      await noteFailure(ctx, ids, failureOf(error, storage.name).text(ctx.language))
      return
    }
  }
}

/** Sends waiting commands to their storages; what fails is tried again every minute. */
export const storeCommands: JobKind<object> = defineJob<object>({
  name: 'terminal.store-commands',
  delivery: 'idempotent',
  every: 60_000,
  timeout: 3_600_000,
  keys: () => ['terminal.waiting-commands'],
  async run(ctx, _payload, job) {
    await ctx.transaction((inside) =>
      inside.rawDb
        .deleteFrom(table)
        .where('state', '=', 'stored')
        .where('date_created', '<', inside.now - remembered)
        .execute(),
    )
    const waiting = await ctx.rawDb
      .selectFrom(table)
      .select('storage_id')
      .distinct()
      .where('state', '=', 'waiting')
      .execute()
    const ids = new Set(waiting.map(({ storage_id }) => storage_id))
    const storages = (await commandStorages(ctx)).filter(({ id }) => ids.has(id))
    await Promise.all(storages.map((storage) => send(ctx, storage, job.signal)))
  },
})
