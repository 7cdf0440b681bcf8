import { isUtf8 } from 'node:buffer'
import { errors } from '@castellan/contract/messages/errors'
import { hasInfinity } from '../fields/index.ts'
import { type ApiError, invalid, type Problem, parseError, text } from '../module/errors.ts'
import { deepestJson, demandSimple, TooDeep } from '../untrusted/json.ts'

/** The replacement character that decoding puts in place of bytes that are not UTF-8. */
const replacement = '\ufffd'

const notUtf8 = (name: string): ApiError => invalid({ [nameOf(name)]: [text(errors.not_utf8)] })
const nameOf = (name: string) => (name === '' || name.includes(replacement) ? 'non_field_errors' : name)

/** The raw bytes of a name or value in a URL or form, one character per byte. */
const bytesOf = (written: string): Buffer =>
  Buffer.from(
    written
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )

/** Decodes the names and values of a query or a form. Throws 400 naming the first one that is not UTF-8. */
export function soundPairs(written: string): [string, string][] {
  return written
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      const parts = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      const [name = Buffer.of(), value = Buffer.of()] = parts.map(bytesOf)
      if (!isUtf8(name) || !isUtf8(value)) throw notUtf8(name.toString())
      return [name.toString(), value.toString()]
    })
}

/** Throws 400 naming a query parameter that is not UTF-8. */
export function demandSoundQuery(url: string): void {
  const at = url.indexOf('?')
  if (at >= 0 && /%[89a-f]/i.test(url)) soundPairs(url.slice(at + 1))
}

/** Throws 400 for a multipart value that was not UTF-8. */
export function demandSoundPart(name: string, value: string): void {
  if (name.includes(replacement) || value.includes(replacement)) throw notUtf8(name)
}

/** Whether any text in a JSON value, at any depth, contained bytes that are not UTF-8. */
function isDamaged(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string' && one.includes(replacement)) return true
    if (typeof one === 'object' && one !== null) for (const pair of Object.entries(one)) left.push(...pair)
  }
  return false
}

/** The errors of a body, by the fields of each object in it. */
function problemsIn(body: unknown, isWrong: (value: unknown) => boolean, problem: Problem): Problem {
  if (Array.isArray(body))
    return body.map((one) =>
      isWrong(one) ? (Array.isArray(one) ? { non_field_errors: [problem] } : problemsIn(one, isWrong, problem)) : {},
    )
  if (typeof body !== 'object' || body === null) return { non_field_errors: [problem] }
  const wrong = Object.entries(body).filter(([name, value]) => isWrong(name) || isWrong(value))
  return Object.fromEntries(wrong.map(([name]) => [nameOf(name), [problem]]))
}

/**
 * Parses a JSON body. Rejects by field what could not be stored as sent: text that is not UTF-8, and numbers out of
 * range, which would be parsed as Infinity. Rejects what is nested too deep.
 * @throws SyntaxError for invalid JSON; 400
 */
export function soundJson(bytes: Buffer): unknown {
  try {
    demandSimple(bytes)
  } catch (error) {
    throw error instanceof TooDeep ? parseError(text(errors.json_too_deep, { most: deepestJson })) : error
  }
  const written = bytes.toString()
  const body: unknown = JSON.parse(written)
  if (!isUtf8(bytes)) throw invalid(problemsIn(body, isDamaged, text(errors.not_utf8)))
  // Cheap check first: only numbers of this form can be out of range.
  if (/[eE]\+?\d{3}|\d{309}/.test(written) && hasInfinity(body))
    throw invalid(problemsIn(body, hasInfinity, text(errors.number_too_large)))
  return body
}
