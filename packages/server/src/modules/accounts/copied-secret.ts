import type { Message } from '@castellan/contract/messages'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import type { PermissionCode } from '@castellan/contract/permissions'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text as say } from '../../kernel/module/errors.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { mayDecideDestinations } from '../assets/index.ts'
import { demandStepUp } from '../authentication/index.ts'
import { revealSecret } from './secret.ts'

/** System work needs no permission; callers do. */
function demandRight(ctx: Context, code: PermissionCode, why: Message): void {
  if (ctx.caller && !ctx.can(code)) throw permissionDenied(say(why))
}

/**
 * Opens the secret of an account to copy it to another one. A user who can copy a secret to an asset of their choice
 * can read it there, so copying needs the same permission and confirmation as reading (403, 412), and is logged as
 * such.
 */
export async function copiedSecret(ctx: Context, source: { id: string; secret: Sealed | null }): Promise<string> {
  demandRight(ctx, 'accounts.view_accountsecret', accountsMessages.copy_needs_right)
  demandStepUp(ctx)
  return revealSecret(ctx, source)
}

/**
 * Opens the secret of a template for an account. This is the purpose of templates, also for clients that cannot
 * confirm: it needs the permission to see template secrets, and is logged.
 */
export async function templateCopy(ctx: Context, template: { id: string; secret: Sealed | null }): Promise<string> {
  if (!template.secret) return ''
  demandRight(ctx, 'accounts.view_accounttemplatesecret', accountsMessages.template_needs_right)
  // One call may use it for a thousand assets; it is opened and logged once.
  return ctx.once(`accounts.template-copy:${template.id}`, () =>
    revealSecret(ctx, template, findResource('accounts.accounttemplate')),
  )
}

/**
 * Throws 403 unless the caller may see the secrets of these assets: changing the address of an asset sends its secrets
 * there.
 * @param keepsSecret one of the assets stores a secret of its own
 */
export async function demandRedirect(ctx: Context, assetIds: readonly unknown[], keepsSecret = false): Promise<void> {
  if (mayDecideDestinations(ctx)) return
  if (keepsSecret) throw permissionDenied(say(accountsMessages.redirect_needs_right))
  for (const some of batches([...new Set(assetIds)])) {
    const found = await ctx.acrossOrganizations
      .selectFrom('accounts_account')
      .select('id')
      .where('asset_id', 'in', some)
      .where('secret', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    if (found) throw permissionDenied(say(accountsMessages.redirect_needs_right))
  }
}
