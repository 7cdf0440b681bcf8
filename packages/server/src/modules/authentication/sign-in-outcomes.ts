import type { Context } from '../../kernel/module/context.ts'
import { defineHook, definePort } from '../../kernel/module/hooks.ts'

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

/** Somebody has proved who they are and may sign in by their state: the rules about sign-ins throw a `SignInDenied` here. */
export interface SignInFacts {
  userId: string
  username: string
  type: LoginFacts['type']
  backend: string
  /** Set by a rule that lets the user in after an approval, or tells others about the sign-in. */
  rule?: { readonly id: string; readonly action: 'review' | 'notice' }
}

export const signInJudged = defineHook<SignInFacts>('authentication.sign-in.judged')

/** The user of a sign-in, for tickets and messages. */
export interface SigningIn {
  id: string
  name: string
  username: string
}

/** Approvals of sign-ins, and reminders, as login rules demand them. */
export interface SignInReviews {
  /** Asks the reviewers of a rule; returns the id of the ticket. */
  open(ctx: Context, user: SigningIn, ruleId: string): Promise<string>
  stateOf(ctx: Context, user: SigningIn, ticketId: string): Promise<'waiting' | 'approved' | 'refused'>
  /** Withdraws the request; does nothing once it was decided. */
  withdraw(ctx: Context, user: SigningIn, ticketId: string): Promise<void>
  /** The page of the ticket, which the user may send to a reviewer, and the names of those who are asked. */
  shown(ctx: Context, ticketId: string): Promise<{ url: string; reviewers: string[] }>
  remind(ctx: Context, user: SigningIn, ruleId: string): Promise<void>
}

export const signInReviews = definePort<SignInReviews>('authentication.sign-in-reviews')
