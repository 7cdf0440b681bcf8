import { randomUUID } from 'node:crypto'
import type { Context } from '../../kernel/module/context.ts'

const prefix = 'present:'
/** Interval at which an open page reports, and how long a report is valid if the process dies. Seconds. */
const [said, holds] = [60, 150]

/**
 * Records that a page of the caller's browser session is open, until the returned function is called. Each page is
 * counted. Does nothing without a browser session.
 */
export async function stayPresent(ctx: Context): Promise<() => void> {
  const { kv } = ctx.services
  if (!ctx.session?.key) return () => {}
  const key = `${prefix}${ctx.session.key}:${randomUUID()}`
  const say = () => kv.set(key, 1, holds)
  await say()
  const timer = setInterval(() => void say().catch(() => {}), said * 1000)
  timer.unref()
  return () => {
    clearInterval(timer)
    void kv.delete(key).catch(() => {})
  }
}

/** The keys of the browser sessions with an open page. */
export async function presentSessions(ctx: Context): Promise<ReadonlySet<string>> {
  const pages = await ctx.kv.withPrefix<number>(prefix)
  return new Set([...pages.keys()].map((key) => key.slice(prefix.length, key.lastIndexOf(':'))))
}
