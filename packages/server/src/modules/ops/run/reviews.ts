import { createHash } from 'node:crypto'
import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import { ItemSkipped, JobWaits } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { reviewJobCommand } from '../../acls/index.ts'
import { assigneeNames, type EndedTicket, executionOf, outcomeOf } from '../../tickets/index.ts'
import type { HostPayload, HostToReview } from './decide.ts'
import type { ExecutionRun } from './execution-run.ts'

/** Tickets that one execution may open: each asks people. */
const mostTickets = 20
/** When an execution whose reviews are open looks again, if no decision hastens it. Milliseconds. */
const lookAgainAfter = 10_000

export const digestOf = (command: string): string => createHash('sha256').update(command).digest('hex')

export type Reviewed = Omit<ExecutionRun, 'reviews' | 'hosts'>

interface Group {
  command: string
  hosts: HostToReview[]
}

/** Hosts with the same rule, account and command are reviewed together. */
function groupsOf(items: readonly NewItem[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { payload } of items as readonly { payload: HostToReview }[]) {
    const { toReview, verdict, username } = payload
    if (toReview === undefined) continue
    const key = JSON.stringify([verdict?.rule, username, toReview])
    const group = groups.get(key) ?? { command: toReview, hosts: [] }
    group.hosts.push(payload)
    groups.set(key, group)
    delete payload.toReview
  }
  return [...groups.values()]
}

async function openReview({ ctx, job }: Reviewed, { command, hosts }: Group): Promise<string> {
  const [first] = hosts
  if (!first?.verdict) throw new Error('A review needs the verdict of a rule.')
  const { id, serial_num } = await reviewJobCommand(ctx, {
    execution: job.id,
    user: { id: ctx.me.id, name: `${ctx.me.name}(${ctx.me.username})` },
    orgId: ctx.orgId,
    assets: hosts.map(({ host }) => host),
    account: first.username,
    rule: { id: first.verdict.rule, name: first.verdict.ruleName },
    command,
  })
  const people = (await assigneeNames(ctx, id)).join(', ')
  await job.log(say(opsMessages.review_awaited, ctx.language, { serial: serial_num, people, count: hosts.length }))
  return id
}

/**
 * Opens the tickets of the commands that have to be reviewed, and notes them with their hosts. Those for which nobody
 * can be asked do not run.
 * @returns the ids of the tickets
 */
export async function openReviews(run: Reviewed, items: readonly NewItem[]): Promise<string[]> {
  const tickets: string[] = []
  for (const group of groupsOf(items)) {
    const exclude = (reason: string) => {
      for (const host of group.hosts) host.excluded = { code: 'no_reviewer', reason }
    }
    if (tickets.length >= mostTickets) {
      exclude(say(opsMessages.host_reviews_full, run.ctx.language, { count: mostTickets }))
      continue
    }
    try {
      const ticket = await openReview(run, group)
      for (const host of group.hosts) host.review = { ticket, digest: digestOf(group.command) }
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

/** Whether a host's command was reviewed and approved. @throws ItemSkipped when it was reviewed and refused */
export function demandApproved({ ctx, reviews }: ExecutionRun, { review }: HostPayload): void {
  if (!review) return
  const outcome = reviews.get(review.ticket)
  if (outcome?.state === 'approved') return
  const { serial = '-', by = '-' } = outcome ?? {}
  const said = outcome?.state === 'rejected' ? opsMessages.host_review_refused : opsMessages.host_review_closed
  throw new ItemSkipped('review_refused', say(said, ctx.language, { serial, by }))
}

/** @throws ItemSkipped when what is to run is not what was approved: the asset has been changed since */
export function demandReviewed(ctx: Context, { review }: HostPayload, command: string): void {
  if (review && review.digest !== digestOf(command))
    throw new ItemSkipped('review_refused', say(opsMessages.host_review_changed, ctx.language))
}

/** An execution whose command was decided goes on at once. */
export async function goOn(ctx: Context, { row }: EndedTicket): Promise<void> {
  const execution = executionOf(row.details)
  if (execution) await ctx.services.jobs.hasten(ctx.rawDb, execution)
}
