import type { Context } from '../../kernel/module/context.ts'

const partialChange = 'users.partial-change'

/** Whether this call is a PATCH of users: its response has no password strategy. */
export const isPartialChange = (ctx: Context): boolean => ctx.hasNoted(partialChange)

export const notePartialChange = (ctx: Context): void => ctx.note(partialChange)
