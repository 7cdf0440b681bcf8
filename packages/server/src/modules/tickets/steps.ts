import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { user } from '../users/index.ts'

export interface Step {
  level: number
  state: string
  status: string
  strategy: string
  processor_id: string
  processor_display: string
  date_decided: number
  assignees: { id: string; display: string }[]
}

export const displayOf = ({ name, username }: { name: string; username: string }) => `${name}(${username})`

/** `name(username)` of users by id. */
export async function userNames(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const some of batches([...new Set(ids)]))
    for (const row of await findAll(ctx.acrossOrgs(), user, (query) => query.where('t.id', 'in', some)))
      names.set(row.id, displayOf(row))
  return names
}

/** The steps of tickets with their assignees, by ticket, in order of levels. */
export async function stepsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Step[]>> {
  const found = new Map<string, Step[]>()
  for (const some of batches(ids)) {
    const steps = await ctx.rawDb
      .selectFrom('tickets_step')
      .selectAll()
      .where('ticket_id', 'in', some)
      .orderBy('level')
      .execute()
    for (const { ticket_id, ...step } of steps) {
      const list = found.get(ticket_id) ?? []
      found.set(ticket_id, list)
      list.push({
        ...(step as Omit<Step, 'assignees'>),
        level: Number(step.level),
        date_decided: Number(step.date_decided),
        assignees: [],
      })
    }
    const assigned = await ctx.rawDb
      .selectFrom('tickets_assignee')
      .select(['ticket_id', 'level', 'user_id'])
      .where('ticket_id', 'in', some)
      .execute()
    const names = await userNames(
      ctx,
      assigned.map(({ user_id }) => String(user_id)),
    )
    for (const { ticket_id, level, user_id } of assigned) {
      const display = names.get(user_id)
      const step = found.get(ticket_id)?.find((one) => one.level === Number(level))
      if (display) step?.assignees.push({ id: user_id, display })
    }
  }
  for (const steps of found.values())
    for (const { assignees } of steps) assignees.sort((a, b) => (a.display < b.display ? -1 : 1))
  return found
}

/** `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
const approvalDate = (at: number) => `${new Date(at).toISOString().replace('T', ' ').slice(0, -1)}000+00:00`

/** The steps as the wire has them. */
export const processMap = (steps: readonly Step[]) =>
  steps.map((step) => ({
    state: step.state,
    assignees: step.assignees.map(({ id }) => id),
    assignees_display: step.assignees.map(({ display }) => display),
    processor: step.processor_id,
    processor_display: step.processor_display,
    approval_level: step.level,
    approval_date: approvalDate(step.date_decided),
  }))

/** The names of those who are asked to decide a ticket now. */
export async function assigneeNames(ctx: Context, id: string): Promise<string[]> {
  const steps = (await stepsOf(ctx, [id])).get(id) ?? []
  return steps
    .filter(({ status }) => status === 'active')
    .flatMap(({ assignees }) => assignees.map(({ display }) => display))
}
