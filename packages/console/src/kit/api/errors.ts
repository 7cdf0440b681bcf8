/** An error response: status and body as the server sent them. */
export class ApiError extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
}

/** The user canceled the confirmation of a request. No error is shown. */
export class Cancelled extends Error {}

/**
 * Runs a user's action made of requests that are not quiet. Returns whether it succeeded: the request has shown its
 * error, a canceled confirmation needs no message, and any other exception is rethrown.
 */
export async function attempt(work: () => unknown): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof ApiError || error instanceof Cancelled) return false
    throw error
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The message in an error body, by precedence: error, msg, detail, `non_field_errors` joined by a space, array items
 * joined by `; `, a plain string. Empty if the body contains only field errors.
 */
export function errorText(body: unknown): string {
  if (typeof body === 'string') return body.trimStart().startsWith('<') ? '' : body
  if (Array.isArray(body)) return body.map(errorText).filter(Boolean).join('; ')
  if (!isObject(body)) return ''
  for (const key of ['error', 'msg', 'detail']) {
    const value = body[key]
    if (typeof value === 'string' && value) return value
  }
  const general = body.non_field_errors
  return Array.isArray(general) ? general.map(String).join(' ') : ''
}

/** The user-facing message of an error response; empty for server errors except 503, whose body explains the outage. */
export const serverMessage = (status: number, body: unknown): string =>
  status < 500 || status === 503 ? errorText(body) : ''

/**
 * Field errors of a 400 body, flattened to `field` or `field.child` → one message each. An aligned array of objects
 * (sub-lists) becomes `field.0.child`.
 */
export function fieldErrors(body: unknown, prefix = ''): Record<string, string> {
  const out: Record<string, string> = {}
  if (!isObject(body)) return out
  for (const [key, value] of Object.entries(body)) {
    if (!prefix && ['error', 'msg', 'detail', 'code', 'non_field_errors'].includes(key)) continue
    const path = prefix + key
    if (typeof value === 'string') out[path] = value
    else if (Array.isArray(value)) {
      const words = value.filter((item): item is string => typeof item === 'string')
      if (words.length > 0) out[path] = words.join('; ')
      value.forEach((item, index) => {
        Object.assign(out, fieldErrors(item, `${path}.${index}.`))
      })
    } else Object.assign(out, fieldErrors(value, `${path}.`))
  }
  return out
}
