import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import { sweepDays, sweepRows } from '../../kernel/jobs/retention.ts'
import { rebuildDailyCounts } from '../../kernel/lists/daily-counts.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { command } from './commands/command.ts'
import { replayFolder } from './sessions/replay-files.ts'
import { session } from './sessions/session.ts'
import { sessionRetention } from './settings.ts'
import { storedFileTable } from './storage/stored-file.ts'

/** Nightly: deletes sessions, commands and recordings older than the setting. */
export const sweepSessions = defineJob<object>({
  name: 'terminal.sweep-sessions',
  delivery: 'idempotent',
  schedule: '20 2 * * *',
  timeout: 3_600_000,
  async run(ctx, _payload, job) {
    const days = sessionRetention.of(ctx).TERMINAL_SESSION_KEEP_DURATION
    const sessions = await sweepRows(ctx, session.table, 'date_start', days, job.signal, 1, findResource(session.key))
    const commands = await sweepRows(ctx, command.table, 'timestamp', days, job.signal, 1000, findResource(command.key))
    if (sessions + commands > 0) await job.log(`${sessions} sessions, ${commands} commands`)
    // Objects at storages stay; only the storages delete them.
    await sweepRows(ctx, storedFileTable.name, 'date_created', days, job.signal)
    for (const { key } of [session, command]) await rebuildDailyCounts(ctx, findResource(key))
    for (const old of await sweepDays(replayFolder(ctx.services), days))
      await rm(join(replayFolder(ctx.services), old), { recursive: true, force: true })
  },
})
