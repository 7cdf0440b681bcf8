import { say } from '@castellan/contract/messages'
import { aclsMessages } from '@castellan/contract/messages/acls'
import { errors } from '@castellan/contract/messages/errors'
import { linksOf } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, text } from '../../kernel/module/errors.ts'
import { findAnyUser } from '../perms/index.ts'
import { linkSession, openTicket, peopleAsked, type TicketRow } from '../tickets/index.ts'

type RuleTable = 'loginassetacl' | 'commandfilteracl'

/** Longest text of a command in a ticket. Characters. */
export const longestCommand = 4090

export async function reviewersOf(ctx: Context, rule: RuleTable, id: string): Promise<string[]> {
  const links = await linksOf(ctx, { table: `acls_${rule}_reviewers`, from: `${rule}_id`, to: 'user_id' }, [id])
  return links.map((link) => link.user_id)
}

/** Reviewers who can decide now. Throws 400 when all of them have left: a review never passes by itself. */
async function levelOf(ctx: Context, rule: RuleTable, id: string) {
  const assignees = await peopleAsked(ctx, await reviewersOf(ctx, rule, id))
  if (assignees.length === 0) throw badRequest(text(aclsMessages.no_reviewer_left), 'acl_reject')
  return [{ strategy: '', assignees }]
}

async function applicantOf(ctx: Context, userId: string) {
  const found = await findAnyUser(ctx, userId)
  if (!found) throw badRequest(text(errors.does_not_exist, { pk: userId }))
  return found
}

/** A connection for which a rule demands an approval. */
export interface ReviewedConnection {
  userId: string
  userName: string
  assetId: string
  assetOrgId: string
  assetName: string
  account: string
}

/** Opens the ticket of one connection. */
export async function reviewConnection(ctx: Context, ruleId: string, login: ReviewedConnection): Promise<TicketRow> {
  return openTicket(ctx, {
    type: 'login_asset_confirm',
    title: say(aclsMessages.asset_login_ticket, ctx.language, {
      user: login.userName,
      asset: login.assetName,
    }).slice(0, 256),
    orgId: login.assetOrgId,
    applicant: await applicantOf(ctx, login.userId),
    details: { user: login.userId, asset: login.assetId, account: login.account },
    snapshot: {
      apply_login_user: login.userName,
      apply_login_user_id: login.userId,
      apply_login_asset: login.assetName,
      apply_login_asset_id: login.assetId,
    },
    relevantAsset: login.assetName,
    levels: await levelOf(ctx, 'loginassetacl', ruleId),
  })
}

/** A command held by a component in one of its sessions. */
export interface ReviewedCommand {
  session: { id: string; org_id: string; user_id: string; user: string; asset: string; account: string }
  rule: { id: string; name: string }
  command: string
}

interface CommandOrigin {
  org_id: string
  user_id: string
  user: string
  /** The assets, one a line. */
  asset: string
  account: string
}

async function openCommandTicket(
  ctx: Context,
  from: CommandOrigin,
  { rule, command }: Pick<ReviewedCommand, 'rule' | 'command'>,
  waiting: { session: string } | { execution: string },
): Promise<TicketRow> {
  const session = 'session' in waiting ? waiting.session : undefined
  return openTicket(ctx, {
    type: 'command_confirm',
    title: say(aclsMessages.command_ticket, ctx.language, {
      user: from.user,
      asset: from.asset.replaceAll('\n', ', '),
    }).slice(0, 256),
    orgId: from.org_id,
    applicant: await applicantOf(ctx, from.user_id),
    details: {
      user: from.user_id,
      asset: from.asset,
      account: from.account,
      command: command.slice(0, longestCommand),
      ...waiting,
      rule: rule.id,
    },
    snapshot: {
      apply_run_user: from.user,
      apply_run_user_id: from.user_id,
      ...(session ? { apply_from_session: session, apply_from_session_id: session } : {}),
      apply_from_cmd_filter_acl: rule.name,
      apply_from_cmd_filter_acl_id: rule.id,
    },
    relevantAsset: from.asset,
    relevantCommand: command.slice(0, longestCommand),
    levels: await levelOf(ctx, 'commandfilteracl', rule.id),
  })
}

/** Opens the ticket of one command of one session, whose live picture its assignees may see. */
export async function reviewCommand(outer: Context, { session, rule, command }: ReviewedCommand): Promise<TicketRow> {
  return outer.transaction(async (ctx) => {
    const row = await openCommandTicket(ctx, session, { rule, command }, { session: session.id })
    await linkSession(ctx, row.id, session.id)
    return row
  })
}

/** A command of a job, which waits for its approval before anything runs. */
export interface ReviewedJobCommand extends Pick<ReviewedCommand, 'rule' | 'command'> {
  /** The execution, which alone may run what is approved. */
  execution: string
  user: { id: string; name: string }
  orgId: string
  /** Names of the assets. */
  assets: readonly string[]
  account: string
}

/** Opens the ticket of one command on some assets. Throws 400 when nobody could decide it. */
export async function reviewJobCommand(outer: Context, reviewed: ReviewedJobCommand): Promise<TicketRow> {
  const { user, orgId, assets, account, execution } = reviewed
  const from = { org_id: orgId, user_id: user.id, user: user.name, asset: assets.join('\n'), account }
  return outer.transaction((ctx) => openCommandTicket(ctx, from, reviewed, { execution }))
}

/** What a job does on assets with an account whose use a rule wants to be reviewed. */
export interface ReviewedJobUse {
  execution: string
  user: { id: string; name: string }
  orgId: string
  assets: readonly { id: string; name: string }[]
  account: string
  rule: string
  /** What runs there, with nothing left out but secret values. */
  operation: string
}

/** Opens the ticket of one use on some assets. Throws 400 when nobody could decide it. */
export async function reviewJobUse(outer: Context, reviewed: ReviewedJobUse): Promise<TicketRow> {
  const { user, orgId, assets, account, execution, operation } = reviewed
  const names = assets.map(({ name }) => name).join(', ')
  return outer.transaction(async (ctx) =>
    openTicket(ctx, {
      type: 'login_asset_confirm',
      title: say(aclsMessages.asset_job_ticket, ctx.language, { user: user.name, asset: names }).slice(0, 256),
      orgId,
      applicant: await applicantOf(ctx, user.id),
      comment: say(aclsMessages.asset_job_operation, ctx.language, { asset: names, operation }),
      details: { user: user.id, asset: assets[0]?.id, account, execution },
      snapshot: {
        apply_login_user: user.name,
        apply_login_user_id: user.id,
        apply_login_asset: names,
        apply_login_asset_id: assets[0]?.id,
      },
      relevantAsset: assets.map(({ name }) => name).join('\n'),
      relevantCommand: operation,
      levels: await levelOf(ctx, 'loginassetacl', reviewed.rule),
    }),
  )
}
