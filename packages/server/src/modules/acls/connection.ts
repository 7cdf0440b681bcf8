import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, text } from '../../kernel/module/errors.ts'
import type { TicketRow } from '../tickets/index.ts'
import { type DecidedUse, type LoginAssetRule, recordRule } from './login-asset.ts'
import { reviewConnection } from './reviews.ts'
import { UseRefused } from './use-account.ts'

/** A requested connection. */
export interface AssetLogin extends Omit<DecidedUse, 'accountNames'> {
  userId: string
  assetId: string
  assetOrgId: string
}

/**
 * What follows from the decision about a connection: it is logged, even if the connection fails later, reviewers are
 * told, and a review opens its ticket. Throws 400 `acl_reject` for a rule that rejects, and `acl_review` when an approval
 * is needed and `review` is `refuse`; what else was refused is thrown as it is.
 * @returns the ticket of a connection that may begin once it is approved
 */
export async function settleConnection<U extends { accountNames: readonly string[]; rule: LoginAssetRule | undefined }>(
  ctx: Context,
  login: AssetLogin,
  review: 'open' | 'refuse',
  decided: () => Promise<U>,
): Promise<{ use: U; ticket: TicketRow | undefined }> {
  const use = await decided().catch(async (error: unknown) => {
    if (!(error instanceof UseRefused) || !error.rule) throw error
    const { rule, accountNames } = error
    await ctx.transaction((inside) => recordRule(inside, rule, [{ ...login, accountNames }]))
    throw badRequest(text(errors.acl_reject), 'acl_reject')
  })
  const { rule, accountNames } = use
  if (!rule) return { use, ticket: undefined }
  const ticket = await ctx.transaction(async (inside) => {
    await recordRule(inside, rule, [{ ...login, accountNames }])
    return rule.action === 'review' && review === 'open'
      ? reviewConnection(inside, rule.id, { ...login, account: accountNames[0] ?? '' })
      : undefined
  })
  if (rule.action === 'review' && !ticket) throw badRequest(text(errors.acl_review), 'acl_review')
  return { use, ticket }
}
