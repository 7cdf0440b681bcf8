import { statfs } from 'node:fs/promises'
import { freemem, hostname, loadavg, totalmem } from 'node:os'
import { type Services, systemContext } from '../../../kernel/module/context.ts'
import { insertRow } from '../../../kernel/resource/repository.ts'
import { component } from './component.ts'
import { noteBeat } from './heartbeat.ts'

/** Heartbeat interval of the server's own processes. Milliseconds. */
const every = 60_000

const shownAs = { core: 'Core', celery: 'Celery' } as const
type Own = keyof typeof shownAs

/** The row of one of our own processes on this machine, created if missing. */
async function ownRow(services: Services, type: Own): Promise<string> {
  const name = `[${shownAs[type]}]-${hostname()}`.slice(0, 128)
  return systemContext(services).transaction(async (ctx) => {
    const known = await ctx.rawDb
      .selectFrom(component.table)
      .select('id')
      .where('name', '=', name)
      .where('is_deleted', '=', false)
      .executeTakeFirst()
    if (known) return known.id
    const made = await insertRow(ctx, component, {
      name,
      type,
      remote_addr: '127.0.0.1',
      command_storage: 'default',
      replay_storage: 'default',
      created_by: 'System',
    })
    return made.id
  })
}

async function load(services: Services) {
  const disk = await statfs(services.dataDir)
  return {
    sessions: [],
    session_online: 0,
    cpu_load: loadavg()[0] ?? 0,
    memory_used: (1 - freemem() / totalmem()) * 100,
    disk_used: (1 - disk.bavail / Math.max(1, disk.blocks)) * 100,
  }
}

/** Registers the server in the list of components as two of them: the API and the worker. */
export async function registerOwnPrograms(services: Services, role: 'api' | 'worker' | 'all'): Promise<void> {
  const types: Own[] = role === 'all' ? ['core', 'celery'] : role === 'api' ? ['core'] : ['celery']
  const ids: string[] = []
  for (const type of types) ids.push(await ownRow(services, type))
  const beat = async () => {
    const measured = await load(services)
    for (const id of ids) await noteBeat(services, id, measured)
  }
  await beat()
  // The database may be closed between two heartbeats when the process ends.
  setInterval(() => void beat().catch((error) => services.log.debug({ err: error }, 'no heartbeat')), every).unref()
}
