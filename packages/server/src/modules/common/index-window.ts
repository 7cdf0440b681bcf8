import { errors } from '@castellan/contract/messages/errors'
import { zoneOffset } from '../../kernel/fields/timestamps.ts'
import type { Params } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text } from '../../kernel/module/errors.ts'

const day = 86_400_000
/** Ten years, one count per day. */
const mostDays = 3660

/** The time range of the dashboard; unix milliseconds. */
export interface Window {
  from: number
  weekStart: number
  /** Offset of the caller's zone from UTC. Milliseconds. */
  offset: number
  /** `MM-DD` of every day, by its number since 1970. */
  days: ReadonlyMap<number, string>
}

/** `days=1` (the default) is today since midnight; higher values go back that many times 24 hours. */
export function windowOf(ctx: Context, query: Params): Window {
  const days = query.days === undefined || query.days === '' ? 1 : Number(query.days)
  if (!Number.isInteger(days)) throw invalid({ days: [text(errors.not_an_integer)] })
  if (days < 1) throw invalid({ days: [text(errors.min_value, { min: 1 })] })
  if (days > mostDays) throw invalid({ days: [text(errors.max_value, { max: mostDays })] })
  const offset = zoneOffset(ctx.zone, ctx.now) * 60_000
  const today = Math.floor((ctx.now + offset) / day)
  const midnight = today * day - offset
  const from = days === 1 ? midnight : ctx.now - days * day
  // January 1, 1970 was a Thursday.
  const weekday = (today + 3) % 7
  const names = new Map<number, string>()
  for (let number = days === 1 ? today : today - days + 1; number <= today; number++)
    names.set(number, new Date(number * day).toISOString().slice(5, 10))
  return { from, weekStart: midnight - weekday * day, offset, days: names }
}
