import { riskLevels } from '@castellan/contract/choices/terminal'
import { errors } from '@castellan/contract/messages/errors'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { batches } from '../../../db/batches.ts'
import { choice, describedAs, integer, normalUuid, nullableText, text } from '../../../kernel/fields/index.ts'
import { created, defineRoute, type Handling, Reply } from '../../../kernel/http/route.ts'
import { addToDailyCounts } from '../../../kernel/lists/daily-counts.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, invalid, type Problem, text as say } from '../../../kernel/module/errors.ts'
import { readBodies, readBody } from '../../../kernel/resource/body.ts'
import { asRowId, newRowId } from '../../../kernel/resource/row-id.ts'
import { momentWithin } from '../sessions/reported.ts'
import { type ReportedSession, reportableSessions } from '../sessions/session-components.ts'
import { shorten } from '../shorten.ts'
import { command } from './command.ts'
import { type InsecureCommand, tellOfCommands } from './command-alerts.ts'
import { keepForStorage, storageOfCaller } from './store-commands.ts'

/** Maximum number of commands per call. */
const mostCommands = 10_000

const fields = {
  /**
   * Chosen by the component, so that a batch sent again after a lost response is stored once. Older components send
   * none.
   */
  id: nullableText({ max: 36, blank: true }),
  user: text({ required: true }),
  asset: text({ max: 128, required: true }),
  input: text({ max: 2048, required: true, verbatim: true }),
  output: text({ max: 2048, required: true, blank: true, verbatim: true }),
  account: text({ required: true }),
  session: text({ max: 36, required: true }),
  risk_level: choice(riskLevels, { numeric: true, default: 0 }),
  org_id: describedAs(nullableText({ max: 36, blank: true, default: '' }), { default: '' }),
  timestamp: integer({ required: true, min: 0, max: 253_402_300_799 }),
}

interface Command {
  id?: string | null
  user: string
  asset: string
  input: string
  output: string
  account: string
  session: string
  risk_level: number
  timestamp: number
}

/** The first and the last half of a user's display name that is too long. */
const clippedUser = (user: string) => (user.length > 64 ? user.slice(0, 32) + user.slice(-32) : user)

function demandFew(items: readonly unknown[]): void {
  if (items.length > mostCommands)
    throw invalid({ non_field_errors: [say(errors.too_many_rows, { max: mostCommands })] })
}

const sessionOf = ({ session }: { session: string }): string => normalUuid(session) ?? session

function readCommands(ctx: Context, body: unknown): Command[] {
  if (!Array.isArray(body)) throw invalid({ non_field_errors: [say(errors.not_a_list, { type: typeof body })] })
  demandFew(body)
  return body.map((one) => readBody<Command>(ctx, fields, one))
}

async function take({ ctx, request }: Handling): Promise<unknown> {
  let bodies: Command[]
  let sessions: Map<string, ReportedSession>
  try {
    bodies = readCommands(ctx, request.body)
    sessions = await ownSessions(ctx, bodies)
  } catch (error) {
    // Components recognize a rejected batch by this status.
    if (error instanceof ApiError) return new Reply(401, { msg: JSON.stringify(error.body(ctx.language)) })
    throw error
  }
  // Times are whole seconds, and rows of one time are listed by id: sorted ids preserve the order in which the commands
  // of a call were typed.
  const ids = bodies.map(newRowId).sort()
  const rows = bodies.map((body, at) => {
    const id = normalUuid(body.id)
    const session = sessions.get(sessionOf(body)) as ReportedSession
    return {
      id: id ? asRowId(id) : (ids[at] as string),
      user: clippedUser(body.user),
      asset: body.asset,
      account: shorten(body.account, 64),
      input: shorten(body.input, 128),
      output: shorten(body.output, 1024),
      session: session.id,
      risk_level: body.risk_level,
      // Regardless of the body, a command is logged in its session's organization, with a time within the session.
      org_id: session.org_id,
      timestamp: momentWithin(session, body.timestamp, ctx.now),
    }
  })
  const storage = await storageOfCaller(ctx)
  const stored = storage ? await keepForStorage(ctx, storage, rows) : await storeNew(ctx, rows)
  if (!storage)
    await addToDailyCounts(
      ctx,
      command,
      stored.map((row) => ({ ...row })),
    )
  for (const [session, some] of Map.groupBy(stored, (row) => row.session))
    await ctx.acrossOrganizations
      .updateTable('terminal_session')
      .set((eb) => ({ commands: eb('commands', '+', some.length) }))
      .where('id', '=', session)
      .execute()
  return created('ok')
}

