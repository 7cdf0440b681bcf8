import type { Given, Language, Message, Placeholders } from '@castellan/contract/messages'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'

/** Text that is translated to the caller's language when the response is sent. A plain string is used unchanged. */
export type Text = string | { message: Message; values?: Placeholders | undefined }

/** A text in the language of the reader. */
export const text = <const M extends Message>(message: M, ...values: Given<M>): Text => ({ message, values: values[0] })

export const render = (value: Text, language: Language): string =>
  typeof value === 'string' ? value : say(value.message, language, value.values)

/** Error text that names the actual type of a value that should have been an object. */
export const notAnObject = (input: unknown): Text =>
  text(errors.not_a_dictionary, { type: input === null ? 'null' : Array.isArray(input) ? 'list' : typeof input })

/** Longest part of a value repeated in an error text. Characters. */
const longestQuote = 200

/** A sent value as an error text repeats it: JSON unless it is text, shortened when long. */
export function quoted(input: unknown): string {
  const whole = typeof input === 'string' ? input : (JSON.stringify(input) ?? String(input))
  return whole.length > longestQuote ? `${whole.slice(0, longestQuote)}…` : whole
}

/** Errors of a field: texts, or the same structure for nested values. */
export type Problem = Text | readonly Problem[] | { readonly [field: string]: Problem }

function isText(problem: Problem): problem is Text {
  return typeof problem === 'string' || (!Array.isArray(problem) && 'message' in problem && isMessage(problem.message))
}

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'en' in value && 'zh' in value
}

function renderProblem(problem: Problem, language: Language): unknown {
  if (isText(problem)) return render(problem, language)
  if (Array.isArray(problem)) return problem.map((item) => renderProblem(item, language))
  return Object.fromEntries(Object.entries(problem).map(([key, value]) => [key, renderProblem(value, language)]))
}

/**
 * Every error that a caller sees. `body` renders the contract's body in a language; only `http/replies.ts` sends it.
 */
export class ApiError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly #body: (language: Language) => unknown

  constructor(
    status: number,
    summary: string,
    body: (language: Language) => unknown,
    headers: Record<string, string> = {},
  ) {
    super(summary)
    this.status = status
    this.headers = headers
    this.#body = body
  }

  body(language: Language): unknown {
    return this.#body(language)
  }
}

/** An error with one sentence: `{detail, code}`. */
export function failure(status: number, code: string, detail: Text, headers?: Record<string, string>): ApiError {
  return new ApiError(status, code, (language) => ({ detail: render(detail, language), code }), headers)
}

/** Validation errors by field, sent unchanged and without a code. */
export function invalid(problems: Problem): ApiError {
  return new ApiError(400, 'invalid', (language) => renderProblem(problems, language))
}

/** 400 with an empty body: a bulk delete without a sufficient selection. */
export const emptyBadRequest = () => new ApiError(400, 'empty selection', () => undefined)

/** 400 `{error}`, or another body shape that one endpoint of the contract requires. */
export function failureAs(
  status: number,
  key: 'error' | 'msg',
  detail: Text,
  more: Record<string, unknown> = {},
): ApiError {
  return new ApiError(status, key, (language) => ({ ...more, [key]: render(detail, language) }))
}

export const notAuthenticated = () =>
  failure(401, 'not_authenticated', text(errors.not_authenticated), { 'www-authenticate': 'Bearer' })
export const authenticationFailed = (detail: Text = text(errors.authentication_failed)) =>
  failure(401, 'authentication_failed', detail, { 'www-authenticate': 'Bearer' })
export const permissionDenied = (detail: Text = text(errors.permission_denied)) =>
  failure(403, 'permission_denied', detail)
export const parseError = (detail: Text = text(errors.parse_error)) => failure(400, 'parse_error', detail)
/** `allowed`: the declared methods; GET implies HEAD, and OPTIONS is always allowed. */
export function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  const all = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), ...(method === 'OPTIONS' ? [] : ['OPTIONS'])]
  return failure(405, 'method_not_allowed', text(errors.method_not_allowed, { method }), { allow: all.join(', ') })
}
/** `type`: the only type the route could have answered with, which its refusal has too. */
export const notAcceptable = (type?: string) =>
  failure(406, 'not_acceptable', text(errors.not_acceptable), type ? { 'content-type': type } : undefined)
export const conflict = (detail: Text = text(errors.conflict)) => failure(409, 'error', detail)
export const badRequest = (detail: Text, code = 'error') => failure(400, code, detail)

/** 404 with a text that names the kind of object. */
export function notFound(object: Message): ApiError {
  return new ApiError(404, 'object_does_not_exist', (language) => ({
    detail: say(errors.not_found, language, { object: object[language] }),
    code: 'object_does_not_exist',
  }))
}

/** The errors of one row: `{field: [texts]}`. */
export class Problems {
  #byField: Record<string, Problem> = {}
  #closed = false

  /** Replaces all errors by one that causes the others; later ones are ignored. */
  only(field: string, problem: Problem): void {
    this.#byField = { [field]: [problem] as Problem }
    this.#closed = true
  }

  add(field: string, problem: Problem): void {
    if (this.#closed) return
    const known = this.#byField[field]
    if (isText(problem)) this.#byField[field] = [...(Array.isArray(known) ? known : []), problem]
    else this.#byField[field] = problem
  }

  has(field: string): boolean {
    return field in this.#byField
  }

  get any(): boolean {
    return Object.keys(this.#byField).length > 0
  }

  toProblem(): Problem {
    return this.#byField
  }

  throwIfAny(): void {
    if (this.any) throw invalid(this.#byField)
  }
}

/** Thrown by a field's `parse` for an invalid value. */
export class Rejected extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super('rejected value')
    this.problem = problem
  }
}

export const reject = <const M extends Message>(message: M, ...values: Given<M>): never => {
  throw new Rejected(text(message, ...values))
}

/** 413: a body or file is longer than the limit. Bytes. */
export const fileTooLarge = (limit: number) =>
  failure(413, 'file_content_overflowed', text(errors.file_content_overflowed, { max: limit / 1024 / 1024 }))
