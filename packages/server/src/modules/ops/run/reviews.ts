import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import { ItemSkipped, JobWaits } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { reviewJobCommand, reviewJobUse } from '../../acls/index.ts'
import { assigneeNames, type EndedTicket, executionOf, outcomeOf } from '../../tickets/index.ts'
import type { ExecutionRun } from './execution-run.ts'
import type { HostPayload, HostToReview } from './host-payload.ts'

/** Tickets that one execution may open: each asks people. */
const mostTickets = 20
/** When an execution whose reviews are open looks again, if no decision hastens it. Milliseconds. */
const lookAgainAfter = 10_000

export type Reviewed = Omit<ExecutionRun, 'reviews' | 'hosts'>

/** Hosts that one ticket is about. */
interface Group {
  readonly kind: 'review' | 'loginReview'
  readonly rule: string
  readonly what: string
  readonly digest: string
  readonly hosts: { payload: HostToReview; name: string }[]
}

/** Hosts with the same rule, account and operation are reviewed together; one host may need two reviews. */
function groupsOf(items: readonly NewItem[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { payload, target } of items as readonly { payload: HostToReview; target: NewItem['target'] }[]) {
    const { toReview, toReviewUse, verdict, username } = payload
    const put = (kind: Group['kind'], rule: string, what: string, digest: string) => {
      const key = JSON.stringify([kind, rule, username, digest])
      const group = groups.get(key) ?? { kind, rule, what, digest, hosts: [] }
      group.hosts.push({ payload, name: target.label })
      groups.set(key, group)
    }
    if (toReview) put('review', verdict?.rule ?? '', toReview.command, toReview.digest)
    if (toReviewUse) put('loginReview', toReviewUse.rule.id, toReviewUse.operation, toReviewUse.digest)
    delete payload.toReview
    delete payload.toReviewUse
  }
  return [...groups.values()]
}

async function openReview({ ctx, job }: Reviewed, { kind, rule, what, hosts }: Group): Promise<string> {
  const [first] = hosts
  if (!first) throw new Error('A review needs hosts.')
  const { verdict, username: account } = first.payload
  const about = {
    execution: job.id,
    user: { id: ctx.me.id, name: `${ctx.me.name}(${ctx.me.username})` },
    orgId: ctx.orgId,
    account,
  }
  const { id, serial_num } =
    kind === 'review'
      ? await reviewJobCommand(ctx, {
          ...about,
          assets: hosts.map(({ payload }) => payload.host),
          rule: { id: rule, name: verdict?.ruleName ?? '' },
          command: what,
        })
      : await reviewJobUse(ctx, {
          ...about,
          assets: hosts.map(({ payload, name }) => ({ id: payload.asset, name })),
          rule,
          operation: what,
        })
  const people = (await assigneeNames(ctx, id)).join(', ')
  await job.log(say(opsMessages.review_awaited, ctx.language, { serial: serial_num, people, count: hosts.length }))
  return id
}

/**
 * Opens the tickets of what has to be reviewed, and notes them with their hosts. Those for which nobody can be asked do
 * not run.
 * @returns the ids of the tickets
 */
export async function openReviews(run: Reviewed, items: readonly NewItem[]): Promise<string[]> {
  const tickets: string[] = []
  for (const group of groupsOf(items)) {
    const exclude = (reason: string) => {
      for (const { payload } of group.hosts) payload.excluded = { code: 'no_reviewer', reason }
    }
    // The other review of these hosts could not be opened.
    if (group.hosts.every(({ payload }) => payload.excluded)) continue
    if (tickets.length >= mostTickets) {
      exclude(say(opsMessages.host_reviews_full, run.ctx.language, { count: mostTickets }))
      continue
    }
    try {
      const ticket = await openReview(run, group)
      for (const { payload } of group.hosts) payload[group.kind] = { ticket, rule: group.rule, digest: group.digest }
      tickets.push(ticket)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      exclude(say(opsMessages.host_no_reviewer, run.ctx.language))
    }
  }
  return tickets
}

/** How the reviews ended, by ticket. @throws JobWaits while one is open */
export async function reviewOutcomes(ctx: Context, tickets: readonly string[]): Promise<ExecutionRun['reviews']> {
  const outcomes: Map<string, { state: string; serial: string; by: string }> = new Map()
  for (const id of tickets) outcomes.set(id, await outcomeOf(ctx, id))
  if ([...outcomes.values()].some(({ state }) => state === 'pending')) throw new JobWaits(Date.now() + lookAgainAfter)
  return outcomes
}

/** Whether all reviews of a host were approved. @throws ItemSkipped when one was refused */
export function demandApproved({ ctx, reviews }: ExecutionRun, { review, loginReview }: HostPayload): void {
  for (const one of [review, loginReview]) {
    if (!one) continue
    const outcome = reviews.get(one.ticket)
    if (outcome?.state === 'approved') continue
    const { serial = '-', by = '-' } = outcome ?? {}
    const said = outcome?.state === 'rejected' ? opsMessages.host_review_refused : opsMessages.host_review_closed
    throw new ItemSkipped('review_refused', say(said, ctx.language, { serial, by }))
  }
}

/** An execution whose command was decided goes on at once. */
export async function goOn(ctx: Context, { row }: EndedTicket): Promise<void> {
  const execution = executionOf(row.details)
  if (execution) await ctx.services.jobs.hasten(ctx.rawDb, execution)
}
