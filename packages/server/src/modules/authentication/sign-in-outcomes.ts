import type { Context } from '../../kernel/context.ts'

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

type Listener = (ctx: Context, facts: LoginFacts) => Promise<void>
const listeners: Listener[] = []

/** Registers a listener for every outcome; on success it runs inside the transaction that completes the sign-in. */
export function onSignIn(listener: Listener): void {
  listeners.push(listener)
}

export async function tellSignIn(ctx: Context, facts: LoginFacts): Promise<void> {
  for (const listener of listeners) await listener(ctx, facts)
}
