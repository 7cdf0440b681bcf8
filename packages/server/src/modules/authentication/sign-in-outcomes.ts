import { defineHook } from '../../kernel/hooks.ts'

/** How somebody's try to sign in ended; the login log is written from it. */
export interface LoginFacts {
  username: string
  /** Web pages, API, or terminal. */
  type: 'W' | 'U' | 'T'
  ip: string
  userAgent: string
  /** 0 not asked for, 1 passed, 2 unknown. */
  mfa: 0 | 1 | 2
  status: boolean
  /** The refusal's code; empty on success. */
  reason: string
  backend: string
  userId?: string
}

/** Every outcome of a sign-in; on success inside the transaction that completes it. */
export const signInFinished = defineHook<LoginFacts>('authentication.sign-in.finished')
