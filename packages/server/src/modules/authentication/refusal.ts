import type { Message, Placeholders } from '@castellan/contract/messages'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { ApiError, render, type Text, text } from '../../kernel/errors.ts'

export type RefusalCode = keyof typeof signInErrors

/** A failed sign-in: `{error, msg}`. */
export class Refusal extends ApiError {
  readonly code: RefusalCode
  readonly said: Text
  /** Blocked attempts are not written to the login log. */
  readonly logged: boolean
  /** Where a page redirects instead of showing the error. */
  readonly redirect: string | undefined

  constructor(
    code: RefusalCode,
    values?: Placeholders,
    options: { status?: number; data?: unknown; logged?: boolean; redirect?: string; says?: RefusalCode } = {},
  ) {
    const message: Message = signInErrors[options.says ?? code]
    const said = text(message, values)
    super(options.status ?? 400, code, (language) => ({
      error: code,
      msg: render(said, language),
      ...(options.data === undefined ? {} : { data: options.data }),
    }))
    this.code = code
    this.said = said
    this.logged = options.logged ?? true
    this.redirect = options.redirect
  }
}