/** Stores the rows that do not exist yet, and returns these. */
async function storeNew<Row extends { id: string }>(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const isNew = new Set<string>()
  for (const some of batches(rows)) {
    const inserted = await ctx.rawDb
      .insertInto(command.table)
      .values(some)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    for (const { id } of inserted) isNew.add(id)
  }
  // Deleted on first use, so that a duplicate within a call is stored once, too.
  return rows.filter(({ id }) => isNew.delete(id))
}

/**
 * The sessions named by the bodies. Throws 400, aligned with the bodies, unless the calling component may report on
 * all.
 */
async function ownSessions(ctx: Context, bodies: readonly Command[]): Promise<Map<string, ReportedSession>> {
  const sessions = await reportableSessions(ctx, bodies.map(sessionOf))
  if (bodies.some((body) => !sessions.has(sessionOf(body))))
    throw invalid(
      bodies.map((body): Problem => (sessions.has(sessionOf(body)) ? {} : { session: [say(texts.session_not_own)] })),
    )
  return sessions
}

const alertFields = {
  user: text({ required: true }),
  asset: text({ max: 128, required: true }),
  input: text({ max: 2048, required: true, verbatim: true }),
  session: text({ max: 36, required: true }),
  risk_level: choice(riskLevels, { numeric: true, default: 0 }),
  org_id: describedAs(nullableText({ max: 36, blank: true, default: '' }), { default: '' }),
  cmd_filter_acl: nullableText({ max: 36, blank: true }),
  cmd_group: text({ max: 36, required: true }),
}

/** Malformed ids are reported for the command as a whole. */
function checkIds(commands: readonly InsecureCommand[]): void {
  const problems = commands.map(({ session, cmd_filter_acl, cmd_group }): Problem => {
    const wrong = [session, cmd_filter_acl, cmd_group].filter((id) => id && !normalUuid(id))
    return wrong.length > 0 ? { non_field_errors: wrong.map((id) => say(errors.not_a_uuid, { input: id ?? '' })) } : {}
  })
  if (problems.some((problem) => Object.keys(problem).length > 0)) throw invalid(problems)
}

export const commandIntakeRoutes = [
  defineRoute({
    method: 'POST',
    path: command.url,
    requires: 'terminal.add_command',
    componentsOnly: true,
    summary: 'Record commands',
    statuses: [201],
    fields: { POST: fields },
    handle: take,
  }),
  defineRoute({
    method: 'POST',
    path: `${command.url}insecure-command/`,
    requires: 'terminal.add_command',
    componentsOnly: true,
    summary: 'Notify users of commands that a rule rejected or warned about',
    fields: { POST: alertFields },
    async handle({ ctx, request }) {
      const items = Array.isArray(request.body) ? request.body : [request.body]
      demandFew(items)
      const commands = readBodies<InsecureCommand>(ctx, alertFields, items)
      checkIds(commands)
      const sessions = await reportableSessions(ctx, commands.map(sessionOf))
      // Commands of sessions of other components notify no user.
      const own = commands.flatMap((one) => {
        const session = sessions.get(sessionOf(one))
        return session ? [{ ...one, org_id: session.org_id }] : []
      })
      await tellOfCommands(ctx, own)
      return { msg: 'ok' }
    },
  }),
]
