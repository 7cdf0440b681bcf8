import { fill } from '@castellan/contract/messages'
import { storageMessages as texts } from '@castellan/contract/messages/storages'
import { batches } from '../../../db/batches.ts'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import { JobFailure, JobRefused } from '../../../kernel/jobs/states.ts'
import { addToDailyCounts } from '../../../kernel/lists/daily-counts.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { decoded } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { type CommandStorageRow, commandStorages, searchDetails } from '../storage/command-storages.ts'
import { storeCommandsIn } from '../storage/stores/command-index.ts'
import { failureOf } from '../storage/stores/object-store.ts'
import { command } from './command.ts'

/** Commands that are moved at once. */
const page = 500
const patience = 60_000
/** Milliseconds for the commands of one day. */
const longestDay = 12 * 3_600_000
const daySeconds = 86_400

/** The commands of one day from an id on, as the database has them. */
async function commandsOf(ctx: Context, day: number, after: string, limit: number): Promise<Row<typeof command>[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom(command.table)
    .selectAll()
    .where('timestamp', '>=', day * daySeconds)
    .where('timestamp', '<', (day + 1) * daySeconds)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => decoded(command, row))
}

const lowestId = '00000000-0000-0000-0000-000000000000'

/** The days with commands in the database, as days since 1970. */
async function daysWithCommands(ctx: Context): Promise<number[]> {
  const found: number[] = []
  // From day to day by the index on the time; a day has any number of commands.
  for (let from = 0; ; ) {
    const row = await ctx.acrossOrganizations
      .selectFrom(command.table)
      .select('timestamp')
      .where('timestamp', '>=', from * daySeconds)
      .orderBy('timestamp')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!row) return found
    const day = Math.floor(Number(row.timestamp) / daySeconds)
    found.push(day)
    from = day + 1
  }
}

/**
 * Moves the commands of one day. A command is deleted here when the storage has accepted it: stopped at any time, each is
 * at one place at least, and the next run goes on. Returns how many were moved, and how many the storage rejects.
 */
async function moveDay(ctx: Context, storage: CommandStorageRow, day: number, stop: AbortSignal) {
  let moved = 0
  let rejected = 0
  let after = lowestId
  for (;;) {
    stop.throwIfAborted()
    const rows = await commandsOf(ctx, day, after, page)
    const last = rows.at(-1)
    if (!last) return { moved, rejected }
    after = last.id
    const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)])
    const sent = rows.map(({ id, user, asset, account, input, output, session, risk_level, org_id, timestamp }) => ({
      ...{ id, user, asset, account, input, output, session },
      ...{ risk_level: Number(risk_level), org_id: String(org_id), timestamp: Number(timestamp) },
    }))
    const refused = await storeCommandsIn(searchDetails(ctx, storage), sent, signal)
    const stored = rows.filter(({ id }) => !refused.has(id))
    for (const some of batches(stored))
      await ctx.transaction(async (inside) => {
        const gone = await inside.acrossOrganizations
          .deleteFrom(command.table)
          .where(
            'id',
            'in',
            some.map(({ id }) => id),
          )
          .returning('id')
          .execute()
        const ids = new Set(gone.map(({ id }) => id))
        const counted = some.filter(({ id }) => ids.has(id))
        await addToDailyCounts(inside, command, counted, -1)
      })
    moved += stored.length
    rejected += refused.size
  }
}

/** Moves the commands in the database to a storage outside of the server; a day is an item. */
export const moveCommands = defineJob<{ storage: string }>({
  name: 'terminal.move-commands',
  delivery: 'idempotent',
  timeout: 7 * 24 * 3_600_000,
  keys: () => ['terminal.move-commands'],
  watchedWith: 'terminal.change_commandstorage',
  repeatedWith: 'terminal.change_commandstorage',
  async run(ctx, { storage: id }, job) {
    const storage = (await commandStorages(ctx)).find((one) => one.id === id)
    if (!storage) throw new JobRefused('storage_gone', texts.storage_gone[ctx.language])
    await job.planItems(async () =>
      (await daysWithCommands(ctx)).map((day) => ({
        target: {
          type: 'terminal.day',
          id: String(day),
          label: new Date(day * daySeconds * 1000).toISOString().slice(0, 10),
        },
      })),
    )
    const { failed } = await job.eachItem({ concurrency: 1, timeout: longestDay }, async (item) => {
      try {
        const { moved, rejected } = await moveDay(ctx, storage, Number(item.target.id), item.signal)
        await job.log(fill(texts.moved_commands[ctx.language], { day: item.target.label, count: moved }))
        if (rejected > 0)
          throw new JobFailure('rejected', fill(texts.commands_rejected[ctx.language], { count: rejected }))
      } catch (error) {
        item.signal.throwIfAborted()
        if (error instanceof JobFailure) throw error
        const failure = failureOf(error, storage.name)
        throw new JobFailure(failure.code, failure.text(ctx.language))
      }
    })
    if (failed > 0) throw new JobRefused('partly_failed', fill(texts.command_days_failed[ctx.language], { failed }))
  },
})
