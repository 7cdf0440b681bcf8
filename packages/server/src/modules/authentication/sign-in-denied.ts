import type { Message, Placeholders } from '@castellan/contract/messages'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { ApiError, render, type Text, text } from '../../kernel/module/errors.ts'

export type SignInErrorCode = keyof typeof signInErrors

/** A failed sign-in: `{error, msg}`. */
export class SignInDenied extends ApiError {
  readonly code: SignInErrorCode
  readonly said: Text
  /** Blocked attempts are not written to the login log. */
  readonly logged: boolean
  /** Where a page redirects instead of showing the error. */
  readonly redirect: string | undefined

  constructor(
    code: SignInErrorCode,
    values?: Placeholders,
    options: { status?: number; data?: unknown; logged?: boolean; redirect?: string; says?: SignInErrorCode } = {},
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
