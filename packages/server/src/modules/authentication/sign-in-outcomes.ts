import type { Context } from '../../kernel/context.ts'

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

type Listener = (ctx: Context, facts: LoginFacts) => Promise<void>
const listeners: Listener[] = []

/** Hears every outcome, on success inside the transaction that completes it. */
export function onSignIn(listener: Listener): void {
  listeners.push(listener)
}

export async function tellSignIn(ctx: Context, facts: LoginFacts): Promise<void> {
  for (const listener of listeners) await listener(ctx, facts)
}
