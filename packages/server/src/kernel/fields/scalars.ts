import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { booleanOf } from '@castellan/contract/truth'
import { decrypted } from '../encrypted.ts'
import { quoted, reject } from '../errors.ts'
import type { Sealed } from '../secrets.ts'
import { formatTimestamp, parseTimestamp } from '../timestamps.ts'
import { base, type Field, type FieldOptions } from './field.ts'

export interface TextOptions extends FieldOptions<string> {
  max?: number
  min?: number
  pattern?: { test: RegExp; message: Message }
  /** Kept as sent; otherwise outer white space is cut off. */
  verbatim?: boolean
  /** Refuses characters that are not seen; for what is a name, which is when `max` is at most 128, unless it is told. */
  printable?: boolean
}

/** Up to so many characters a text is the name of something, shown in menus, logs and terminals. */
const longestName = 128
/** Control characters, line separators, marks that turn the direction of writing, and spaces without width. */
export const unseenCharacters = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u

/** Characters are counted, not the halves that some of them are kept as. */
const isLonger = (value: string, max: number) => value.length > max && [...value].length > max

function parseText(input: unknown, options: TextOptions): string {
  if (typeof input !== 'string' && typeof input !== 'number') return reject(errors.not_a_string)
  const value = options.verbatim ? String(input) : String(input).trim()
  if (value.includes('\0')) return reject(errors.null_characters)
  // No database keeps half a character, so what is read back would be another text.
  if (!value.isWellFormed()) return reject(errors.not_a_string)
  if (value === '') {
    if (options.required && options.blank !== true) return reject(errors.blank)
    if (options.blank === false) return reject(errors.blank)
    return value
  }
  if (options.max !== undefined && isLonger(value, options.max)) return reject(errors.max_length, { max: options.max })
  if (options.min !== undefined && value.length < options.min) return reject(errors.min_length, { min: options.min })
  const isName = options.max !== undefined && options.max <= longestName && !options.verbatim
  if ((options.printable ?? isName) && unseenCharacters.test(value)) return reject(errors.unseen_characters)
  if (options.pattern && !options.pattern.test.test(value)) return reject(options.pattern.message)
  return value
}

/** One line of text. Without `max` the console shows a box of several lines. */
export function text(options: TextOptions = {}): Field<string, 'own'> {
  return {
    ...base('string', { default: options.required || options.nullable ? undefined : '', ...options }),
    column: { type: 'text', nullable: options.nullable ?? false, ...(options.column ? { name: options.column } : {}) },
    parse: (input) => parseText(input, options),
    meta: () => ({
      ...(options.min ? { min_length: options.min } : {}),
      ...(options.max ? { max_length: options.max } : {}),
    }),
  }
}

export const longText = (options: TextOptions = {}) => text(options)

/** Text that may be null as well. */
export function nullableText(options: TextOptions = {}): Field<string | null, 'own'> {
  return text({ ...options, nullable: true }) as Field<string | null, 'own'>
}

const emailPattern = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@<>(),;:\\"[\]]+$/

export function email(options: TextOptions = {}): Field<string, 'own'> {
  const field = text({ max: 128, ...options, pattern: { test: emailPattern, message: errors.not_an_email } })
  return { ...field, type: 'email' }
}

/** Letters, digits, `-` and `_` of any script. */
export function slug(options: TextOptions = {}): Field<string, 'own'> {
  return { ...text({ ...options, pattern: { test: /^[\p{L}\p{N}_-]+$/u, message: errors.not_a_slug } }), type: 'slug' }
}

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** The canonical form of a uuid, or undefined. */
export function normalUuid(input: unknown): string | undefined {
  if (typeof input !== 'string' || !uuidPattern.test(input.trim())) return undefined
  const digits = input.trim().replaceAll('-', '').toLowerCase()
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, digits)
}

/** An id that the database counts: a whole number, or one in digits; undefined for anything else. */
export function normalSerial(input: unknown): number | undefined {
  if (typeof input === 'string' && /^\d{1,15}$/.test(input.trim())) return Number(input)
  return typeof input === 'number' && Number.isSafeInteger(input) ? input : undefined
}

/** An id as a resource stores it; undefined for what cannot be one. */
export const normalId = ({ serialId }: { serialId?: boolean }, input: unknown): string | number | undefined =>
  serialId ? normalSerial(input) : normalUuid(input)

export function parseUuid(input: unknown): string {
  return normalUuid(input) ?? reject(errors.not_a_uuid, { input: quoted(input) })
}

/** A uuid that refers to nothing the database checks. */
export function uuid(options: FieldOptions<string> = {}): Field<string | null, 'own'> {
  return {
    ...base('string', { nullable: true, order: false, ...options }),
    column: { type: 'uuid', nullable: options.nullable ?? true },
    parse: parseUuid,
  }
}

export interface NumberOptions extends FieldOptions<number> {
  min?: number
  max?: number
}

/** A text, or a number as one; empty for anything else. */
export const textIn = (input: unknown): string =>
  typeof input === 'string' || typeof input === 'number' ? String(input) : ''

/** A number, or one written as text; not a number for anything else. */
export const numberIn = (input: unknown): number =>
  typeof input === 'number' || (typeof input === 'string' && input.trim() !== '') ? Number(input) : Number.NaN

