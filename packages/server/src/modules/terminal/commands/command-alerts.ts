import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { Context } from '../../../kernel/module/context.ts'
import { allResources } from '../../../kernel/resource/resource.ts'
import { notifySubscribers, notifyUsers } from '../../notifications/index.ts'
import { siteUrl } from '../../settings/index.ts'
import { shorten } from '../shorten.ts'

/** A command that a rule rejected or warned about, as reported by a component. */
export interface InsecureCommand {
  user: string
  asset: string
  input: string
  session: string
  risk_level: number
  org_id: string
  cmd_filter_acl: string | null
  cmd_group: string
}

const warned = 4
const refused = new Set([5, 6])

/** The reviewers named by a command filter. */
async function reviewersOf(ctx: Context, rule: string | null): Promise<string[]> {
  const join = allResources()
    .find(({ key }) => key === 'acls.commandfilteracl')
    ?.joins.find(({ field }) => field === 'reviewers')
  const [from, to] = Object.keys(join?.columns ?? {}).filter((column) => column !== 'id')
  if (!rule || !join || !from || !to) return []
  const rows = await ctx.rawDb.selectFrom(join.name).select(to).where(from, '=', rule).execute()
  return rows.map((row) => row[to])
}

/** What a rule decided about the command of a job, on all the assets that it decided the same about. */
export interface JobCommand {
  user: string
  /** The command as the job has it, without values of parameters, which may be secret. */
  command: string
  outcome: 'rejected' | 'review' | 'warned'
  rule: { id: string; name: string }
  /** Names of assets. */
  assets: readonly string[]
}

/** Assets that a message names; the others are counted. Characters of the command that it shows. */
const mostNamed = 20
const mostShown = 1024

const outcomes = {
  rejected: { subject: texts.job_command_rejected_subject, body: texts.job_command_rejected_body },
  review: { subject: texts.job_command_review_subject, body: texts.job_command_review_body },
  warned: { subject: texts.job_command_warned_subject, body: texts.job_command_warned_body },
} as const

/**
 * Tells of what rules decided about the commands of a job, once for all assets: subscribers of rejections and reviews,
 * and the reviewers of a rule of its warnings.
 */
export async function tellOfJobCommands(ctx: Context, commands: readonly JobCommand[]): Promise<void> {
  for (const { user, command, outcome, rule, assets } of commands) {
    const more = assets.length > mostNamed ? ' …' : ''
    const notice = {
      ...outcomes[outcome],
      values: {
        ...{ user, command: shorten(command, mostShown), rule: rule.name || '-', count: assets.length },
        assets: `${assets.slice(0, mostNamed).join(', ')}${more}`,
      },
      link: `${siteUrl(ctx)}/ui/#/audit/audits/job-execution-log?oid=${ctx.orgId}`,
    }
    if (outcome === 'warned') await notifyUsers(ctx, await reviewersOf(ctx, rule.id), notice)
    else await notifySubscribers(ctx, 'CommandExecutionAlert', notice)
  }
}

/** Notifies subscribers of rejected commands, and the reviewers of a rule of commands it warned about. */
export async function tellOfCommands(ctx: Context, commands: readonly InsecureCommand[]): Promise<void> {
  for (const command of commands) {
    const isRefused = refused.has(command.risk_level)
    if (!isRefused && command.risk_level !== warned) continue
    const notice = {
      subject: isRefused ? texts.command_refused_subject : texts.command_warned_subject,
      body: isRefused ? texts.command_refused_body : texts.command_warned_body,
      values: { user: command.user, asset: command.asset, command: command.input },
      link: `${siteUrl(ctx)}/ui/#/audit/sessions/sessions/${command.session}?oid=${command.org_id}`,
    }
    if (isRefused) await notifySubscribers(ctx, 'CommandAlertMessage', notice)
    else await notifyUsers(ctx, await reviewersOf(ctx, command.cmd_filter_acl), notice)
  }
}
