import { errors } from '@castellan/contract/messages/errors'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { Rejected, reject, text } from '../module/errors.ts'
import type { Field } from './field.ts'
import { nullableText } from './scalars.ts'

/** Default country of numbers without a country code. */
const homeCountry = 'CN'

function written(input: unknown): string {
  if (typeof input === 'string' || typeof input === 'number') return String(input).trim()
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return reject(errors.not_a_string)
  const { code = '', phone = '' } = input as { code?: unknown; phone?: unknown }
  if (phone === '' || phone === null) throw new Rejected([text(errors.not_a_phone)])
  return `${code ?? ''}${phone}`.trim()
}

/** Normalizes a text or `{code, phone}` to `+<country><number>`. Throws `Rejected`. */
export function normalPhone(input: unknown): string {
  const words = written(input)
  if (words === '') return ''
  const number = parsePhoneNumberFromString(words, homeCountry)
  if (!number?.isValid()) throw new Rejected([text(errors.not_a_phone)])
  return number.number
}

/** `{code, phone}` of a stored number. */
export function phoneParts(stored: unknown): { code: string; phone: number | string } | string | null {
  if (typeof stored !== 'string' || stored === '') return stored === '' ? '' : null
  const number = parsePhoneNumberFromString(stored)
  if (!number) return { code: '', phone: stored }
  const national = String(number.nationalNumber)
  return {
    code: `+${number.countryCallingCode}`,
    phone: Number.isSafeInteger(Number(national)) ? Number(national) : national,
  }
}

/** A telephone number: stored as `+8613800000000`, on the wire `{code, phone}`. */
export function phone(options: { default?: string } = {}): Field<string | null, 'own'> {
  return {
    ...nullableText(options),
    parse: normalPhone,
    wire: phoneParts,
    schema: {
      answer: { type: ['object', 'string'], properties: { code: { type: 'string' }, phone: {} } },
      body: { type: ['object', 'string', 'number'] },
    },
    toCell: (wire) => {
      const { code = '', phone: number = '-' } = (wire ?? {}) as { code?: string; phone?: string | number }
      return `${code}${number}`
    },
  }
}
