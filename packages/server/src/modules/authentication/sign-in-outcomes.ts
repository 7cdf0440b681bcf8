import { defineHook } from '../../kernel/hooks.ts'

/** The outcome of a sign-in attempt; the login log is written from it. */
export interface LoginFacts {
  username: string
  /** Web pages, API, or terminal. */
  type: 'W' | 'U' | 'T'
  ip: string
  userAgent: string
  /** 0 not required, 1 passed, 2 unknown. */
  mfa: 0 | 1 | 2
  status: boolean
  /** The error code; empty on success. */
  reason: string
  backend: string
  userId?: string
}

/** Every outcome of a sign-in; on success inside the transaction that completes it. */
export const signInFinished = defineHook<LoginFacts>('authentication.sign-in.finished')

/** Somebody has proved who they are and may sign in by their state: the rules about sign-ins throw a `Refusal` here. */
export interface SignInFacts {
  userId: string
  username: string
  type: LoginFacts['type']
  backend: string
}

export const signInJudged = defineHook<SignInFacts>('authentication.sign-in.judged')
