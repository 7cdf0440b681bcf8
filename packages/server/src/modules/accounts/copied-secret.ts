import type { Message } from '@castellan/contract/messages'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import type { PermissionCode } from '@castellan/contract/permissions'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/context.ts'
import { permissionDenied, text as say } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { findResource } from '../../kernel/resource.ts'
import { demandConfirmation } from '../authentication/index.ts'
import { revealSecret } from './secret.ts'

/** The system itself may do what it was told to; people need the right. */
function demandRight(ctx: Context, code: PermissionCode, why: Message): void {
  if (ctx.caller && !ctx.can(code)) throw permissionDenied(say(why))
}

/**
 * Opens the secret of an account for another one. Whoever has a secret put where they like can read it there: copying asks
 * for the right and the confirmation that seeing it asks for (403, 412), and is recorded as such.
 */
export async function copiedSecret(ctx: Context, source: AnyRow): Promise<string> {
  demandRight(ctx, 'accounts.view_accountsecret', accountsMessages.copy_needs_right)
  if (ctx.caller) demandConfirmation(ctx, 'mfa')
  return revealSecret(ctx, source)
}

/**
 * Opens the secret of a template for an account. Templates are made for that, also by programs that cannot confirm: it takes
 * the right to see template secrets, and is recorded.
 */
export async function templateCopy(ctx: Context, template: AnyRow): Promise<string> {
  if (!template.secret) return ''
  demandRight(ctx, 'accounts.view_accounttemplatesecret', accountsMessages.template_needs_right)
  // One call may put it on a thousand assets; it is opened once.
  return ctx.once(`accounts.template-copy:${template.id}`, () =>
    revealSecret(ctx, template, findResource('accounts.accounttemplate')),
  )
}

/**
 * Throws 403 unless the caller may see the secrets that accounts of these assets have: whoever changes where an asset is
 * reached has its secrets sent there.
 */
export async function demandRedirect(ctx: Context, assetIds: readonly unknown[]): Promise<void> {
  if (!ctx.caller || ctx.can('accounts.view_accountsecret')) return
  for (const some of batches([...new Set(assetIds)])) {
    const found = await ctx.unscoped
      .selectFrom('accounts_account')
      .select('id')
      .where('asset_id', 'in', some)
      .where('secret', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    if (found) throw permissionDenied(say(accountsMessages.redirect_needs_right))
  }
}
