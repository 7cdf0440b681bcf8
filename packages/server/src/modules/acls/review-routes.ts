import { aclsMessages } from '@castellan/contract/messages/acls'
import { errors } from '@castellan/contract/messages/errors'
import { readBody } from '../../kernel/body.ts'
import type { Context } from '../../kernel/context.ts'
import { badRequest, invalid, type Problem, text as say } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { describedAs, text, uuid } from '../../kernel/fields/index.ts'
import { defineRoute } from '../../kernel/route.ts'
import { commandFilterAcl } from './command-filter.ts'
import { decideAssetLogin } from './login-asset.ts'

const id = () => uuid({ required: true, nullable: false })

/** Loads the rows a body names, by field; throws 400 for fields whose rows do not exist. */
async function named(ctx: Context, body: AnyRow, tables: Readonly<Record<string, string>>): Promise<AnyRow[]> {
  const problems: Record<string, Problem> = {}
  const rows: AnyRow[] = []
  for (const [field, table] of Object.entries(tables)) {
    const row = await ctx.unscoped.selectFrom(table).selectAll().where('id', '=', body[field]).executeTakeFirst()
    if (row) rows.push(row)
    else problems[field] = [say(errors.does_not_exist, { pk: body[field] })]
  }
  if (rows.length < Object.keys(tables).length) throw invalid(problems)
  return rows
}

const checkFields = {
  user_id: id(),
  asset_id: id(),
  account_username: describedAs(text({ max: 128, default: '' }), { default: '' }),
}
const reviewFields = {
  session_id: id(),
  cmd_filter_acl_id: id(),
  run_command: text({ required: true, verbatim: true }),
}

/** Components call these before an operation that may need an approval. */
export const reviewRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/acls/login-asset/check/',
    requires: 'tickets.add_superticket',
    summary: 'Whether a connection needs an approval; an error when a rule denies it',
    fields: { POST: checkFields },
    // The decision of a rule must be logged even if the call fails.
    transaction: 'none',
    async handle({ ctx, request }) {
      const body = readBody(ctx, checkFields, request.body)
      const [user, asset] = await named(ctx, body, { user_id: 'users_user', asset_id: 'assets_asset' })
      await decideAssetLogin(ctx, {
        userId: body.user_id,
        userName: `${user?.name}(${user?.username})`,
        assetId: body.asset_id,
        assetOrgId: asset?.org_id,
        assetName: `${asset?.name}(${asset?.address})`,
        accountNames: [body.account_username],
        ip: undefined,
      })
      return { need_review: false }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${commandFilterAcl.url}command-review/`,
    requires: 'tickets.add_superticket',
    summary: 'Request the approval of a command: rejected, because approvals are not available yet',
    fields: { POST: reviewFields },
    async handle({ ctx, request }) {
      const body = readBody(ctx, reviewFields, request.body)
      await named(ctx, body, { session_id: 'terminal_session', cmd_filter_acl_id: commandFilterAcl.table })
      throw badRequest(say(aclsMessages.review_unavailable), 'acl_review')
    },
  }),
]
