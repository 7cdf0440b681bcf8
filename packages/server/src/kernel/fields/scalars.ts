import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { booleanOf } from '@castellan/contract/truth'
import { quoted, reject } from '../module/errors.ts'
import { decrypted } from '../security/encrypted.ts'
import type { Sealed } from '../security/secrets.ts'
import { deepestJson, parseJson, TooDeep } from '../untrusted/json.ts'
import { base, type Field, type FieldOptions } from './field.ts'
import { formatTimestamp, parseTimestamp } from './timestamps.ts'

export interface TextOptions extends FieldOptions<string> {
  max?: number
  min?: number
  pattern?: { test: RegExp; message: Message }
  /** Stored unchanged; otherwise surrounding white space is trimmed. */
  verbatim?: boolean
  /** Rejects invisible characters. Default for names, that is when `max` is at most 128. */
  printable?: boolean
}

/** Texts of at most this length are names, shown in menus, logs and terminals. Characters. */
const longestName = 128
/**
 * Longest text of a field that does not declare its own length: v3 bounds these by its database only, and nobody types
 * as much. It is not in the metadata, which is v3's. Characters.
 */
export const longestText = 128 * 1024
/** Longest JSON value of a field. Characters. */
export const longestJson = 1024 * 1024
/** Control characters, line separators, bidirectional marks and zero-width spaces. */
export const unseenCharacters = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u

/** Counts code points, not UTF-16 code units. */
const isLonger = (value: string, max: number) => value.length > max && [...value].length > max

/** A text that databases store: PostgreSQL has no null characters, and lone surrogates would be read back differently. */
export function demandStorable(value: string): string {
  if (value.includes('\0')) return reject(errors.null_characters)
  return value.isWellFormed() ? value : reject(errors.not_a_string)
}

function parseText(input: unknown, options: TextOptions): string {
  if (typeof input !== 'string' && typeof input !== 'number') return reject(errors.not_a_string)
  const value = demandStorable(options.verbatim ? String(input) : String(input).trim())
  if (value === '') {
    if (options.required && options.blank !== true) return reject(errors.blank)
    if (options.blank === false) return reject(errors.blank)
    return value
  }
  const max = options.max ?? longestText
  if (isLonger(value, max)) return reject(errors.max_length, { max })
  if (options.min !== undefined && value.length < options.min) return reject(errors.min_length, { min: options.min })
  const isName = options.max !== undefined && options.max <= longestName && !options.verbatim
  if ((options.printable ?? isName) && unseenCharacters.test(value)) return reject(errors.unseen_characters)
  if (options.pattern && !options.pattern.test.test(value)) return reject(options.pattern.message)
  return value
}

/** Single-line text. Without `max` the console shows a multi-line input. */
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

/** Text that may also be null. */
export function nullableText(options: TextOptions = {}): Field<string | null, 'own'> {
  return text({ ...options, nullable: true }) as Field<string | null, 'own'>
}

/** The field, which may be null as well. */
export const nullable = <V>(field: Field<V, 'own'>): Field<V | null, 'own'> => ({
  ...(field as Field<V | null, 'own'>),
  nullable: true,
  ...(field.column ? { column: { ...field.column, nullable: true } } : {}),
})

const emailPattern = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@<>(),;:\\"[\]]+$/

/** What may stand behind the `@` of an address that `email` accepts. */
export const emailDomainPattern = { test: (value: string) => emailPattern.test(`a@${value}`) } as RegExp

export function email(options: TextOptions = {}): Field<string, 'own'> {
  const field = text({ max: 128, ...options, pattern: { test: emailPattern, message: errors.not_an_email } })
  return { ...field, type: 'email' }
}

