import type { Given, Message } from '@castellan/contract/messages'
import { type ApiError, failureAs, text } from '../../../kernel/module/errors.ts'

/** 400 `{error}`: what is wrong with an uploaded package. */
export const packageError = <const M extends Message>(message: M, ...values: Given<M>): ApiError =>
  failureAs(400, 'error', text(message, ...values))