function parseNumber(input: unknown, options: NumberOptions, whole: boolean): number {
  const value = numberIn(input)
  if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value)))
    return reject(whole ? errors.not_an_integer : errors.not_a_number)
  if (options.min !== undefined && value < options.min) return reject(errors.min_value, { min: options.min })
  if (options.max !== undefined && value > options.max) return reject(errors.max_value, { max: options.max })
  return value
}

const limits = (options: NumberOptions) => () => ({
  ...(options.min !== undefined ? { min_value: options.min } : {}),
  ...(options.max !== undefined ? { max_value: options.max } : {}),
})

export function integer(options: NumberOptions = {}): Field<number, 'own'> {
  return {
    ...base('integer', options),
    column: { type: 'integer', nullable: options.nullable ?? false },
    parse: (input) => parseNumber(input, options, true),
    meta: limits(options),
  }
}

export function float(options: NumberOptions = {}): Field<number, 'own'> {
  return {
    ...base('float', options),
    column: { type: 'float', nullable: options.nullable ?? false },
    parse: (input) => parseNumber(input, options, false),
    meta: limits(options),
  }
}

export function parseBoolean(input: unknown): boolean {
  return booleanOf(input) ?? reject(errors.not_a_boolean)
}

export function boolean(options: FieldOptions<boolean> = {}): Field<boolean, 'own'> {
  return {
    ...base('boolean', { default: options.required ? undefined : false, resets: true, ...options }),
    column: { type: 'boolean', nullable: options.nullable ?? false },
    parse: parseBoolean,
    decode: (stored) => (stored === null ? null : stored === true || stored === 1),
    toCell: (wire) => (wire === null ? '-' : wire ? 'Yes' : 'No'),
    fromCell: (cell) => ['true', '1', 'yes'].includes(cell.trim().toLowerCase()),
  }
}

/** A moment; unix milliseconds inside, text in the caller's zone on the wire. */
export function datetime(options: FieldOptions<number> = {}): Field<number, 'own'> {
  return {
    ...base('datetime', options),
    column: { type: 'timestamp', nullable: options.nullable ?? false },
    parse: (input, ctx) =>
      (typeof input === 'string' ? parseTimestamp(input, ctx.zone) : undefined) ?? reject(errors.not_a_datetime),
    decode: (stored) => (stored === null ? null : Number(stored)),
    wire: (value, ctx) => (typeof value === 'number' ? formatTimestamp(value, ctx.zone) : null),
  }
}

export function nullableDatetime(options: FieldOptions<number> = {}): Field<number | null, 'own'> {
  return datetime({ ...options, nullable: true }) as Field<number | null, 'own'>
}

/** Whether a number in a JSON value, however deep, is beyond what a number can hold; it would be stored as null. */
export function hasInfinity(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'number' && !Number.isFinite(one)) return true
    if (typeof one === 'object' && one !== null) for (const inside of Object.values(one)) left.push(inside)
  }
  return false
}

/** Any JSON value. */
export function json<V = unknown>(options: FieldOptions<V> & { shape?: 'object' | 'array' } = {}): Field<V, 'own'> {
  return {
    ...base('json', { order: false, ...options }),
    column: { type: 'json', nullable: options.nullable ?? false },
    parse: (input) => {
      let value = input
      if (typeof input === 'string') {
        try {
          value = JSON.parse(input)
        } catch {
          return reject(errors.not_json)
        }
        if (hasInfinity(value)) return reject(errors.number_too_large)
      }
      if (options.shape === 'array' && !Array.isArray(value)) return reject(errors.not_a_list, { type: typeof value })
      if (options.shape === 'object' && (typeof value !== 'object' || value === null || Array.isArray(value)))
        return reject(errors.not_a_dictionary, { type: typeof value })
      return value
    },
    encode: (value) => (value === null || value === undefined ? null : JSON.stringify(value)),
    decode: decodeJson,
  }
}

export function decodeJson(stored: unknown): unknown {
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

/** What a cell of a file says as JSON; the text as it is when it is none, for the field to judge. */
export function jsonOfCell(cell: string): unknown {
  try {
    const value: unknown = JSON.parse(cell)
    return hasInfinity(value) ? cell : value
  } catch {
    return cell
  }
}

/** The list in a cell of a file: JSON, or its items with commas between them, as a preview shows it. */
export function listOfCell(cell: string): unknown {
  if (/^[[{]/.test(cell)) return jsonOfCell(cell)
  return cell
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Sealed at rest, never answered. Empty input keeps what is stored; browsers may send it encrypted. */
export function secret(options: FieldOptions<string> & { max?: number } = {}): Field<Sealed | null, 'own'> {
  return {
    ...base('string', { writeOnly: true, order: false, nullable: true, blank: true, ...options }),
    secret: true,
    column: { type: 'text', nullable: true, ...(options.column ? { name: options.column } : {}) },
    parse: (input, ctx) =>
      parseText(typeof input === 'string' ? decrypted(ctx, input) : input, {
        verbatim: true,
        blank: options.blank ?? true,
        ...(options.max ? { max: options.max } : {}),
      }),
    meta: () => (options.max ? { max_length: options.max } : {}),
  }
}

/** A value the server computes; never written. `load` asks once for all rows. */
export function computed(
  type: Field['type'],
  present: Pick<Field, 'load' | 'wire' | 'meta' | 'toCell'> & { noExport?: boolean; filter?: boolean },
): Field<never, 'none'> {
  return { ...base('field', { readOnly: true, order: false }), ...present, type }
}
