import { randomUUID } from 'node:crypto'
import type { Context, Services } from '../../../kernel/module/context.ts'

/** Time after its last heartbeat during which a component counts as alive. Seconds. */
export const aliveFor = 180
/** Time after the last heartbeat naming it during which a session counts as active. Seconds. */
export const sessionActiveFor = 300

const prefix = 'terminal:beat:'

/** The content of a heartbeat; loads as measured on the component's machine (cpu load average, percent, percent). */
export interface Beat {
  sessions: string[]
  session_online: number
  cpu_load: number
  memory_used: number
  disk_used: number
}

/** The last heartbeat of a component. */
export interface Snapshot extends Omit<Beat, 'sessions'> {
  id: string
  /** Unix milliseconds. */
  at: number
  /** When each session was last named, unix milliseconds; entries older than `sessionActiveFor` are dropped. */
  seen: Record<string, number>
}

export type Load = 'critical' | 'high' | 'normal' | 'offline'

const thresholds = { cpu_load: [5, 20], memory_used: [85, 95], disk_used: [80, 99] } as const

/** The worst of a component's three loads; `offline` without a heartbeat. */
export function loadOf(snapshot: Snapshot | undefined): Load {
  if (!snapshot) return 'offline'
  let worst: Load = 'normal'
  for (const [name, [normal, high]] of Object.entries(thresholds)) {
    const value = snapshot[name as keyof typeof thresholds]
    if (value < 0 || value > high) return 'critical'
    if (value > normal) worst = 'high'
  }
  return worst
}

/** Stores a heartbeat. One row per component, however many sessions it has. */
export async function noteBeat(services: Services, component: string, beat: Beat): Promise<void> {
  const now = Date.now()
  const before = await services.kv.get<Snapshot>(prefix + component)
  const seen: Record<string, number> = {}
  for (const [id, at] of Object.entries(before?.seen ?? {})) if (now - at < sessionActiveFor * 1000) seen[id] = at
  for (const id of beat.sessions) seen[id] = now
  const { sessions: _sessions, ...loads } = beat
  const snapshot: Snapshot = { ...loads, id: before?.id ?? randomUUID(), at: now, seen }
  await services.kv.set(prefix + component, snapshot, sessionActiveFor)
}

/** Last heartbeats by component, including recently expired ones. */
async function recentBeats(services: Services): Promise<Map<string, Snapshot>> {
  const found = await services.kv.withPrefix<Snapshot>(prefix)
  return new Map([...found].map(([key, snapshot]) => [key.slice(prefix.length), snapshot]))
}

/** Heartbeats of the components that are alive, loaded once per request. */
export function livingBeats(ctx: Context): Promise<Map<string, Snapshot>> {
  return ctx.once('terminal beats', async () => {
    const all = await recentBeats(ctx.services)
    const limit = Date.now() - aliveFor * 1000
    return new Map([...all].filter(([, snapshot]) => snapshot.at > limit))
  })
}

/**
 * When sessions were last named by a valid heartbeat: of their own component while it is alive, otherwise of any. Unix
 * milliseconds by session id.
 */
export async function activeSessions(
  services: Services,
  sessions: readonly { id: string; terminal_id: string | null }[],
): Promise<Map<string, number>> {
  const limit = Date.now() - sessionActiveFor * 1000
  const beats = await recentBeats(services)
  const active = new Map<string, number>()
  for (const { id, terminal_id } of sessions) {
    const own = beats.get(terminal_id ?? '')
    const last = Math.max(...(own ? [own] : [...beats.values()]).map(({ seen }) => seen[id] ?? 0))
    if (last > limit) active.set(id, last)
  }
  return active
}
