import { scheduleMessages } from '@castellan/contract/messages/schedules'
import { Cron } from 'croner'
import { type Text, text } from '../module/errors.ts'

/** When something repeats. A crontab takes precedence over an interval. */
export interface Timing {
  /** Five parts: minute, hour, day of the month, month, weekday. */
  readonly crontab?: string | null
  readonly intervalSeconds?: number | null
  /** The IANA time zone in which the crontab is read; that of the installation when it is not given. */
  readonly zone?: string
}

/** The time zone of the installation. */
export const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The parts in their order, with the text about a wrong one. */
const parts = [
  scheduleMessages.crontab_minute,
  scheduleMessages.crontab_hour,
  scheduleMessages.crontab_day,
  scheduleMessages.crontab_month,
  scheduleMessages.crontab_weekday,
] as const

/** Hours between two runs that the API takes. */
const hours = { min: 1, max: 65_535 }

const cronOf = (crontab: string, zone: string) => new Cron(crontab, { timezone: zone, mode: '5-part', paused: true })

const splitParts = (crontab: string) => crontab.trim().split(/\s+/)

/** Whether a part can stand at its place. What croner replaces by the present moment (`?`) is no fixed time. */
function isPart(part: string, index: number): boolean {
  if (part.includes('?')) return false
  try {
    cronOf(parts.map((_, place) => (place === index ? part : '*')).join(' '), 'UTC')
    return true
  } catch {
    return false
  }
}

/** The error of an entered crontab; undefined when it is valid. */
export function crontabProblem(crontab: string): Text | undefined {
  const given = splitParts(crontab)
  if (given.length !== parts.length) return text(scheduleMessages.crontab_parts)
  for (const [index, part] of given.entries()) {
    const message = parts[index]
    if (message && !isPart(part, index)) return text(message, { part: part.slice(0, 40) })
  }
  return cronOf(given.join(' '), 'UTC').nextRun() ? undefined : text(scheduleMessages.crontab_never)
}

/** What is wrong with an interval in hours, as forms give it; undefined when it is good. */
export function intervalProblem(given: number): Text | undefined {
  if (Number.isInteger(given) && given >= hours.min && given <= hours.max) return undefined
  return text(scheduleMessages.interval_range, hours)
}

/** Whether there is a time zone of this name. */
function isZone(zone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/**
 * The next `count` runs after a moment, in unix milliseconds. Where clocks are set ahead, a time that does not exist
 * moves to the moment of the change; where they are set back, a time of day that comes twice is used once.
 */
export function nextRuns(timing: Timing, count: number, after = Date.now()): number[] {
  const { crontab, intervalSeconds } = timing
  if (crontab) {
    const zone = timing.zone && isZone(timing.zone) ? timing.zone : serverZone
    return cronOf(splitParts(crontab).join(' '), zone)
      .nextRuns(count, new Date(after))
      .map((run) => run.getTime())
  }
  if (!intervalSeconds) return []
  return Array.from({ length: count }, (_, index) => after + (index + 1) * intervalSeconds * 1000)
}

/** The periodic fields of forms and API: whether a run repeats, and how often (`interval` in hours). */
export interface PeriodicFields {
  readonly is_periodic: boolean
  readonly crontab?: string | null | undefined
  readonly interval?: number | null | undefined
}

/** What is wrong with the fields of a periodic run, by field. One that is not periodic needs no times, but no wrong ones. */
export function periodicProblems({ is_periodic, crontab, interval }: PeriodicFields): Record<string, Text> {
  const wrong = {
    crontab: crontab ? crontabProblem(crontab) : undefined,
    interval: interval === null || interval === undefined ? undefined : intervalProblem(interval),
    is_periodic: is_periodic && !crontab && !interval ? text(scheduleMessages.schedule_missing) : undefined,
  }
  return Object.fromEntries(Object.entries(wrong).filter((entry): entry is [string, Text] => entry[1] !== undefined))
}

/** The times of a periodic run, for `setSchedule`. */
export const timingFrom = ({ crontab, interval }: PeriodicFields): Timing => ({
  crontab: crontab || null,
  intervalSeconds: interval ? interval * 3600 : null,
})
