import type { Context } from '../../kernel/module/context.ts'
import { hashed, randomText } from '../../kernel/security/random.ts'

/** Lifetime of a link. Seconds. */
const linkAge = 3600

/** One step of one ticket. The link itself allows nothing: who opens it must be signed in as an assignee of the step. */
export interface DirectLink {
  ticketId: string
  level: number
}

const keyOf = (token: string) => `direct-approval:${hashed(token)}`

/** A new single-use link to the page that decides a step. */
export async function directLink(ctx: Context, link: DirectLink): Promise<string> {
  const token = randomText(32)
  await ctx.kv.set(keyOf(token), link, linkAge)
  return `/core/tickets/direct-approve/${token}/`
}

export const readDirectLink = (ctx: Context, token: string) => ctx.kv.get<DirectLink>(keyOf(token))
export const takeDirectLink = (ctx: Context, token: string) => ctx.kv.take<DirectLink>(keyOf(token))
