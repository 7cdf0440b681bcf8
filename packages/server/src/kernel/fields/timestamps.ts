/** Times on the wire: `YYYY/MM/DD HH:mm:ss ±HHMM` in the caller's time zone. Inside: unix milliseconds. */

/** Callers choose the zone names, in any capitalization, so the cache is bounded. */
const mostZones = 1000
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  let known = formatters.get(zone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formatters.size >= mostZones) formatters.clear()
    formatters.set(zone, known)
  }
  return known
}

export function isZone(zone: string): boolean {
  try {
    formatter(zone)
    return true
  } catch {
    return false
  }
}

/** Offsets change at quarter hours at the finest, so one entry covers a quarter hour. */
const quarter = 900_000
const offsets = new Map<string, number>()

/** Offset of a time zone at a timestamp. Minutes east of UTC. */
export function zoneOffset(zone: string, at: number): number {
  const slot = Math.floor(at / quarter)
  const key = `${zone}|${slot}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    const part: Record<string, number> = {}
    const timestamp = slot * quarter
    for (const { type, value } of formatter(zone).formatToParts(timestamp)) part[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    offset = Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - timestamp) / 60_000)
    if (offsets.size > 20_000) offsets.clear()
    offsets.set(key, offset)
  }
  return offset
}

const two = (value: number) => (value < 10 ? `0${value}` : String(value))

function parts(at: number, zone: string) {
  const offset = zoneOffset(zone, at)
  const local = new Date(at + offset * 60_000)
  const absolute = Math.abs(offset)
  return {
    year: String(local.getUTCFullYear()).padStart(4, '0'),
    month: two(local.getUTCMonth() + 1),
    day: two(local.getUTCDate()),
    time: `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`,
    zone: `${offset < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}${two(absolute % 60)}`,
  }
}

export function formatTimestamp(at: number, zone: string): string {
  const { year, month, day, time, zone: shift } = parts(at, zone)
  return `${year}/${month}/${day} ${time} ${shift}`
}

/** `YYYY-MM-DD_HH-MM-SS`, for names of exported files. */
export function fileStamp(at: number, zone: string): string {
  const { year, month, day, time } = parts(at, zone)
  return `${year}-${month}-${day}_${time.replaceAll(':', '-')}`
}

/** `YYYY-MM-DD HH:MM:SS` in a zone, without an offset. */
export function localStamp(at: number, zone: string): string {
  const { year, month, day, time } = parts(at, zone)
  return `${year}-${month}-${day} ${time}`
}

const pattern =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/**
 * Parses a timestamp as the contract accepts it to unix milliseconds; undefined when it is invalid. Without an offset
 * it is in `zone`.
 */
export function parseTimestamp(input: string, zone: string): number | undefined {
  const match = pattern.exec(input.trim())
  if (!match) return undefined
  const [, year, separator, month, day, hour, minute, second, fraction, shift] = match
  if (separator === '/' && !(hour && shift)) return undefined
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    fraction ? Math.floor(Number(`0.${fraction}`) * 1000) : 0,
  )
  const check = new Date(local)
  // JavaScript maps years below 100 to the twentieth century.
  if (Number(year) < 100) return undefined
  if (Number.isNaN(local) || check.getUTCMonth() !== Number(month) - 1 || check.getUTCDate() !== Number(day))
    return undefined
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined
  if (!shift) {
    const guess = local - zoneOffset(zone, local) * 60_000
    return local - zoneOffset(zone, guess) * 60_000
  }
  if (shift.toUpperCase() === 'Z') return local
  const sign = shift.startsWith('-') ? -1 : 1
  const digits = shift.slice(1).replace(':', '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (hours > 23 || minutes > 59) return undefined
  return local - sign * (hours * 60 + minutes) * 60_000
}
