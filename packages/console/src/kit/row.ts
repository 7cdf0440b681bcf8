/** Values of rows in wire format, for all screens. */
import type { ReactNode } from 'react'
import { locale, t } from './text.ts'

/** A row of any resource; the metadata describes its fields. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/** Names of the fields of a row: any, unless the row has a type of its own. */
export type FieldOf<R> = keyof R & string

/** A field of a row, or one of a nested object: `nested.name`, `rows.*.name`. */
export type PathOf<R> = FieldOf<R> | `${FieldOf<R>}.${string}`

/** A function of rows with the type of a method: one for a row's own type is accepted where any row is passed. */
export type RowFunction<A extends unknown[], T> = { of(...about: A): T }['of']
export type RenderRow<R extends Row = Row> = RowFunction<[row: R], ReactNode>

export interface Page {
  count: number
  results: Row[]
}

/** The rows of a response, which is a page or an array. */
export const rowsIn = <T>(answer: readonly T[] | { results: readonly T[] } | undefined): readonly T[] =>
  Array.isArray(answer) ? answer : ((answer as { results: readonly T[] } | undefined)?.results ?? [])

const object = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined

/** The label of a choice, a related object, or a plain value. */
export function wordOf(value: unknown): string {
  const it = object(value)
  if (!it) return value === undefined || value === null ? '' : String(value)
  for (const key of ['label', 'display_name', 'full_value', 'name', 'username', 'value']) {
    const word = it[key]
    if (typeof word === 'string' || typeof word === 'number') return String(word)
  }
  return ''
}

/** The recorded user of an action; the product itself in the user's language. */
export const actorOf = (value: unknown): unknown => (value === 'System' ? t('systemActor') : value)

/** The value of `{value,label}`, the id of a related object, other values unchanged. */
export function rawOf(value: unknown): unknown {
  const it = object(value)
  return it && 'value' in it ? it.value : it && 'id' in it ? it.id : it && 'pk' in it ? it.pk : value
}

export const wordsOf = (value: unknown): string[] => (Array.isArray(value) ? value : []).map(wordOf).filter(Boolean)

/** Reads `a.b` from a row. */
export function at(row: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => object(value)?.[key], row)
}

/** Parses `2024/01/31 08:00:00 +0800` and ISO; undefined otherwise. */
export function timestampOf(value: unknown): Date | undefined {
  if (typeof value === 'number') return new Date(value * (value < 1e11 ? 1000 : 1))
  if (typeof value !== 'string' || !value) return undefined
  const wire = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/.exec(value)
  const timestamp = new Date(wire ? `${wire[1]}-${wire[2]}-${wire[3]}T${wire[4]}${wire[5]}:${wire[6]}` : value)
  return Number.isNaN(timestamp.getTime()) ? undefined : timestamp
}

/** Cached: creating a formatter costs more than rendering its cell. */
function once<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const language = locale()
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

const exact = once((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }))
const counted = once((language) => new Intl.RelativeTimeFormat(language, { style: 'short' }))
/** Formats "yesterday", but also "next mo" for a day in three weeks: use it for days only. */
const named = once((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }))
const plain = once((language) => new Intl.NumberFormat(language))

/** Date and time in the user's locale. */
export const exactTime = (timestamp: Date): string => exact().format(timestamp)

const weekdays = {
  short: once((language) => new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })),
  long: once((language) => new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })),
}
const months = once((language) => new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' }))

/** Name of a day of the week, 0 for Sunday: January 4, 1970 was a Sunday. */
export const weekdayName = (day: number, style: keyof typeof weekdays = 'short'): string =>
  weekdays[style]().format(Date.UTC(1970, 0, 4 + day))

/** Name of a month, 1 for January. */
export const monthName = (month: number): string => months().format(Date.UTC(1970, month - 1, 1))

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** "6 min ago", "tomorrow", "in 1 mo"; "just now" within a minute. */
export function relativeTime(timestamp: Date, now = Date.now()): string {
  const seconds = (timestamp.getTime() - now) / 1000
  for (const [at, [unit, length]] of steps.entries()) {
    const format = unit === 'day' ? named() : counted()
    // Rounding up to a full unit uses that unit: one hour instead of 60 minutes.
    const least = length - (steps[at + 1]?.[1] ?? 0) / 2
    if (Math.abs(seconds) >= least) return format.format(Math.round(seconds / length), unit)
  }
  return t('justNow')
}

/** Splits `name(inner)`, the format of recorded users, assets and accounts. Without brackets, both parts are equal. */
export function nameParts(value: unknown): { name: string; inner: string } {
  const text = wordOf(value)
  const [, name = text, inner = text] = /^(.+)\(([^()]*)\)$/.exec(text) ?? []
  return { name, inner: inner || name }
}

/** A duration in its largest unit with one decimal: days, hours, minutes or seconds. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  const [unit, length] =
    seconds >= 86_400
      ? (['day', 86_400] as const)
      : seconds >= 3600
        ? (['hour', 3600] as const)
        : seconds >= 60
          ? (['minute', 60] as const)
          : (['second', 1] as const)
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(seconds / length)
}

export const number = (value: number): string => plain().format(value)
