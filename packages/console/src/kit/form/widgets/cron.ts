/** Cron expressions of five fields: parsing for the dialog, and formatting. Pure. */

export const cronParts = ['minute', 'hour', 'day', 'month', 'week'] as const
export type CronPart = (typeof cronParts)[number]
export type CronFields = Readonly<Record<CronPart, string>>

/** Lowest and highest value of each field. Days of the week: 1 (Monday) to 6, Sunday is 0. */
export const cronLimits: Readonly<Record<CronPart, readonly [number, number]>> = {
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  week: [0, 6],
}
export const defaultCron = '0 0 * * *'

export type CronMode =
  | { kind: 'any' }
  | { kind: 'range'; from: number; to: number }
  | { kind: 'every'; step: number }
  | { kind: 'list'; values: number[] }
  /** A valid text that fits no other mode, such as `1-5,10`. */
  | { kind: 'text' }

/** The five fields of an expression; missing ones are taken from the default. */
export function splitCron(expression: string): CronFields {
  const given = expression.trim().split(/\s+/)
  const usual = defaultCron.split(' ')
  return Object.fromEntries(cronParts.map((part, at) => [part, given[at] || (usual[at] ?? '*')])) as CronFields
}

export const joinCron = (fields: CronFields): string => cronParts.map((part) => fields[part]).join(' ')

/** The mode of a field's text. */
export function modeOf(text: string): CronMode {
  if (text === '*') return { kind: 'any' }
  const range = /^(\d+)-(\d+)$/.exec(text)
  if (range) return { kind: 'range', from: Number(range[1]), to: Number(range[2]) }
  const step = /^\*\/(\d+)$/.exec(text)
  if (step) return { kind: 'every', step: Number(step[1]) }
  if (/^\d+(,\d+)*$/.test(text)) return { kind: 'list', values: text.split(',').map(Number) }
  return { kind: 'text' }
}

/** The text of a mode. An empty list means any. */
export function textOf(mode: Exclude<CronMode, { kind: 'text' }>): string {
  switch (mode.kind) {
    case 'any':
      return '*'
    case 'range':
      return `${mode.from}-${mode.to}`
    case 'every':
      return `*/${mode.step}`
    case 'list':
      return mode.values.length > 0 ? [...mode.values].sort((a, b) => a - b).join(',') : '*'
  }
}

/** Removes characters other than digits and `- * , /`. */
export const onlyCron = (typed: string): string => typed.replace(/[^\d\-*,/]/g, '')

/**
 * The fields after a change of one. A fixed field above hour or minute means one run, not one per minute: a fixed hour
 * turns "every minute" into minute 0; a fixed day, day of the week or month also sets the hour. Every minute means
 * every hour.
 */
export function withPart(fields: CronFields, part: CronPart, text: string): CronFields {
  const next: Record<CronPart, string> = { ...fields, [part]: text }
  if (part === 'minute' && text === '*') next.hour = '*'
  if (part !== 'minute' && text !== '*') {
    if (next.minute === '*') next.minute = '0'
    if (part !== 'hour' && next.hour === '*') next.hour = '0'
  }
  return next
}

function fits(text: string, [low, high]: readonly [number, number]): boolean {
  return text.split(',').every((item) => {
    const found = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(item)
    if (!found) return false
    const [, from, to, step] = found
    const inside = (value: string | undefined) => value === undefined || (Number(value) >= low && Number(value) <= high)
    return (
      inside(from) &&
      inside(to) &&
      (to === undefined || Number(from) <= Number(to)) &&
      (step === undefined || Number(step) >= 1)
    )
  })
}

/** Whether an expression has five fields with valid values. 7 is also Sunday. */
export function isCron(expression: string): boolean {
  const fields = expression.trim().split(/\s+/)
  return (
    fields.length === cronParts.length &&
    cronParts.every((part, at) => fits(fields[at] ?? '', part === 'week' ? [0, 7] : cronLimits[part]))
  )
}