/** Characters that no address has, and that end an attribute, a header or a link where it is put into one. */
const outsideAddresses = /[\s"'`<>\\\p{C}]/u

/** Whether a browser opens it as a page: http or https, never a script or a path of another origin. */
const isWebAddress = (value: string): boolean =>
  !outsideAddresses.test(value) && /^https?:\/\//i.test(value) && URL.canParse(value)

function parseAddress(input: unknown, options: TextOptions & { orPath?: boolean }): string {
  if (typeof input !== 'string') return reject(errors.not_a_string)
  const value = input.trim()
  if (value === '') return (options.blank ?? !options.required) ? '' : reject(errors.blank)
  if (options.max !== undefined && isLonger(value, options.max)) return reject(errors.max_length, { max: options.max })
  const isPath = options.orPath && /^\/(?!\/)/.test(value) && !outsideAddresses.test(value)
  return isPath || isWebAddress(value) ? value : reject(errors.not_a_url)
}

/** An address that a browser opens. */
export function url(options: TextOptions = {}): Field<string, 'own'> {
  return { ...text(options), type: 'url', parse: (input) => parseAddress(input, options) }
}

/**
 * An address that a browser or the server opens, where the wire declares a text.
 * @param options `orPath`: a path of this installation is accepted too
 */
export function webAddress(options: TextOptions & { orPath?: boolean } = {}): Field<string, 'own'> {
  return { ...text(options), parse: (input) => parseAddress(input, options) }
}

/** Letters, digits, `-` and `_` of any script. */
export function slug(options: TextOptions = {}): Field<string, 'own'> {
  return { ...text({ ...options, pattern: { test: /^[\p{L}\p{N}_-]+$/u, message: errors.not_a_slug } }), type: 'slug' }
}

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** The canonical form of a uuid, or undefined. */
export function normalUuid(input: unknown): string | undefined {
  if (typeof input !== 'string' || !uuidPattern.test(input.trim())) return undefined
  return dashed(input.trim().replaceAll('-', '').toLowerCase())
}

const dashed = (digits: string) =>
  [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, digits)

/**
 * The first and the last id that begin as given; undefined for what no id begins with, and for less than its first
 * group, which would find too much.
 */
export function uuidRange(beginning: string): [string, string] | undefined {
  const digits = beginning.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{8,32}$/.test(digits)) return undefined
  return [dashed(digits.padEnd(32, '0')), dashed(digits.padEnd(32, 'f'))]
}

/** A serial id: an integer or its digits; undefined for anything else. */
export function normalSerial(input: unknown): number | undefined {
  if (typeof input === 'string' && /^\d{1,15}$/.test(input.trim())) return Number(input)
  return typeof input === 'number' && Number.isSafeInteger(input) ? input : undefined
}

/** An id in its stored form; undefined for anything that cannot be one. */
export const normalId = ({ serialId }: { serialId?: boolean }, input: unknown): string | number | undefined =>
  serialId ? normalSerial(input) : normalUuid(input)

export function parseUuid(input: unknown): string {
  return normalUuid(input) ?? reject(errors.not_a_uuid, { input: quoted(input) })
}

/** A uuid without a foreign key. */
export function uuid<const O extends FieldOptions<string> = Record<never, never>>(
  given: O = {} as O,
): Field<O extends { readonly nullable: false } ? string : string | null, 'own'> {
  const options: FieldOptions<string> = given
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

/** A string, or a number converted to one; empty for anything else. */
export const textIn = (input: unknown): string =>
  typeof input === 'string' || typeof input === 'number' ? String(input) : ''

/** A number, or one written as text; NaN for anything else. */
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

/** A timestamp; unix milliseconds inside, text in the caller's time zone on the wire. */
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

/** Whether a JSON value contains a non-finite number at any depth; it would be stored as null. */
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
          value = parseJson(input)
        } catch (error) {
          if (error instanceof TooDeep) return reject(errors.json_too_deep, { most: deepestJson })
          return reject(errors.not_json)
        }
        if (hasInfinity(value)) return reject(errors.number_too_large)
      }
      if ((JSON.stringify(value) ?? '').length > longestJson) return reject(errors.max_length, { max: longestJson })
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

/** Parses a cell as JSON; returns the text unchanged when it is not JSON, for the field to validate. */
export function jsonOfCell(cell: string): unknown {
  try {
    const value: unknown = parseJson(cell)
    return hasInfinity(value) ? cell : value
  } catch {
    return cell
  }
}

/** Parses a cell as a list: JSON, or comma-separated items as in a preview. */
export function listOfCell(cell: string): unknown {
  if (/^[[{]/.test(cell)) return jsonOfCell(cell)
  return cell
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * Encrypted at rest and never returned. An empty value leaves the stored secret unchanged; browsers may send the value
 * encrypted.
 */
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

/** A value computed by the server, never written. `load` runs one query for all rows. */
export function computed(
  type: Field['type'],
  present: Pick<Field, 'load' | 'wire' | 'meta' | 'toCell' | 'answers'> & { noExport?: boolean; filter?: boolean },
): Field<never, 'none'> {
  return { ...base('field', { readOnly: true, order: false }), ...present, type }
}
