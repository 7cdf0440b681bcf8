import { defaultOrgId } from '@castellan/contract/ids'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { keyOf, normalUuid } from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failure, text as say } from '../../../kernel/module/errors.ts'
import { sessionRules } from '../settings.ts'

/** Throws 405, as the contract says, while session sharing is switched off. Work of the system itself is exempt. */
export function demandSharing(ctx: Context): void {
  if (ctx.caller && !sessionRules.of(ctx).SECURITY_SESSION_SHARE)
    throw failure(405, 'method_not_allowed', say(texts.sharing_disabled))
}

/**
 * The organization of the row that a body refers to: components report for all organizations, and what they report
 * belongs where the session does. Bodies without such a row are rejected by their own validation.
 */
export async function orgOf(ctx: Context, table: string, body: unknown, field: string): Promise<string> {
  const id = isObject(body) ? normalUuid(keyOf(body[field])) : undefined
  const row = id
    ? await ctx.acrossOrganizations.selectFrom(table).select('org_id').where('id', '=', id).executeTakeFirst()
    : undefined
  return row?.org_id ?? defaultOrgId
}
