import { aclsMessages } from '@castellan/contract/messages/acls'
import { errors } from '@castellan/contract/messages/errors'
import { describedAs, type StoredRow, text, uuid } from '../../kernel/fields/index.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, type Problem, permissionDenied, text as say } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { reportableSessions } from '../terminal/index.ts'
import { waitingInfo } from '../tickets/index.ts'
import { commandFilterAcl } from './command-filter.ts'
import { settleConnection } from './connection.ts'
import { type ReviewedCommand, reviewCommand } from './reviews.ts'
import { AccountUses } from './use-account.ts'

const id = () => uuid({ required: true, nullable: false })

/** Loads the rows a body names, by field; throws 400 for fields whose rows do not exist. */
async function named(ctx: Context, body: StoredRow, tables: Readonly<Record<string, string>>) {
  const problems: Record<string, Problem> = {}
  const rows = []
  for (const [field, table] of Object.entries(tables)) {
    const row = await ctx.acrossOrganizations
      .selectFrom(table)
      .selectAll()
      .where('id', '=', body[field])
      .executeTakeFirst()
    if (row) rows.push(row)
    else problems[field] = [say(errors.does_not_exist, { pk: String(body[field]) })]
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
      const body = readBody<{ user_id: string; asset_id: string; account_username: string }>(
        ctx,
        checkFields,
        request.body,
      )
      const [user, asset] = await named(ctx, body, { user_id: 'users_user', asset_id: 'assets_asset' })
      const login = {
        userId: body.user_id,
        userName: `${user?.name}(${user?.username})`,
        assetId: body.asset_id,
        assetOrgId: asset?.org_id,
        assetName: `${asset?.name}(${asset?.address})`,
        // Components of the contract do not say where the user is.
        ip: undefined,
      }
      const accountNames = [body.account_username]
      const uses = new AccountUses(ctx, {
        user: { id: body.user_id, name: user?.name, username: user?.username },
        ip: undefined,
      })
      const { ticket } = await settleConnection(ctx, login, 'open', async () => ({
        accountNames,
        rule: await uses.demandRules({ id: body.asset_id, org_id: asset?.org_id }, accountNames),
      }))
      if (!ticket) return { need_review: false }
      const info = await waitingInfo(ctx, ticket)
      return {
        need_review: true,
        check_review_status: info.check_ticket_api,
        close_review: info.close_ticket_api,
        ticket_detail_url: info.ticket_detail_page_url,
        reviewers: info.assignees,
        ticket_id: ticket.id,
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${commandFilterAcl.url}command-review/`,
    requires: 'tickets.add_superticket',
    summary: 'Request the approval of a command that a component holds in a session',
    fields: { POST: reviewFields },
    describes: commandFilterAcl.url,
    async handle({ ctx, request }) {
      const body = readBody<{ session_id: string; cmd_filter_acl_id: string; run_command: string }>(
        ctx,
        reviewFields,
        request.body,
      )
      const [session, rule] = await named(ctx, body, {
        session_id: 'terminal_session',
        cmd_filter_acl_id: commandFilterAcl.table,
      })
      // A component asks for its own running sessions only, by a rule of their organization.
      if (!(await reportableSessions(ctx, [body.session_id])).has(body.session_id)) throw permissionDenied()
      if (session?.is_finished) throw invalid({ session_id: [say(aclsMessages.session_over)] })
      if (rule?.org_id !== session?.org_id)
        throw invalid({ cmd_filter_acl_id: [say(errors.does_not_exist, { pk: body.cmd_filter_acl_id })] })
      const ticket = await reviewCommand(ctx, {
        session: session as unknown as ReviewedCommand['session'],
        rule: rule as unknown as ReviewedCommand['rule'],
        command: body.run_command,
      })
      return waitingInfo(ctx, ticket)
    },
  }),
]
