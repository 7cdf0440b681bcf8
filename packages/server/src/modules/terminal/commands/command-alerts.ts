import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import type { Context } from '../../../kernel/module/context.ts'
import { allResources } from '../../../kernel/resource/resource.ts'
import { notifySubscribers, notifyUsers } from '../../notifications/index.ts'
import { siteUrl } from '../../settings/index.ts'

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
